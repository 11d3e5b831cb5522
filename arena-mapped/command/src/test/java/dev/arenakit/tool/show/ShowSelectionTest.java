package dev.arenakit.tool.show;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The rows that are shown: ranges, globs, `--skip`, `--limit` and `--where`.
class ShowSelectionTest extends InSharedMemory {
    private static final String FIRST = "[0] Trade { id = 1152921504606846977, side = BUY, price = 9.5, symbol = \"ARNA\" }\n";
    private static final String SECOND = "[1] Trade { id = -1, side = SELL, price = NaN, symbol = \"a\\\"\\u001b[31m\" }\n";
    private static final String THIRD = "[2] Trade { id = 2, side = 7, price = 1.0E300, symbol = \"\\u202eabc\" }\n";
    private static final String LAST_BUT_ONE = "[998] Trade { id = 3, side = SELL, price = -Infinity, symbol = \"12345678\" }\n";
    private static final String LAST = "[999] Trade { id = 4, side = BUY, price = 0.1, symbol = \"\" }\n";

    @BeforeEach
    void write() {
        TestImage.closed(base);
    }

    private ToolRun show(String... args) {
        return onBase("show", args);
    }

    private void assertShown(String expected, String... args) {
        assertThat(show(args).succeeds().out()).isEqualTo(expected);
    }

    @Test
    void show_row_printsOneStruct() {
        assertShown(SECOND, "trades[1]");
        assertShown("[5] Trade { id = 0, side = BUY, price = 0.0, symbol = \"\" }\n", "trades[5]");
        assertShown("""
                00000020                             [1] Trade {
                00000020  ff ff ff ff ff ff ff ff        id = -1,
                00000028  01                             side = SELL,
                00000030  00 00 00 00 00 00 f8 7f        price = NaN,
                00000038  61 22 1b 5b 33 31 6d 00        symbol = "a\\"\\u001b[31m"
                00000040                             }
                """, "trades[1]", "-x");
        assertShown("{\"allocation\":\"trades\",\"index\":999,\"value\":{\"id\":4,\"side\":\"BUY\",\"price\":0.1,"
                + "\"symbol\":\"\"}}\n", "trades[999]", "--json");
    }

    @Test
    void show_range_hasBothEnds() {
        assertShown(SECOND + THIRD, "trades[1..2]");
        assertShown("[990..997] zeros\n" + LAST_BUT_ONE + LAST, "trades[990..5000]");
        assertShown(SECOND + "(left out: 8 of 9 structs)\n", "trades[1..9]", "--limit", "1");
    }

    @Test
    void show_rowBeyondTheEnd_isReported() {
        assertThat(show("trades[1000]").exits(1).err())
                .isEqualTo("arena: trades: there is no [1000]: it has 1,000 structs\n");
        assertThat(show("trades[99999999999999999999]").exitCode()).isEqualTo(1);
        assertThat(show("trades[9223372036854775807]").err()).contains("there is no [9223372036854775807]: ");
        assertThat(show("trades[0..9223372036854775807]").exitCode()).isZero();
        assertThat(show("trades[2..1]").exitCode()).isEqualTo(1);
    }

    @Test
    void show_skip_leavesOutTheFirstStructs() {
        assertShown(LAST_BUT_ONE + LAST, "trades", "--skip", "998");
        assertShown(THIRD + "(left out: 997 of 1000 structs)\n", "trades", "--skip", "2", "--limit", "1");
        assertShown("", "trades", "--skip", "5000");
        assertThat(show("trades", "--skip", "-1").exitCode()).isEqualTo(2);
    }

    @Test
    void show_glob_matchesLiveAllocations() {
        assertShown("==> trades: Trade[1000] <==\n" + FIRST + "(left out: 999 of 1000 structs)\n"
                + "\n==> prices: double[1048576] <==\n[0] 0.0\n"
                + "(left out: 1048575 of 1048576 structs)\n", "*r*s", "--limit", "1");
        assertShown(FIRST, "trad??[0]");
        ToolRun none = show("ol*");
        assertThat(none.err())
                .isEqualTo("arena: " + base + ": no allocation matches ol* (try arena ls)\n");
    }

