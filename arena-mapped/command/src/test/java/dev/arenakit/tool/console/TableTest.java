package dev.arenakit.tool.console;

import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Table.Column;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TableTest {
    @Test
    void print_textAndNumbers_areAlignedAndLinesEndWithText() throws IOException {
        assertThat(print(new String[]{"a", "1", "x"}, new String[]{"abcdef", "100", ""})).isEqualTo("""
                NAME    SIZE  STATE
                a          1  x
                abcdef   100
                """);
    }

    @Test
    void print_columnWithoutText_isLeftOut() throws IOException {
        assertThat(print(new String[]{"a", "", "x"}, new String[]{"b", "", "y"})).isEqualTo("""
                NAME  STATE
                a     x
                b     y
                """);
    }

    @Test
    void print_longName_movesItsOwnRowAlone() throws IOException {
        String name = "n".repeat(100);
        assertThat(print(new String[]{"a", "1", "x"}, new String[]{name, "2", "y"}).lines()).containsExactly(
                "NAME" + " ".repeat(36) + "  SIZE  STATE", "a" + " ".repeat(39) + "     1  x", name + "     2  y");
    }

    @Test
    void print_wideCharacters_countAsTwo() throws IOException {
        assertThat(
                print(new String[]{"\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00", "1", "x"}).lines())
                .contains("NAME        SIZE  STATE");
    }

    @Test
    void fit_narrowTerminal_shortensNamesThenLeavesOutColumns() {
        String[] row = {"a very long name of an allocation", "12 GiB", "2026-11-22 12:00:00", "live"};
        assertThat(fitted(80, row)).isEqualTo("a very long name of an allocation  12 GiB  2026-11-22 12:00:00  live");
        assertThat(fitted(60, row)).isEqualTo("a very long … allocation  12 GiB  2026-11-22 12:00:00  live");
        assertThat(fitted(47, row)).isEqualTo("a very lo…location  12 GiB  2026-11-22 12:00:00");
        assertThat(fitted(21, row)).isEqualTo("a very…cation  12 GiB");
        assertThat(fitted(5, row)).isEqualTo("a …on");
    }

    private static String fitted(int width, String... row) {
        Table table = new Table(Column.name("NAME"), Column.number("SIZE"), Column.text("MADE"),
                Column.text("STATE"));
        table.measure(row);
        table.fit(width);
        return table.line(row);
    }

    @Test
    void shortened_wideCharacters_neverExceedTheWidth() {
        String text = "\u6f22\u5b57x\ud83d\ude00e\u0301y".repeat(5);
        for (int width = 1; width < 45; width++) {
            String shortened = TextWidth.shortened(text, width);
            assertThat(TextWidth.of(shortened)).isLessThanOrEqualTo(width);
            assertThat(shortened.equals(text)).isEqualTo(TextWidth.of(text) <= width);
        }
    }

    private static String print(String[]... rows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Streams streams = ToolRun.streams(out, OutputStream.nullOutputStream());
        new Table(Column.text("NAME"), Column.number("SIZE"), Column.text("STATE")).print(streams, List.of(rows));
        streams.out().flush();
        return out.toString(UTF_8);
    }
}
