package dev.arenakit.tool.importing;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.GrowableTable;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.FullDisk;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests `arena import`, and `arena export --csv` together with it.
class ImportCommandTest extends InSharedMemory {
    private static final String TRADE = """
            #pragma layout 2
            enum Side : int8_t { BUY = 0, SELL = 1, };
            struct Trade { int64_t id; enum Side side; double price; char symbol[8]; };
            """;

    private ToolRun run(String text, String type) {
        return ToolRun.withInput(text.getBytes(UTF_8), "import", base.toString(), "--type", type, "trades", "-");
    }

    private String show() {
        return ToolRun.of("show", base.toString()).out();
    }

    private String export(Path image, String name) {
        ToolRun run = ToolRun.of("export", image.toString(), name, "--csv").succeeds();
        return run.out();
    }

    @Test
    void exportCsv_ofTrades_hasHeaderIndexesAndStoredRows() {
        TestImage.closed(base);
        String rows = """
                index,id,side,price,symbol
                0,1152921504606846977,BUY,9.5,ARNA
                1,-1,SELL,NaN,"a""\u001b[31m"
                2,2,7,1.0E300,\u202eabc
                998,3,SELL,-Infinity,12345678
                999,4,BUY,0.1,""
                """;
        assertThat(export(base, "trades")).isEqualTo(rows);
        assertThat(ToolRun.of("export", base.toString(), "trades", "--csv", "--runs").out())
                .isEqualTo(rows.replace("998,", "3..997,,,,\n998,"));
        assertThat(ToolRun.of("export", base.toString(), "--c-header", "--runs").err())
                .startsWith("arena: Option '--runs' needs '--csv'");
    }

    @Test
    void exportCsv_ofNestedValues_hasTheirPaths() {
        String type = "struct { struct { int32_t price; char c[4]; } levels[2]; uint8_t flag : 1; uint8_t rest : 7; };";
        assertThat(run("levels[1].price,flag\n7,1\n", type).err()).isEmpty();
        assertThat(export(base, "trades")).isEqualTo("""
                index,levels[0].price,levels[0].c,levels[1].price,levels[1].c,flag,rest
                0,0,"",7,"",1,0
                """);
    }

    /// An empty text must not overwrite the other member of its union.
    @Test
    void import_ofExportedUnions_isTheSame() throws IOException {
        String type = """
                #pragma layout 2
                struct Row {
                    int8_t kind;
                    union @switch(kind) { double price @case(1); char note[8] @case(2); } nul;
                    union @switch(kind) { double price @case(1); char @spaces note[8] @case(2); } spaces;
                    union { double price; char note[8]; } any;
                    char @spaces text[4];
                };
                """;
        assertThat(run("""
                kind,nul.price,nul.note,spaces.price,spaces.note,any.price,text
                1,0.1,,0.3,,7.0,
                2,,ab,,,,cd
                """, type).err()).isEmpty();
        String csv = export(base, "trades");
        assertThat(csv).endsWith("""
                0,1,0.1,,0.3,,7.0,"",""
                1,2,,ab,,"",0.0,"",cd
                """);
        Path copy = directory.resolve("copy");
        assertThat(ToolRun.withInput(csv.getBytes(UTF_8), "import", copy.toString(), "--type", type, "trades", "-")
                .err()).isEmpty();
        assertThat(Files.readAllBytes(directory.resolve("copy-0")))
                .isEqualTo(Files.readAllBytes(directory.resolve("memory-0")));
    }

    @Test
    void exportCsv_notOneTypedAllocation_isRefused() throws IOException {
        TestImage.closed(base);
        assertThat(ToolRun.of("export", base.toString(), "--csv").exitCode()).isEqualTo(2);
        assertThat(ToolRun.of("export", base.toString(), "--csv", "trades", "prices").err())
                .contains("Option '--csv' writes one allocation: give one NAME");
        assertThat(ToolRun.of("export", base.toString(), "--csv", TestImage.label(base, 3)).exits(1).err())
                .contains("its type is not recorded");
    }

