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

    private static String print(String[]... rows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Streams streams = ToolRun.streams(out, OutputStream.nullOutputStream());
        new Table(Column.text("NAME"), Column.number("SIZE"), Column.text("STATE")).print(streams, List.of(rows));
        streams.out().flush();
        return out.toString(UTF_8);
    }
}
