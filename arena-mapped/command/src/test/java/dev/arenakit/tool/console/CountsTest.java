package dev.arenakit.tool.console;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CountsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0                   | 0
            999                 | 999
            1000                | 1,000
            1234567             | 1,234,567
            -999                | -999
            -1000               | -1,000
            9223372036854775807 | 9,223,372,036,854,775,807
            """)
    void grouped_number_hasACommaForEachThousand(long number, String text) {
        assertThat(Counts.grouped(number)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 | 0 files
            1 | 1 file
            1000 | 1,000 files
            """)
    void of_number_isInThePlural(long number, String text) {
        assertThat(Counts.of(number, "file")).isEqualTo(text);
    }
}