    @Test
    void import_ofExportedTrades_isTheSame() throws IOException {
        TestImage.closed(base);
        Path type = Files.writeString(directory.resolve("type"), TRADE);
        Path csv = Files.writeString(directory.resolve("trades.csv"), export(base, "trades"));
        Path json = Files.writeString(directory.resolve("trades.json"),
                ToolRun.of("show", base.toString(), "--json", "trades").out());
        for (Path file : List.of(csv, json)) {
            Path copy = directory.resolve("copy-of-" + file.getFileName());
            assertThat(ToolRun.of("import", copy.toString(), "--type", "@" + type, "trades", file.toString())
                    .succeeds()
                    .out()).isEqualTo(copy + ": trades: imported 1,000 structs of 31.3 KiB\n");
            assertThat(ToolRun.of("show", copy.toString(), "trades").out())
                    .isEqualTo(ToolRun.of("show", base.toString(), "trades").out());
            assertThat(ToolRun.of("verify", copy.toString()).exitCode()).isZero();
        }
    }

    record Event(long id) {}

    /// Rows that are not counted would be overwritten by the next ones.
    @Test
    void import_rows_areRowsOfATable() throws IOException {
        Path copy = directory.resolve("events");
        Path csv = Files.writeString(directory.resolve("events.csv"), "id\n7\n8\n");
        assertThat(ToolRun.of("import", copy.toString(), "--type", "struct Event { int64_t id; };", "events",
                csv.toString()).exitCode()).isZero();
        try (InfiniteArena arena = InfiniteArena.builder(copy).reopen()) {
            GrowableTable<Event> events = arena.structures().table("events", Event.class);
            assertThat(events.append(new Event(9))).isEqualTo(2);
            assertThat(events.stream()).containsExactly(new Event(7), new Event(8), new Event(9));
        }
    }

    @Test
    void import_values_withoutIndexAndWrapper() {
        assertThat(
                run("{\"id\": 5, \"price\": 2.5}\n\n{\"side\":\"SELL\",\"symbol\":\"A\"}\n{\"id\":null}", TRADE).err())
                .isEmpty();
        assertThat(show()).isEqualTo("""
                ==> trades: Trade[3 of 3] <==
                [0] Trade { id = 5, side = BUY, price = 2.5, symbol = "" }
                [1] Trade { id = 0, side = SELL, price = 0.0, symbol = "A" }
                [2] Trade { id = 0, side = BUY, price = 0.0, symbol = "" }
                """);
    }

    /// Java, C, Python and SQL print what is no finite number in different ways.
    @ParameterizedTest
    @ValueSource(strings = {"a,b,c\nnan,inf,-inf", "a,b,c\nNaN,Infinity,-Infinity", "a,b,c\n-nan,+INF,-infinity",
            "\ufeff{\"a\":NaN,\"b\":Infinity,\"c\":-Infinity}", "{\"a\":\"nan\",\"b\":\"inf\",\"c\":\"-inf\"}"})
    void import_ofNumbersThatAreNotFinite_isThem(String rows) {
        assertThat(run(rows + "\n", "struct F { double a; float b; double c; };").err()).isEmpty();
        assertThat(show()).contains("a = NaN, b = Infinity, c = -Infinity");
    }

    @Test
    void import_ofATerabyteOfZeros_isSparse() {
        assertThat(run("index,id\r\n1,7\r\n2..34359738367,\r\n", TRADE).err()).isEmpty();
        assertThat(show()).contains("Trade[34359738368 of 34359738368]").contains("[2..34359738367] zeros");
        assertThat(ToolRun.of("ls", base.toString()).out()).contains("1 TiB    4 KiB");
    }

