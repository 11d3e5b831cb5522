package dev.arenakit.tool.page;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that the colours of the page have the contrast that WCAG 2 requires for level AA.
class PageContrastTest {
    private static final double OF_TEXT = 4.5;
    private static final double OF_GRAPHICS = 3;
    private static final Pattern THEME = Pattern.compile("color-scheme: (?:light|dark);([^}]*)}");

    /// The three blocks of colours: light, dark by choice, dark by the preference of the system.
    private static List<String> themes() throws IOException {
        try (InputStream in = PageTemplate.class.getResourceAsStream("page.css")) {
            assertThat(in).isNotNull();
            return THEME.matcher(new String(in.readAllBytes(), UTF_8))
                    .results()
                    .map((MatchResult theme) -> theme.group(1).replaceAll("\\s+", " "))
                    .toList();
        }
    }

    @Test
    void themes_text_canBeReadOnEachBackground() throws IOException {
        for (String theme : themes()) {
            for (String background : List.of("page", "card", "track", "free")) {
                for (String text : List.of("text", "soft", "bad", "good", "accent")) {
                    assertThat(contrast(theme, text, background)).as(text + " on " + background + theme)
                            .isGreaterThan(OF_TEXT);
                }
            }
            for (String tint : List.of("tint-even", "tint-odd")) {
                assertThat(contrast(theme, "text", tint)).as(tint + theme).isGreaterThan(OF_TEXT);
            }
        }
    }

    @Test
    void themes_edgesAndHatches_canBeSeen() throws IOException {
        for (String theme : themes()) {
            for (String graphic : List.of("edge", "freed", "damage", "accent")) {
                assertThat(contrast(theme, graphic, "card")).as(graphic + theme).isGreaterThan(OF_GRAPHICS);
            }
        }
    }

    @Test
    void themes_dark_areTheSameByChoiceAndByPreference() throws IOException {
        assertThat(themes()).hasSize(3);
        assertThat(themes().get(1)).isEqualTo(themes().get(2)).isNotEqualTo(themes().getFirst());
    }

    private static double contrast(String theme, String one, String other) {
        double first = luminance(theme, one);
        double second = luminance(theme, other);
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(String theme, String name) {
        int at = theme.indexOf("--" + name + ": #") + name.length() + 5;
        int colour = Integer.parseInt(theme, at, at + 6, 16);
        return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8 & 0xff) + 0.0722 * linear(colour & 0xff);
    }

    private static double linear(int channel) {
        double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }
}
