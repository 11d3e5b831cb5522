package dev.arenakit.tool.diff;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.FormatsImage;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

class DiffCommandTest {
    private static final int COULD_NOT_READ = 3;
    private static final StructType EVERYTHING = LayoutText.parse("""
            #pragma layout 2
            enum Side : int8_t { BUY = 0, SELL = 1, };
            struct Point { int32_t x; int32_t y; };
            struct Thing { int8_t kind; enum Side side; double price; char symbol[8]; struct Point points[2]; };
            """);

    private final Path a;
    private final Path b;

    DiffCommandTest(@TempDir(factory = SharedMemory.class) Path directory) {
        a = directory.resolve("a");
        b = directory.resolve("b");
    }

    @Test
    void diff_sameImage_saysSo() throws IOException {
        TestImage.closed(a);
        TestImage.closed(b);
        ToolRun run = diff();
        assertThat(run).isEqualTo(new ToolRun(0, "no difference in 3 allocations\n", ""));
    }

    @Test
    void diff_where_printsDifferencesOfStructsThatSatisfyItInEither() throws IOException {
        TestImage.closed(a);
        TestImage.closed(b);
        try (InfiniteArena arena = InfiniteArena.builder(b).reopen()) {
            MemorySegment trades = arena.names().find("trades").orElseThrow();
            trades.set(JAVA_DOUBLE, 16, 9.75);
            trades.set(JAVA_BYTE, TestImage.BYTES + 8L, (byte) 0);
            trades.set(JAVA_LONG, 500 * TestImage.BYTES, 7);
            trades.set(JAVA_LONG, 999 * TestImage.BYTES, 5);
            arena.names().allocate("more", TestImage.TRADE, 1);
            arena.names().free("prices");
        }
        assertWhere("symbol == 'ARNA'", "    [0].price: 9.5 -> 9.75\n");
        assertWhere("side == SELL", "    [1].side: SELL -> BUY\n");
        assertWhere("id == 7 || id == 4", "    [500].id: 0 -> 7\n    [999].id: 4 -> 5\n");
        assertThat(diff("--where", "id == 3").exits(0).out()).isEqualTo("no difference in 1 allocation\n");
        assertThat(diff("--where", "idd == 3").exits(2).err()).contains("no field 'idd' (did you mean id?)");
    }

    private static final StructType ROW = LayoutText.parse("""
            #pragma layout 2
            struct Header { int64_t id; };
            struct Row { struct Header header; double price; char symbol[8]; int32_t flags : 3; int32_t list[2]; };
            """);