    /// The first gaps are shorter than a page, and the later gaps are holes.
    @Test
    void import_rowsWithGaps_areWrittenTogether() throws IOException {
        int count = 100_000;
        long hole = 1L << 20;
        StringBuilder rows = new StringBuilder("index,id\n");
        for (int i = 0; i < count; i++) {
            rows.append(3 * i).append(",-1\n");
        }
        for (int i = 1; i <= 3; i++) {
            rows.append(3L * count + hole * i).append(",-1\n");
        }
        long before = writes();
        assertThat(run(rows.toString(), "struct { int64_t id; };").err()).isEmpty();
        assertThat(writes() - before).isLessThan(count / 10);
        Path data = directory.resolve("memory-0");
        try (FileChannel file = FileChannel.open(data)) {
            assertThat(file.size()).isGreaterThanOrEqualTo(8 * (3L * count + 3 * hole));
            ByteBuffer read = ByteBuffer.allocate(8 * 3 * count);
            assertThat(file.read(read)).isEqualTo(read.capacity());
            for (int i = 0; i < 3 * count; i++) {
                assertThat(read.getLong(8 * i)).isEqualTo(i % 3 == 0 ? -1 : 0);
            }
        }
        try (SparseFile sparse = SparseFile.open(data)) {
            assertThat(sparse.storedByteSize().orElseThrow()).isLessThan(8L * 3 * count + (1 << 16));
        }
        assertThat(show()).endsWith("[" + (3L * count + 3 * hole) + "] { id = -1 }\n");
    }