    @Test
    void show_where_printsTheStructsThatSatisfyIt() {
        assertShown(SECOND + LAST_BUT_ONE, "trades", "--where", "side == SELL");
        assertShown("==> trades: Trade[1000] <==\n" + SECOND + LAST_BUT_ONE, "trades", "trades[5]", "--where",
                "side == SELL");
        assertShown(LAST_BUT_ONE, "trades[2..999]", "--where", "side == SELL");
        assertShown(LAST_BUT_ONE, "trades", "--where", "side == SELL", "--skip", "1");
        assertShown(SECOND, "trades", "--where", "side == SELL", "--limit", "1");
        assertShown(FIRST + SECOND + THIRD + LAST_BUT_ONE + LAST, "trades", "--where", "id != 0");
        assertShown(SECOND + THIRD + LAST_BUT_ONE, "trades", "--where", "id != 0", "--skip", "1", "--limit", "3");
        assertShown(SECOND, "trades", "--where", "id != 0", "--skip", "1", "--limit", "1");
        assertShown(LAST, "trades", "--where", "id != 0", "--skip", "4");
        assertShown("", "trades", "--where", "id == 77");
        assertShown("", "trades", "--where", "side == SELL", "--limit", "0");
        assertShown("{\"allocation\":\"trades\",\"index\":999,\"value\":{\"id\":4,\"side\":\"BUY\",\"price\":0.1,"
                + "\"symbol\":\"\"}}\n", "trades", "--json", "--where", "symbol == ''");
        assertThat(show("trades", "--where", "side == SELL", "-x").out()).startsWith("00000020  ")
                .contains("00007cc0  03 00 00 00 00 00 00 00        id = 3,");
    }

    @Test
    void show_severalAllocationsWithoutType_namesEach() {
        try (InfiniteArena arena = InfiniteArena.ofShared(other)) {
            arena.allocate(100, 8);
            arena.allocate(100, 8);
        }
        ToolRun run = ToolRun.of("show", other.toString(), "#*").exits(1);
        assertThat(run.err().lines()).hasSize(2).allMatch(line -> line.contains("its type is not recorded"));
    }

    @Test
    void show_whereForSomeTypes_namesTheOthers() {
        ToolRun run = show("--where", "side == SELL");
        assertThat(run.out()).isEqualTo("==> trades: Trade[1000] <==\n" + SECOND + LAST_BUT_ONE);
        assertThat(run.err())
                .isEqualTo("arena: prices: left out: column 1: no field 'side'; the struct has value\n");
        ToolRun none = show("--where", "sied == SELL").exits(2);
        assertThat(none.out()).isEmpty();
        assertThat(none.err())
                .contains("Invalid value for option '--where': column 1: no field 'sied' (did you mean side?)");
    }

    @Test
    void show_whereInATruncatedFile_printsWhatIsLeft() throws IOException {
        TestImage.truncate(base.resolveSibling("memory-0"), 70);
        ToolRun run = show("trades", "--where", "id != 0").exits(1);
        assertThat(run.out()).isEqualTo(FIRST + SECOND);
        assertThat(run.err()).contains("is truncated: 70 of 32000 bytes are left");
    }

    @Test
    void export_nameOfStructs_isRefused() {
        assertThat(ToolRun.of("export", base.toString(), "trades[1]", "--bytes").exits(1).err())
                .contains("trades[1] names structs: arena show and arena find accept them");
    }

    @Test
    void hexdump_glob_printsTheAllocations() {
        assertThat(ToolRun.of("hexdump", "--in", base.toString(), "trad*", "-n", "16").exits(0).out())
                .startsWith("00000000  01 00 00 00 00 00 00 10");
    }
}
