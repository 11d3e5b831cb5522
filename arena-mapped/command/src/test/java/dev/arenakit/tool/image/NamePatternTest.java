package dev.arenakit.tool.image;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class NamePatternTest {
    @ParameterizedTest
    @CsvSource(delimiter = ' ', quoteCharacter = '`', textBlock = """
            trade* trades true
            trade* trade true
            trade* btrades false
            *rad* trades true
            *s trades true
            *s tradess true
            t?ades trades true
            t?ades tades false
            ??? abc true
            ??? ab false
            * `` true
            ? `` false
            a*b*c aXbXbXc true
            a*b*c acb false
            a*?c abc true
            a*?c ac false
            ** x true
            a.c abc false
            *\ud83d\ude00 x\ud83d\ude00 true
            x? x\ud83d\ude00 true
            x?? x\ud83d\ude00 false
            """)
    void matches_starsAndMarks_standForCharacters(String pattern, String name, boolean expected) {
        assertThat(new RequestedAllocations.NamePattern(pattern).matches(name)).isEqualTo(expected);
    }

    @Test
    void matches_lineSeparators_areCharacters() {
        assertThat(new RequestedAllocations.NamePattern("a*c?").matches("a\nb\u2028c\n")).isTrue();
    }

    @Test
    void matches_manyStars_doesNotBacktrack() {
        RequestedAllocations.NamePattern pattern = new RequestedAllocations.NamePattern("n" + "*a".repeat(20) + "*b");
        String name = "n" + "a".repeat(1000);
        // A regular expression would take years.
        boolean isMatch = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> pattern.matches(name));
        assertThat(isMatch).isFalse();
        assertThat(pattern.matches(name + "b")).isTrue();
    }
}