    /// The number of write operations of this process so far.
    private static long writes() throws IOException {
        Path counters = Path.of("/proc/self/io");
        assumeTrue(Files.isReadable(counters), "needs /proc/self/io");
        return Files.readAllLines(counters)
                .stream()
                .filter(line -> line.startsWith("syscw: "))
                .mapToLong(line -> Long.parseLong(line.substring(7)))
                .sum();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            index,id~0,1~1,x              | line 3: field id: 'x' is no integer from -9223372036854775808 to
            id~9223372036854775808        | line 2: field id: '9223372036854775808' is no integer from
            side~HOLD                     | field side: 'HOLD' is no integer from -128 to 127, and no constant
            side~128                      | field side: '128' is no integer
            id,price~1,"two~lines"        | line 2: field price: 'two
            price~1e999                   | field price: '1e999' is no number in the range of the field
            symbol~too long for it        | 'too long for it' is too long: length=15 code units of UTF-8, largest=8
            index,id~2..1,                | field index: '2..1' is a range of zeros: its end is not before its start
            index,id~1..2,3               | field index: '1..2' is a range of zeros: its end
            index,id~-1,1                 | field index: '-1' is no number from 0
            index,id~9223372036854775808,1| field index: '9223372036854775808' is no number from 0
            index,id~1,1~1,2              | line 3: index 1 after 1: rows must be in the order of their indexes
            index,id~9999999999999999,1   | is too large: the allocation can have
            id,side~1                     | line 2: 1 field, but the header has 2
            id,colour~1,2                 | 'colour' is no field of the type, whose fields are id, side, price, symbol
            id,id~1,2                     | two columns have the same name
            id~"1                         | no CSV: Unclosed quoted field at end of input (record starting at line 2)
            id~"1"2~3                     | no CSV: Unexpected character after closing quote: '2'
            {"id":1}~{"id":1,"size":3}    | line 2: 'size' is no field of the type, whose fields are id, side, price, symbol
            {"id":1}~{"id":1              | line 2: no JSON: Unexpected end-of-input
            {"id":1}~7                    | line 2: no object
            [{"id":1}]                    | line 1: no object: write one for each struct, as jq -c '.[]' does
            {"id":[1]}                    | line 1: 'id/0' is no field
            {"id":{}}{"id":1,"id":2}      | no JSON: Duplicate Object property "id"
            {"id":0x1}                    | line 1: no JSON: Unexpected character
            {"symbol":"a\\u0000b"}       | field symbol: 'a?b' has a NUL
            {"index":0,"value":{"id":3},"valeu":{"id":2}} | '/valeu/id' is no property of a struct: write value or zeros
            {"index":1,"zeros":1,"colour":"red"}          | '/colour' is no property of a struct
            {"allocation":"a","index":0}~{"allocation":"b","index":5} | line 2: field /allocation: 'b' follows a
            {"index":9223372036854775807,"zeros":9223372036854775807} | is too large
            """)
    void import_wrongLine_isReportedAndLeavesNothing(String lines, String message) throws IOException {
        ToolRun run = run(lines.replace('~', '\n'), TRADE).exits(1);
        assertThat(run.err()).hasLineCount(1)
                .startsWith("arena: standard input: ")
                .contains(message);
        assertThat(names()).isEmpty();
    }

    @Test
    void import_noInputOrName_isReportedAndLeavesNothing() throws IOException {
        assertThat(run("", TRADE).err()).contains("there is no header");
        ToolRun latin = ToolRun.withInput(new byte[]{'i', 'd', '\n', (byte) 0xe9}, "import", base.toString(), "--type",
                TRADE, "trades", "-");
        assertThat(latin.err()).contains("not in UTF-8");
        assertThat(ToolRun.of("import", base.toString(), "--type", TRADE, "trades", directory + "/none").err())
                .contains("No such file");
        assertThat(
                ToolRun.withInput("id\n".getBytes(UTF_8), "import", base.toString(), "--type", TRADE, "#7", "-").err())
                .hasLineCount(1)
                .startsWith("arena: " + base + ": ")
                .contains("Not a name");
        assertThat(names()).isEmpty();
        assertThat(ToolRun.of("import", base.toString(), "trades", "-").exitCode()).isEqualTo(2);
    }

    @Test
    void import_floatsInDecimalDigits_areTaken() {
        assertThat(run("x\n3.4028235e38\n-Infinity\nNaN\n1E-9\n+1.\n.5\n", "struct { float x; };").err()).isEmpty();
        assertThat(export(base, "trades"))
                .isEqualTo("index,x\n0,3.4028235E38\n1,-Infinity\n2,NaN\n3,1.0E-9\n4,1.0\n5,0.5\n");
    }

    @Test
    void import_linesThatEndWithCarriageReturns_areRows() {
        assertThat(run("id,side\r1,SELL\r\r2,BUY", TRADE).err()).isEmpty();
        assertThat(show()).contains("id = 1, side = SELL", "id = 2, side = BUY").doesNotContain("[2]");
    }

    @Test
    void import_emptyLine_isARowIfTheTableHasOneColumn() {
        assertThat(run("id\n7\n\n9\n", TRADE).out()).contains("imported 3 structs");
        assertThat(show()).contains("[1] Trade { id = 0, ", "[2] Trade { id = 9, ");
    }

    @Test
    void import_rowOfVeryManyFields_isRefused() {
        assertThat(run("id\n" + ",".repeat(10_000_000), TRADE).err()).hasLineCount(1)
                .contains("no CSV: Record starting at line 2 has surpassed the maximum limit of 100001 fields\n");
    }

    @Test
    void import_longIntegersAndFields_areRefusedInOneLine() {
        assertThat(run("{\"id\":" + "1".repeat(2000) + "}", TRADE).err()).hasLineCount(1)
                .endsWith("line 1: no JSON: Number value length\n");
        assertThat(run("id\n" + "1".repeat(1_000_000) + "\n", TRADE).err()).hasLineCount(1)
                .contains("is no integer from -9223372036854775808");
        assertThat(run("symbol\n" + "x".repeat(10_000_000), TRADE).err()).hasLineCount(1)
                .contains("maximum buffer size of 4194304");
    }

    @ParameterizedTest
    @CsvSource({"value,zeros,index", "index,value,live"})
    void import_typeWithFieldsNamedAsThoseOfALine_isTheSame(String first, String second, String third)
            throws IOException {
        String type = "struct { int32_t %s; int32_t %s; int32_t %s; };".formatted(first, second, third);
        assertThat(run("{\"%s\":2,\"%s\":1,\"%s\":3}\n{\"%s\":7}\n".formatted(first, second, third, second), type)
                .err()).isEmpty();
        String csv = export(base, "trades");
        assertThat(csv).endsWith("\n0,2,1,3\n1,0,7,0\n");
        String json = ToolRun.of("show", base.toString(), "trades", "--json").out();
        assertThat(json).contains("\"value\":{");
        Path copy = directory.resolve("copy");
        ToolRun run = ToolRun.withInput(json.getBytes(UTF_8), "import", copy.toString(), "--type", type, "trades", "-");
        assertThat(run.err()).isEmpty();
        assertThat(export(copy, "trades")).isEqualTo(csv);
    }

    @Test
    void import_intoAMissingDirectory_namesTheImage() throws IOException {
        Path csv = Files.writeString(directory.resolve("rows.csv"), "id\n1\n");
        Path missing = directory.resolve("none/memory");
        assertThat(ToolRun.of("import", missing.toString(), "--type", TRADE, "trades", csv.toString()).err())
                .isEqualTo("arena: " + missing + ": No such file or directory\n");
    }

    @Test
    void import_ofAMissingFile_makesNoImage() {
        Path file = directory.resolve("none.csv");
        assertThat(ToolRun.of("import", directory.resolve("none/memory").toString(), "--type", TRADE, "trades",
                file.toString()).exits(1).err()).isEqualTo("arena: " + file + ": No such file or directory\n");
    }

    @Test
    void exportCsv_halfASurrogatePair_isAReplacementCharacter() throws IOException {
        String type = "struct { uint16_t @char c; };";
        assertThat(run("c\nx\n", type).err()).isEmpty();
        Files.write(directory.resolve("memory-0"), new byte[]{0, (byte) 0xd8});
        assertThat(export(base, "trades")).isEqualTo("index,c\n0,\ufffd\n");
    }

    @Test
    @Tag("full")
    void import_toAFullDisk_leavesNothing() throws IOException, InterruptedException {
        Path csv = Files.writeString(directory.resolve("rows.csv"), "id\n" + "7\n".repeat(10_000));
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assertThat(FullDisk.run(disk, "import", disk.resolve("memory").toString(), "--type", TRADE, "trades",
                csv.toString()))
                .matches("arena: \\Q" + csv + "\\E: No space left on device[^\n]*\n1\n");
    }

    @Test
    void import_existingImage_isKept() {
        TestImage.closed(base);
        assertThat(run("id\n1\n", TRADE).exits(1).err()).isEqualTo(
                "arena: " + base + ": the image exists; choose another base, or remove it with arena purge\n");
        assertThat(ToolRun.of("verify", base.toString()).out()).contains("no problem in 4 allocations");
    }

    @Test
    @Tag("full")
    void exportAndImport_ofRandomTypes_isTheSame() throws IOException {
        roundTrips(15);
    }

    @Test
    @Tag("slow")
    void exportAndImport_ofManyRandomTypes_isTheSame() throws IOException {
        roundTrips(2_000);
    }

    private void roundTrips(int count) throws IOException {
        for (int seed = 0; seed < count; seed++) {
            RandomTable table = new RandomTable(new Random(seed));
            StructType type = table.struct(0);
            if (type.byteSize() == 0) {
                continue;
            }
            String text = LayoutText.print(type);
            String name = "image" + seed;
            Path first = directory.resolve(name);
            Path csv = directory.resolve(name + "-csv");
            Path json = directory.resolve(name + "-json");
            imported(first, text, table.csv(type, 20), seed);
            imported(csv, text, ToolRun.of("export", first.toString(), "rows", "--csv", "--runs").out(), seed);
            imported(json, text, ToolRun.of("show", first.toString(), "rows", "--json").out(), seed);
            for (Path other : List.of(csv, json)) {
                ToolRun diff = ToolRun.of("diff", first.toString(), other.toString());
                assertThat(diff.exitCode()).as("seed=" + seed + " " + text + diff.out() + diff.err()).isZero();
            }
            assertThat(ToolRun.of("purge", "--yes", first.toString(), csv.toString(), json.toString()).exitCode())
                    .isZero();
        }
    }

    private static void imported(Path base, String type, String input, int seed) {
        ToolRun run = ToolRun.withInput(input.getBytes(UTF_8), "import", base.toString(), "--type", type, "rows", "-");
        assertThat(run.exitCode()).as("seed=" + seed + " " + type + input + run.err()).isZero();
    }
}
