package dev.arenakit.layout.text;

import dev.arenakit.layout.type.RandomTypes;
import dev.arenakit.layout.type.StructType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Any text is either parsed or rejected by a LayoutParseException.
class LayoutTextFuzzTest {
    private static final List<String> TOKENS = List.of("struct", "union", "enum", "S", "T", "x", "{", "}", "(", ")",
            "[",
            "]", ";", ",", ":", "=", "*", "-", "0", "1", "3", "8", "0x10", "9223372036854775807", "void", "char",
            "char16_t", "bool", "int8_t", "int16_t", "uint16_t", "int32_t", "int64_t", "float", "double", "@big",
            "@little", "@ascii", "@packed", "@align(1)", "@align(16)", "@size(64)", "@offset(8)", "@switch(x)",
            "@case(1)", "@case(1, -2)",
            "@align", "@", "\n", "//", "/*", "*/", "#pragma layout 1", "#pragma layout 2", "#pragma layout 3",
            "@bit(3)", ": 3", "uint16_t",
            "uint24_t", "@char",
            "@otherwise", "@count(n)", "@prefix(2, big)", "@spaces", "a.b", "\u00e9", "\ud83d\ude00", "\0",
            "struct T {",
            "struct T t;", "int32_t x;", "};");

    @Test
    void parse_mutations_throwsNothingElse() {
        assertThat(mutate(new Random(11), 1_500)).isBetween(30, 1_470);
    }

    @Test
    @Tag("slow")
    void parse_manyMutations_throwsNothingElse() {
        assertThat(mutate(new Random(12), 100_000)).isBetween(2_000, 98_000);
    }

    @Test
    void parse_tokenSoup_throwsNothingElse() {
        Random random = new Random(13);
        for (int i = 0; i < 1_500; i++) {
            StringBuilder text = new StringBuilder("#pragma layout " + (1 + i % 3) + "\nstruct S {");
            int count = random.nextInt(60);
            for (int token = 0; token < count; token++) {
                text.append(' ').append(TOKENS.get(random.nextInt(TOKENS.size())));
            }
            parses(text.toString());
        }
    }

    /// Returns the number of mutations that are valid. The printed form of a valid text must be valid too.
    private static int mutate(Random random, int count) {
        int texts = 0;
        String text = "";
        for (int i = 0; i < count; i++) {
            if (i % 20 == 0) {
                text = LayoutText.print(RandomTypes.any(random, "S"));
            }
            String mutated = text;
            for (int times = random.nextInt(1, 4); times > 0; times--) {
                mutated = mutate(mutated, random);
            }
            texts += parses(mutated) ? 1 : 0;
        }
        return texts;
    }

    private static String mutate(String text, Random random) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(12));
        String middle = switch (random.nextInt(5)) {
            case 0 -> "";
            case 1 -> " " + TOKENS.get(random.nextInt(TOKENS.size())) + " ";
            case 2 -> text.substring(from, to).repeat(2);
            case 3 -> String.valueOf((char) random.nextInt(random.nextBoolean() ? 128 : 65536));
            default -> Integer.toString(random.nextInt(100));
        };
        return text.substring(0, from) + middle + text.substring(to);
    }

    private static boolean parses(String text) {
        StructType struct;
        try {
            struct = LayoutText.parse(text);
        } catch (LayoutParseException e) {
            assertThat(e.line()).isBetween(1, (int) text.lines().count() + 1);
            assertThat(e.column()).isPositive();
            return false;
        }
        assertThat(LayoutText.parse(LayoutText.print(struct))).as(text).isEqualTo(struct);
        assertThat(LayoutText.toCHeader(struct)).isNotEmpty();
        assertThat(LayoutText.describe(struct)).isNotEmpty();
        return true;
    }
}