    /// Stores rows, each with an id and a price, and the id as text.
    private static void rows(Path base, boolean counted, long... idsAndPrices) {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            GrowableSegment rows = arena.names().growable("rows", ROW, 100_000);
            MemorySegment memory = rows.grow(100_000 * ROW.byteSize());
            for (int i = 0; i < idsAndPrices.length; i += 2) {
                long at = (counted ? i / 2 : i * 1_000L) * ROW.byteSize();
                memory.set(JAVA_LONG, at, idsAndPrices[i]);
                memory.set(JAVA_DOUBLE, at + 8, (double) idsAndPrices[i + 1]);
                memory.setString(at + 16, "s" + idsAndPrices[i]);
            }
            if (counted) {
                rows.elementCount(idsAndPrices.length / 2);
            }
        }
    }

    @Test
    void diff_byKey_pairsStructsAtAnyPlace() throws IOException {
        rows(a, true, 1, 10, 2, 20, 0, 0, 3, 30);
        rows(b, true, 4, 40, 3, 30, 2, 21, 0, 0);
        for (String key : List.of("header.id", "symbol")) {
            ToolRun run = diff("--key", key).exits(1);
            assertThat(run.err()).isEmpty();
            String quote = key.equals("symbol") ? "\"" : "";
            String text = key.equals("symbol") ? "s" : "";
            assertThat(run.out().lines().map(line -> line.replaceAll("\\{.*", "..."))).containsExactly(
                    "! rows: Row[100000], 3.8 MiB",
                    "    - [" + key + "=" + quote + text + 1 + quote + "]: Row ...",
                    "    [" + key + "=" + quote + text + 2 + quote + "].price: 20.0 -> 21.0",
                    "    + [" + key + "=" + quote + text + 4 + quote + "]: Row ...",
                    "1 changed, 0 gone, 0 added, 0 the same");
        }
        assertThat(diff("--key", "symbol", "--where", "header.id == 2").out())
                .isEqualTo("""
                        ! rows: Row[100000], 3.8 MiB
                            [symbol="s2"].price: 20.0 -> 21.0
                        1 changed, 0 gone, 0 added, 0 the same
                        """);
        assertThat(diff("--key", "header.id", "--json").out())
                .contains("{\"kind\":\"goneStruct\",\"allocation\":\"rows\",\"key\":\"[header.id=1]\",\"index\":0")
                .contains("\"field\":\"[header.id=2].price\"")
                .contains("{\"kind\":\"addedStruct\",\"allocation\":\"rows\",\"key\":\"[header.id=4]\",\"index\":0");
        assertThat(diff("--key", "header.id", "--limit", "1").out()).contains("(2 more differences)");
    }

    @Test
    void diff_byKeyWithoutCounts_leavesOutZeros() throws IOException {
        rows(a, false, 1, 10, 2, 20);
        rows(b, false, 2, 20, 7, 70, 1, 10);
        removeCount(a);
        removeCount(b);
        ToolRun run = diff("--key", "header.id");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("    + [header.id=7]: Row {")
                .endsWith("1 changed, 0 gone, 0 added, 0 the same\n");
        assertThat(run.out().lines()).hasSize(3);
    }

    /// Damages the number of structs in a catalog.
    private static void removeCount(Path base) throws IOException {
        long line;
        try (ArenaImage image = ArenaImage.open(base)) {
            line = image.find("rows").orElseThrow().number() * 8 - 64;
        }
        try (FileChannel catalog = FileChannel.open(ImageFiles.catalog(base), StandardOpenOption.WRITE)) {
            catalog.write(java.nio.ByteBuffer.allocate(16), line + 16);
        }
    }

    @Test
    void diff_keyUsedTwice_isReported() throws IOException {
        rows(a, true, 1, 10, 1, 11, 1, 12, 2, 20);
        rows(b, true, 2, 20, 1, 10, 2, 22);
        ToolRun run = diff("--key", "header.id").exits(COULD_NOT_READ);
        assertThat(run.err()).isEqualTo("arena: " + b
                + ": rows: key [header.id=2] is used twice, again at [2]; the first"
                + " struct of a key is compared\n"
                + "arena: " + a + ": rows: key [header.id=1] is used twice, again at [1]; the first struct of a key is"
                + " compared\n");
        assertThat(run.out()).isEqualTo("no difference in 1 allocation, as far as they could be read\n");
    }

    @Test
    void diff_wrongKey_isRefused() throws IOException {
        rows(a, true, 1, 10);
        rows(b, true, 1, 11);
        ToolRun unknown = diff("--key", "prise").exits(2);
        assertThat(unknown.err()).contains("Invalid value for option '--key': 'prise' is no field of an allocation in"
                + " the first image (did you mean price?)");
        assertThat(unknown.out()).isEmpty();
        for (String key : List.of("header", "flags", "list")) {
            assertThat(diff("--key", key).err()).contains("cannot be a key");
        }
    }

    private void assertWhere(String predicate, String fields) {
        ToolRun run = diff("--where", predicate).exits(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("! trades: Trade[1000], 31.3 KiB\n" + fields
                + "1 changed, 0 gone, 0 added, 0 the same\n");
    }

    @Test
    void diff_killedAndItsCopy_printsTheFieldThatChanged() throws IOException, InterruptedException {
        TestImage.killed(a);
        try (ArenaImage image = ArenaImage.open(a)) {
            image.copyTo(b);
        }
        try (InfiniteArena arena = InfiniteArena.builder(b).reopen()) {
            MemorySegment trades = arena.names().find("trades").orElseThrow();
            trades.set(JAVA_DOUBLE, 16, 9.75);
            trades.set(JAVA_BYTE, TestImage.BYTES + 8L, (byte) 0);
            trades.asSlice(24, 4).copyFrom(MemorySegment.ofArray(new byte[]{'B', 'E', 27, 'E'}));
            trades.set(JAVA_LONG, 999 * TestImage.BYTES, 5);
        }
        ToolRun run = diff().exits(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("""
                ! trades: Trade[1000], 31.3 KiB
                    [0].price: 9.5 -> 9.75
                    [0].symbol: "ARNA" -> "BE\\u001bE"
                    [1].side: SELL -> BUY
                    [999].id: 4 -> 5
                1 changed, 0 gone, 0 added, 3 the same
                """);
    }

    @Test
    void diff_runningOwner_isComparedAsItIs() {
        TestImage.closed(a);
        try (InfiniteArena arena = InfiniteArena.builder(b).chunked(1 << 26).build()) {
            TestImage.fill(arena);
            assertThat(diff().exitCode()).isZero();
            arena.names().find("prices").orElseThrow().setAtIndex(JAVA_DOUBLE, 7, 1);
            assertThat(diff().out()).contains("! prices: double[1048576], 8 MiB\n    [7].value: 0.0 -> 1.0\n");
        }
    }

    @Test
    void diff_addedGoneAndOthers_areToldInOrder() throws IOException {
        images(arena -> {
            arena.names().allocate("gone", TestImage.TRADE, 10);
            arena.names().allocate("size", TestImage.TRADE, 10).set(JAVA_LONG, 0, 1);
            arena.names().allocate("type", JAVA_LONG, 10);
            arena.names().allocate("freed", JAVA_LONG, 10);
            arena.names().allocate("empty", JAVA_LONG, 0);
        }, arena -> {
            arena.names().allocate("type", JAVA_DOUBLE, 10);
            arena.names().allocate("size", TestImage.TRADE, 11).set(JAVA_LONG, 0, 2);
            arena.names().allocate("freed", JAVA_LONG, 10);
            arena.names().free("freed");
            arena.names().allocate("empty", JAVA_LONG, 0);
            arena.allocate(100, 1);
        });
        ToolRun run = diff().exits(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("""
                - gone: Trade[10], 320 B
                ! size: Trade[10], 320 B
                    size: 320 bytes -> 352 bytes
                    [0].id: 1 -> 2
                ! type: int64_t[10], 80 B
                    type: int64_t[10] -> double[10]
                - freed: int64_t[10], 80 B
                + %s: 100 B
                2 changed, 2 gone, 1 added, 1 the same
                """.formatted(TestImage.label(b, 4)));
        assertThat(diff("--where", "id == 9").exits(1).out()).contains("    size: 320 bytes -> 352 bytes\n");
        assertThat(diff("--where", "id == 9", "--key", "id").exits(0).out()).startsWith("no difference");
    }

    @Test
    void diff_otherOrder_matchesByName() {
        images(arena -> {
            for (int i = 0; i < 100; i++) {
                arena.names().allocate("n" + i, JAVA_INT, 1).set(JAVA_INT, 0, i);
            }
        }, arena -> {
            for (int i = 99; i >= 0; i--) {
                arena.names().allocate("n" + i, JAVA_INT, 1).set(JAVA_INT, 0, i == 42 ? -1 : i);
            }
        });
        assertThat(diff().out()).isEqualTo("""
                ! n42: int32_t, 4 B
                    [0].value: 42 -> -1
                1 changed, 0 gone, 0 added, 99 the same
                """);
    }

    @Test
    @Tag("full")
    void diff_manyAllocations_areInTheOrderOfTheFirst() {
        int count = 20_000;
        for (Path base : List.of(a, b)) {
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
                for (int i = 0; i < count; i++) {
                    int index = base.equals(a) ? i : count - 1 - i;
                    MemorySegment memory = arena.names().allocate("n" + index, JAVA_INT, 1);
                    if (base.equals(b) && index % 1_000 == 0) {
                        memory.set(JAVA_INT, 0, 1);
                    }
                }
            }
        }
        assertThat(diff().out().lines().filter(line -> line.startsWith("!")).toList())
                .isEqualTo(IntStream.range(0, count / 1_000)
                        .mapToObj(i -> "! n" + i * 1_000 + ": int32_t, 4 B")
                        .toList());
    }

    @Test
    void diff_withoutType_printsRangesOfBytes() throws IOException {
        images(arena -> arena.allocate(1 << 20, 1), arena -> {
            MemorySegment memory = arena.allocate(1 << 20, 1);
            memory.asSlice(0x400, 256).fill((byte) 2);
            memory.set(JAVA_BYTE, 0x800, (byte) 1);
            memory.set(JAVA_BYTE, 0x80f, (byte) 3);
            memory.set(JAVA_BYTE, (1 << 20) - 1, (byte) 4);
        });
        assertThat(diff().out()).isEqualTo("""
                ! %s: 1 MiB
                    0x400..0x4ff: 256 bytes, 00 00 00 00 00 00 00 00 ... -> 02 02 02 02 02 02 02 02 ...
                    0x800..0x80f: 16 bytes, 00 00 00 00 00 00 00 00 ... -> 01 00 00 00 00 00 00 00 ...
                    0xfffff: 1 byte, 00 -> 04
                1 changed, 0 gone, 0 added, 0 the same
                """.formatted(TestImage.label(a, 0)));
    }

    @Test
    void diff_moreThanTheLimit_countsTheRest() {
        images(arena -> arena.names().allocate("numbers", JAVA_INT, 100_000), arena -> {
            MemorySegment numbers = arena.names().allocate("numbers", JAVA_INT, 100_000);
            for (int i = 0; i < 100_000; i++) {
                numbers.setAtIndex(JAVA_INT, i, i);
            }
        });
        assertThat(ToolRun.of("diff", a.toString(), b.toString(), "--limit", "2").out()).isEqualTo("""
                ! numbers: int32_t[100000], 390.6 KiB
                    [1].value: 0 -> 1
                    [2].value: 0 -> 2
                    (99,997 more fields)
                1 changed, 0 gone, 0 added, 0 the same
                """);
        assertThat(ToolRun.of("diff", a.toString(), b.toString(), "--limit", "0").out()).contains("(99,999 fields)");
    }

    @Test
    void diff_paddingAndBehindATextsEnd_doNotCount() {
        images(arena -> arena.names().allocate("things", EVERYTHING, 10), arena -> {
            MemorySegment things = arena.names().allocate("things", EVERYTHING, 10);
            things.set(JAVA_BYTE, 3, (byte) 1);
            things.set(JAVA_BYTE, 18, (byte) 'x');
        });
        assertThat(diff().exitCode()).isZero();
    }

    @Test
    void diff_bitFields_areComparedOneByOne() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S { uint8_t a : 2; uint8_t b : 3; uint16_t c : 9; uint32_t @big d : 20; };
                """);
        images(arena -> arena.names().allocate("s", struct, 2).set(JAVA_INT, 0, 0x0000_0005),
                arena -> arena.names().allocate("s", struct, 2).set(JAVA_INT, 0, 0x0001_801e));
        assertThat(diff().out()).contains("""
                    [0].a: 1 -> 2
                    [0].b: 1 -> 7
                """).doesNotContain("[0].c", "[1]");
    }

    @Test
    void diff_formats_areShownByTheirValues() {
        images(FormatsImage::allocate, arena -> {
            MemorySegment packets = FormatsImage.allocate(arena);
            packets.set(JAVA_BYTE, 3, (byte) 2); // the kind: another member of the union is valid
            packets.set(JAVA_BYTE, 55, (byte) 1);
            packets.set(JAVA_BYTE, 52, (byte) 'x'); // behind the text
            packets.set(JAVA_BYTE, 59 + 4, (byte) 0x80); // a port
        });
        String out = diff().out();
        assertThat(out)
                .contains("    [0].header.kind: DATA -> ACK\n",
                        "    [0].body: { data = 4294967295 } -> { ack = { } }\n",
                        "    [1].port: 80 -> 32848\n")
                .doesNotContain(".text");
    }

    @Test
    void diff_nestedFields_areNamed() {
        images(arena -> arena.names().allocate("things", EVERYTHING, 10), arena -> {
            MemorySegment thing = arena.names().allocate("things", EVERYTHING, 10).asSlice(5 * EVERYTHING.byteSize());
            thing.set(JAVA_INT, 24 + 12, -7);
            thing.set(JAVA_BYTE, 0, (byte) 9);
        });
        assertThat(diff().out()).contains("    [5].kind: 0 -> 9\n    [5].points[1].y: 0 -> -7\n");
    }

    @Test
    void diff_numbersThatLookAlike_showTheByte() {
        images(arena -> arena.names().allocate("numbers", JAVA_DOUBLE, 1).set(JAVA_DOUBLE, 0, Double.NaN),
                arena -> arena.names().allocate("numbers", JAVA_DOUBLE, 1).set(JAVA_LONG, 0, 0x7ff8_0000_0000_0005L));
        assertThat(diff().out()).contains("    [0].value: NaN -> NaN (byte 0x0: 00 -> 05)\n");
    }

    @Test
    void diff_hugeSparse_readsOnlyData() {
        images(arena -> sparse(arena, 0), arena -> sparse(arena, 1));
        assertThat(diff().out()).isEqualTo("""
                ! huge: int64_t[137438949376], 1.0 TiB
                    [0].value: 0 -> 1
                    [68500000000].value: 500 -> 501
                1 changed, 0 gone, 0 added, 0 the same
                """);
    }

    private static void sparse(InfiniteArena arena, int change) {
        MemorySegment memory = arena.names().allocate("huge", JAVA_LONG, (1L << 37) - 4096);
        for (int i = 0; i < 1000; i++) {
            memory.setAtIndex(JAVA_LONG, i * 137_000_000L, i + (i % 500 == 0 ? change : 0));
        }
    }

    @Test
    void diff_lostBytes_areToldAndCouldNotBeRead() throws IOException {
        TestImage.closed(a);
        TestImage.closed(b);
        Files.delete(b.resolveSibling("b-0"));
        TestImage.truncate(b.resolveSibling("b-2"), 4096);
        ToolRun run = diff().exits(COULD_NOT_READ);
        assertThat(run.err().lines()).satisfiesExactly(
                missing -> assertThat(missing).isEqualTo("arena: " + b + ": trades: file " + b
                        + "-0: No such file or directory"),
                truncated -> assertThat(truncated).startsWith("arena: " + b + ": prices: file " + b
                        + "-2 is truncated: 4096 of 8388608 bytes are left"));
    }

    @Test
    void diff_damagedCatalog_warnsOfWhatSeemsGone() throws IOException {
        TestImage.closed(a);
        TestImage.closed(b);
        TestImage.damageRecords(b);
        ToolRun run = diff().exits(COULD_NOT_READ);
        assertThat(run.out()).contains("- trades: ");
        assertThat(run.err()).contains(b + ": records of the catalog are damaged, and allocations may be missing");
    }

    @Test
    void diff_noSuchImage_couldNotBeRead() {
        TestImage.closed(a);
        assertThat(diff()).isEqualTo(new ToolRun(COULD_NOT_READ, "", "arena: " + b + ": no such image\n"));
    }

    @Test
    void diff_oneBaseOrANegativeLimit_isBadUsage() {
        assertThat(ToolRun.of("diff", "a").exitCode()).isEqualTo(2);
        assertThat(ToolRun.of("diff", "a", "b", "--limit", "-1").exits(2).err()).hasLineCount(1)
                .contains("'-1' is negative");
    }

    @Test
    void diff_onATerminal_isColouredByKind() {
        images(arena -> arena.names().allocate("gone\u202e", JAVA_INT, 1),
                arena -> arena.names().allocate("added", JAVA_INT, 1));
        assertThat(ToolRun.onTerminal("diff", a.toString(), b.toString()).out()).startsWith(
                "\u001b[31m- gone?: int32_t, 4 B\u001b[0m\n\u001b[32m+ added: int32_t, 4 B\u001b[0m\n");
    }

    private ToolRun diff(String... options) {
        return ToolRun.of(Stream.concat(Stream.of("diff", a.toString(), b.toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    private void images(Consumer<InfiniteArena> one, Consumer<InfiniteArena> two) {
        try (InfiniteArena arena = InfiniteArena.builder(a).chunked().build()) {
            one.accept(arena);
        }
        try (InfiniteArena arena = InfiniteArena.builder(b).chunked().build()) {
            two.accept(arena);
        }
    }
}
