package dev.arenakit.tool.show;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ShowCommandTest extends InSharedMemory {
    private static final String TRADES = """
            [0] Trade { id = 1152921504606846977, side = BUY, price = 9.5, symbol = "ARNA" }
            [1] Trade { id = -1, side = SELL, price = NaN, symbol = "a\\"\\u001b[31m" }
            [2] Trade { id = 2, side = 7, price = 1.0E300, symbol = "\\u202eabc" }
            [3..997] zeros
            [998] Trade { id = 3, side = SELL, price = -Infinity, symbol = "12345678" }
            [999] Trade { id = 4, side = BUY, price = 0.1, symbol = "" }
            """;

    @Test
    void show_name_printsItsStructs() throws IOException, InterruptedException {
        TestImage.killed(base);
        assertThat(show("trades").succeeds().out()).isEqualTo(TRADES);
    }

    @Test
    void show_noName_printsAllThatIsLiveAndHasATypeUnderHeadings() {
        TestImage.chunked(base);
        assertThat(show().exits(0).out()).isEqualTo("==> trades: Trade[1000] <==\n" + TRADES + """

                ==> prices: double[1048576] <==
                [0..524287] zeros
                [524288] 2.5
                [524289..1048575] zeros
                """);
    }

    @Test
    void show_severalNames_haveHeadingsAndAMissingOneIsReported() {
        TestImage.closed(base);
        ToolRun run = show("prices", "nothing", "trades", "--limit", "1").exits(1);
        assertThat(run.out()).isEqualTo("""
                ==> prices: double[1048576] <==
                [0] 0.0
                (left out: 1048575 of 1048576 structs)

                ==> trades: Trade[1000] <==
                [0] Trade { id = 1152921504606846977, side = BUY, price = 9.5, symbol = "ARNA" }
                (left out: 999 of 1000 structs)
                """);
        assertThat(run.err())
                .isEqualTo("arena: " + base + ": no allocation named nothing (try arena ls)\n");
    }

    @Test
    void show_bytes_areInFrontOfEachField() {
        TestImage.closed(base);
        assertThat(show("trades", "-x", "--limit", "1").out()).isEqualTo("""
                00000000                             [0] Trade {
                00000000  01 00 00 00 00 00 00 10        id = 1152921504606846977,
                00000008  00                             side = BUY,
                00000010  00 00 00 00 00 00 23 40        price = 9.5,
                00000018  41 52 4e 41 00 00 00 00        symbol = "ARNA"
                00000020                             }
                (left out: 999 of 1000 structs)
                """);
    }

    @Test
    void show_json_isAnObjectALineInAscii() {
        TestImage.closed(base);
        assertThat(show("trades", "--json").succeeds().out()).isEqualTo("""
                {"allocation":"trades","index":0,"value":{"id":1152921504606846977,"side":"BUY","price":9.5,"symbol":"ARNA"}}
                {"allocation":"trades","index":1,"value":{"id":-1,"side":"SELL","price":"NaN","symbol":"a\\"\\u001B[31m"}}
                {"allocation":"trades","index":2,"value":{"id":2,"side":7,"price":1.0E300,"symbol":"\\u202Eabc"}}
                {"allocation":"trades","index":3,"zeros":995}
                {"allocation":"trades","index":998,"value":{"id":3,"side":"SELL","price":"-Infinity","symbol":"12345678"}}
                {"allocation":"trades","index":999,"value":{"id":4,"side":"BUY","price":0.1,"symbol":""}}
                """);
    }

    @Test
    void show_jsonOfEveryKindOfValue_isWhatTheDocumentationSays() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names()
                    .allocate("k\u00e4se", LayoutText.parse("""
                    #pragma layout 2
                    struct S {
                        bool flag;
                        uint16_t @char unit;
                        float ratio;
                        void *next;
                        int32_t grid[2][2];
                        struct { int8_t x; } point;
                        union { int8_t a; int16_t b; } either;
                        char16_t wide[3];
                    };
                    """), 1)
                    .copyFrom(java.lang.foreign.MemorySegment.ofArray(
                            new byte[]{1, 0, 0, (byte) 0xd8, 0, 0, (byte) 0xc0, 0x3f, -1, 0, 0, 0, 0, 0, 0, (byte) 0x80,
                                    1, 0,
                                    0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 6, 0, 0x7f, 0, (byte) 0xac, 0x20, 0,
                                    0}));
        }
        assertThat(show("k\u00e4se", "--json").out()).isEqualTo("{\"allocation\":\"k\\u00E4se\",\"index\":0,\"value\":{"
                + "\"flag\":true,\"unit\":\"\\uD800\",\"ratio\":1.5,\"next\":\"0x80000000000000ff\",\"grid\":[[1,2],[3,4]],"
                + "\"point\":{\"x\":5},\"either\":{\"a\":6,\"b\":6},\"wide\":\"\\u007F\\u20AC\"}}\n");
    }

    @Test
    void show_jsonOfAll_namesEachAllocation() {
        TestImage.closed(base);
        assertThat(show("--json", "--limit", "0").out()).isEqualTo("");
        assertThat(show("--json").out().lines().map(line -> line.replaceAll(",.*", "")).distinct())
                .containsExactly("{\"allocation\":\"trades\"", "{\"allocation\":\"prices\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct P { int32_t x; int32_t y; };
            #pragma layout 2 !struct P { int32_t x; int32_t y; };
            """)
    void show_type_replacesAMissingOne(String text) throws IOException {
        TestImage.closed(base);
        String type = text.replace('!', '\n');
        Path file = Files.writeString(base.resolveSibling("type"), type);
        String expected = """
                [0] P { x = 0, y = 1 }
                [1] P { x = 4, y = 9 }
                (left out: 131070 of 131072 structs)
                """;
        assertThat(show(TestImage.label(base, 3), "--limit=2", "--type", type).out()).isEqualTo(expected);
        assertThat(show(TestImage.label(base, 3), "--limit=2", "--type", "@" + file).out()).isEqualTo(expected);
        // A byte order mark, which some editors write.
        Files.writeString(file, "\ufeff" + type);
        assertThat(show(TestImage.label(base, 3), "--limit=2", "--type", "@" + file).out()).isEqualTo(expected);
    }

    @Test
    void show_typeThatIsNotInUtf8_isRefused() throws IOException {
        Path file = Files.write(base.resolveSibling("type"), new byte[]{'i', (byte) 0xe9});
        assertThat(show("trades", "--type", "@" + file).err()).contains(file + ": not in UTF-8: convert it with iconv");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            int32_t       | [0] 0 [1] 1 [2] 4 (left out: 262141 of 262144 structs)
            uint8_t;      | [0..2] zeros (left out: 1048573 of 1048576 structs)
            uint16_t @big | [0..1] zeros [2] 256 (left out: 524285 of 524288 structs)
            int32_t[3]    | [0] [0, 1, 4] [1] [9, 16, 25] [2] [36, 49, 64] (left out: 87379 of 87382 structs)
            char[5]       | [0] "" [1] "" [2] "" (left out: 209713 of 209716 structs)
            """)
    void show_plainType_printsValues(String type, String expected) throws IOException {
        TestImage.closed(base);
        ToolRun run = show(TestImage.label(base, 3), "--limit=3", "--type", type);
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replace('\n', ' ').strip()).isEqualTo(expected);
    }

    @Test
    void show_unsigned_hasNoSign() {
        TestImage.closed(base);
        assertThat(
                show("trades", "--limit=2", "--type", "struct { uint64_t id; uint8_t side; uint8_t rest[23]; };").out())
                .contains("[1] { id = 18446744073709551615, side = 1, rest = ");
        assertThat(show("trades", "prices", "--limit=1", "--type", "uint64_t[2]").out())
                .startsWith("==> trades: uint64_t[2000][2] <==\n[0] [1152921504606846977, 0]\n");
    }

    @Test
    void show_pretty_isAFieldALine() {
        TestImage.closed(base);
        assertThat(show("trades", "--pretty", "--limit=1").out()).isEqualTo("""
                [0] Trade {
                    id = 1152921504606846977,
                    side = BUY,
                    price = 9.5,
                    symbol = "ARNA"
                }
                (left out: 999 of 1000 structs)
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct { int32 x; };   | line 1, column 10: expected a type
            int32                  | line 1, column 1: expected a type
            int32_t[x]             | line 1, column
            @/no/such/file         | /no/such/file: No such file or directory
            ''                     | line 1, column 1: expected
            """)
    void show_badType_isBadUsageInOneLine(String type, String message) {
        TestImage.closed(base);
        ToolRun run = show("trades", "--type", type).exits(2);
        assertThat(run.err()).hasLineCount(1).contains("Invalid value for option '--type': " + message);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"--limit=-1,is negative", "--limit=x,is not a number", "-x --json,exclude each other",
            "--pretty --json,exclude each other"})
    void show_badOptions_areBadUsageInOneLine(String options, String message) {
        TestImage.closed(base);
        assertThat(show(options.split(" ")).exits(2).err()).hasLineCount(1).contains(message, "see arena show --help");
    }

    @Test
    void show_allocationWithoutAType_saysHowToTellIt() throws IOException {
        TestImage.closed(base);
        String label = TestImage.label(base, 3);
        assertThat(show(label).exits(1).err())
                .isEqualTo(
                        "arena: " + label
                                + ": its type is not recorded: give the type with --type, or use arena hexdump --in\n");
    }

    @Test
    void show_nothingWithAType_isAProblem() {
        using(InfiniteArena.ofShared(base), arena -> arena.allocate(8));
        assertThat(show().exits(1).err()).hasLineCount(1).contains("no allocation has a type");
    }

    @Test
    void show_truncatedFile_printsWhatIsLeftAndReportsTheRest() throws IOException {
        TestImage.closed(base);
        TestImage.truncate(base.resolveSibling("memory-0"), 40);
        ToolRun run = show("trades").exits(1);
        assertThat(run.out()).isEqualTo("""
                [0] Trade { id = 1152921504606846977, side = BUY, price = 9.5, symbol = "ARNA" }
                [1] Trade { id = -1, side = <cut off>, price = <cut off>, symbol = ""<cut off> }
                """);
        assertThat(run.err())
                .isEqualTo("arena: trades: file " + base + "-0 is truncated: 40 of 32000 bytes are left\n");
    }

    @Test
    void show_chunkTruncatedBetweenSmallAllocations_printsThoseBeforeAndReportsThoseBehind() throws IOException {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct Id { int64_t id; };");
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            for (int i = 0; i < 3; i++) {
                arena.names().allocate("id" + i, type, 1).set(ValueLayout.JAVA_LONG, 0, 7 + i);
            }
        }
        TestImage.truncate(base.resolveSibling("memory-0"), 12);
        ToolRun run = show().exits(1);
        assertThat(run.out()).contains("[0] Id { id = 7 }")
                .contains("[0] Id { id = <cut off> }")
                .doesNotContain("id = 8", "id = 9");
        String truncated = ": file " + base + "-0 is truncated: ";
        assertThat(run.err().lines()).containsExactly("arena: id1" + truncated + "4 of 8 bytes are left",
                "arena: id2" + truncated + "0 of 8 bytes are left");
    }

    @Test
    void show_missingFile_isReportedAndTheOthersPrinted() throws IOException {
        TestImage.closed(base);
        Files.delete(base.resolveSibling("memory-0"));
        ToolRun run = show().exits(1);
        assertThat(run.err()).isEqualTo("arena: trades: No such file or directory\n");
        assertThat(run.out()).contains("[524288] 2.5");
    }

    @Test
    void show_noCatalog_saysWhatHelps() throws IOException {
        Files.writeString(base.resolveSibling("memory-0"), "x");
        assertThat(show().err()).isEqualTo(
                "arena: " + base + ": no catalog, only data files: ls -ls lists them, arena hexdump prints one\n");
        assertThat(ToolRun.of("show", base + "x").err()).isEqualTo("arena: " + base + "x: no such image\n");
    }

    @Test
    void show_unknownNames_suggestsSimilarOnes() {
        TestImage.closed(base);
        assertThat(show("tardes", "trade[1]", "old", "x*").err()).isEqualTo("""
                arena: BASE: no allocation named tardes (did you mean trades?)
                arena: BASE: no allocation named trade[1] (did you mean trades?)
                arena: BASE: no allocation named old (try arena ls)
                arena: BASE: no allocation matches x* (try arena ls)
                """.replace("BASE", base.toString()));
        assertThat(ToolRun.of("show", base + "x").err())
                .isEqualTo("arena: " + base + "x: no such image (did you mean " + base.getFileName() + "?)\n");
    }

    private ToolRun show(String... args) {
        return onBase("show", args);
    }
}
