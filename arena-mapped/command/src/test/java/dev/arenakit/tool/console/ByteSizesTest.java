package dev.arenakit.tool.console;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ByteSizesTest {
    @ParameterizedTest
    @CsvSource({"0,0", "4096,4096", "010,10", "0x1000,4096", "0X1f,31", "1K,1024", "1k,1024", "1M,1048576",
            "1G,1073741824", "1T,1099511627776", "1P,1125899906842624", "7E,8070450532247928832", "0x1k,1024",
            "0x10E,270", "9223372036854775807,9223372036854775807"})
    void parse_numberAndUnit_isTheNumberOfBytes(String text, long byteSize) {
        assertThat(ByteSizes.parse(text)).isEqualTo(byteSize);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1b", "-1", "1KiB", "1Z", "5x", "1.5K", "K", "0x", "1 K", "4096\n"})
    void parse_whatIsNoSize_isRefusedWithExamples(String text) {
        assertThatThrownBy(() -> ByteSizes.parse(text)).isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("4K");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8E", "9223372036854775808", "0xffffffffffffffff", "99999999999999999999T"})
    void parse_moreThanALongHolds_isRefused(String text) {
        assertThatThrownBy(() -> ByteSizes.parse(text)).isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("2^63");
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "1023,1023 B", "1024,1 KiB", "1536,1.5 KiB", "4096,4 KiB", "1048575,1.0 MiB", "1048576,1 MiB",
            "1043333,1018.9 KiB", "1099511627776,1 TiB", "17592186040320,16.0 TiB", "1100611139404,1.0 TiB",
            "9223372036854775807,8.0 EiB"})
    void format_size_isShortAndInTheLargestUnit(long byteSize, String text) {
        assertThat(ByteSizes.format(byteSize)).isEqualTo(text);
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
