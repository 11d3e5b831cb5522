package dev.arenakit.tool.du;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class DuBarTest {
    @ParameterizedTest
    @CsvSource({"0,100,''", "100,100,\u2588\u2588\u2588\u2588", "50,100,\u2588\u2588", "34,100,\u2588\u258d",
            "1,1000000,\u258f", "9223372036854775807,9223372036854775807,\u2588\u2588\u2588\u2588"})
    void of_charsetWithBlocks_isAsLongAsItsShare(long number, long most, String bar) {
        assertThat(new DuTable.Bar(4, UTF_8).of(number, most)).isEqualTo(bar);
    }

    @ParameterizedTest
    @CsvSource({"0,100,''", "100,100,####", "50,100,##", "34,100,#", "1,1000000,#"})
    void of_charsetWithoutBlocks_isPlain(long number, long most, String bar) {
        assertThat(new DuTable.Bar(4, US_ASCII).of(number, most)).isEqualTo(bar);
    }
}
