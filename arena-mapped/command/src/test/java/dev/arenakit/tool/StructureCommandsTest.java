package dev.arenakit.tool;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// What the commands do with structures.
class StructureCommandsTest {
    private static final String TREES = """
            ==> names: ImageTree[3 entries] <==
            [0] ImageTree { key = "name 0", value = Order { symbol = "ARNA0", quantity = 0 } }
            [1] ImageTree { key = "name 1", value = Order { symbol = "ARNA1", quantity = 10 } }
            [2] ImageTree { key = "name 2", value = Order { symbol = "ARNA2", quantity = 20 } }

            ==> times: ImageTree[3 entries] <==
            [0] ImageTree { key = 0, value = 0 }
            [1] ImageTree { key = 100, value = -1 }
            [2] ImageTree { key = 200, value = -2 }
            """;

    private final Path base;
    private final Path other;

    StructureCommandsTest(@TempDir(factory = SharedMemory.class) Path directory) {
        base = directory.resolve("memory");
        other = directory.resolve("other");
    }

    @Test
    void ls_structures_haveKindAndNumberOfEntries() {
        TestStructures.closed(base);
        assertThat(TestStructures.types(ToolRun.of("ls", base.toString()))).containsExactly(
                "stock|ImageLongMap[2 entries]", "names|ImageTree[3 entries]", "times|ImageTree[3 entries]",
                "empty|ImageLongMap[0 entries]", "trades|Trade[2]");
        assertThat(ToolRun.of("ls", base.toString(), "--json").exits(0).out())
                .contains("\"typeName\":\"ImageTree\",\"count\":3,");
    }

    @Test
    @Tag("full")
    void show_ownerKilled_printsAllEntries() throws IOException, InterruptedException {
        TestStructures.killed(base);
        assertThat(ToolRun.of("show", base.toString(), "names", "times").out()).isEqualTo(TREES);
        ToolRun run = ToolRun.of("show", base.toString(), "stock", "empty").exits(0);
        assertThat(TestStructures.sorted(run.out())).containsExactly("", "==> empty: ImageLongMap[0 entries] <==",
                "==> stock: ImageLongMap[2 entries] <==",
                "ImageLongMap { key = 4711, value = 7 }", "ImageLongMap { key = 4712, value = 0 }");
    }

    @Test
    void show_ownerRunning_printsAllEntries() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            TestStructures.fill(arena);
            assertThat(ToolRun.of("show", base.toString(), "names", "times").out()).isEqualTo(TREES);
            assertThat(TestStructures.withoutSizes(ToolRun.of("verify", base.toString())))
                    .isEqualTo(base + ": no problem in 5 allocations, 4 structures with 8 entries; open\n");
        }
    }

    @Test
    void show_options_selectEntries() {
        TestStructures.closed(base);
        assertThat(ToolRun.of("show", base.toString(), "times", "--skip", "1", "--limit", "1").out()).isEqualTo("""
                [1] ImageTree { key = 100, value = -1 }
                (left out: 1 of 3 entries)
                """);
        assertThat(ToolRun.of("show", base.toString(), "times[2]", "--json").out()).isEqualTo("""
                {"allocation":"times","index":2,"value":{"key":200,"value":-2}}
                """);
        assertThat(ToolRun.of("show", base.toString(), "names", "--where", "value.quantity == 10").out()).isEqualTo("""
                [1] ImageTree { key = "name 1", value = Order { symbol = "ARNA1", quantity = 10 } }
                """);
        assertThat(ToolRun.of("show", base.toString(), "times[3]").exits(1).err())
                .isEqualTo("arena: times: there is no [3]: it has 3 entries\n");
    }

    @Test
    void show_givenType_isForTheBytes() {
        TestStructures.closed(base);
        assertThat(ToolRun.of("show", base.toString(), "stock[1]", "--type", "int32_t[2]").out())
                .isEqualTo("[1] [1, 2]\n");
    }

    @Test
    void find_where_findsEntriesThatAreZero() {
        TestStructures.closed(base);
        assertThat(ToolRun.of("find", base.toString(), "times", "--where", "value <= 0").out())
                .isEqualTo("times[0]\ntimes[1]\ntimes[2]\n");
        assertThat(ToolRun.of("find", base.toString(), "--where", "value == 7").out()).matches("stock\\[[01]]\n");
        assertThat(ToolRun.of("find", base.toString(), "names", "--where", "value.symbol ~ '2$'").out())
                .isEqualTo("names[2]\n");
    }

    @Test
    void find_bytes_areAtOffsetsOfTheMemory() {
        TestStructures.closed(base);
        ToolRun run = ToolRun.of("find", base.toString(), "names", "--text", "name 2", "--limit", "1");
        assertThat(run.out()).matches("names\\+0x[0-9a-f]+\n");
    }

    @Test
    void export_csvAndJson_areEntries() {
        TestStructures.closed(base);
        assertThat(ToolRun.of("export", base.toString(), "names", "--csv").out()).isEqualTo("""
                index,key,value.symbol,value.quantity
                0,name 0,ARNA0,0
                1,name 1,ARNA1,10
                2,name 2,ARNA2,20
                """);
        assertThat(ToolRun.of("export", base.toString(), "times", "--json").out()).endsWith("""
                {"allocation":"times","index":0,"value":{"key":0,"value":0}}
                {"allocation":"times","index":1,"value":{"key":100,"value":-1}}
                {"allocation":"times","index":2,"value":{"key":200,"value":-2}}
                """);
        assertThat(ToolRun.of("export", base.toString(), "times", "--c-header").out())
                .contains("/* times: bytes in memory-2 at 0x0, ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ImageLongMap", "ImageTree"})
    void import_exportedEntries_areTheStructureAgain(String kind) throws IOException {
        TestStructures.closed(base);
        String name = kind.equals("ImageTree") ? "times" : "stock";
        String type = "struct " + kind + " { int64_t key; int64_t value; };";
        byte[] exported = ToolRun.of("export", base.toString(), name, "--csv").out().getBytes(UTF_8);
        ToolRun run = ToolRun.withInput(exported, "import", other.toString(), "--type", type, name, "-");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).matches(".*: " + name + ": imported [23] entries of (32|48) B\n");
        assertThat(ToolRun.of("diff", base.toString(), other.toString()).out()).endsWith(" 0 added, 1 the same\n");
        try (InfiniteArena arena = InfiniteArena.builder(other).reopen()) {
            assertThat(kind.equals("ImageTree") ? arena.longTree(name).get(200, 0) : arena.longMap(name).get(4711, 0))
                    .isEqualTo(kind.equals("ImageTree") ? -2 : 7);
        }
    }

    @Test
    void import_keyTwiceOrRecords_isRefused() {
        byte[] twice = "key,value\n1,2\n1,3\n".getBytes(UTF_8);
        ToolRun run = ToolRun.withInput(twice, "import", other.toString(), "--type",
                "struct ImageLongMap { int64_t key; int64_t value; };", "map", "-");
        assertThat(run.err()).isEqualTo("arena: standard input: line 3: key 1 is used twice\n");
        assertThat(run.exitCode()).isEqualTo(1);
        ToolRun records = ToolRun.withInput(twice, "import", other.toString(), "--type",
                "struct ImageMap { int64_t key; int64_t value; };", "map", "-");
        assertThat(records.err()).isEqualTo("arena: " + other + ": entries of this ImageMap cannot be imported: its"
                + " program puts them. Import them as structs by another name in --type\n");
        assertThat(other.resolveSibling("other.catalog")).doesNotExist();
    }

    @Test
    void commands_structureOfAKindThatIsNotRead_sayItsName() {
        StructType type = StructType.of(MemoryLayout.structLayout(JAVA_LONG.withName("key"),
                JAVA_LONG.withName("value")).withName("ImageMap"));
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            TestStructures.fill(arena);
            arena.growable("orders", type, 1_000).grow(4096);
        }
        String message = "This build does not read structures of this kind: name=orders, kind=ImageMap; read it with"
                + " the build that has written it\n";
        ToolRun shown = ToolRun.of("show", base.toString(), "orders", "times[2]").exits(1);
        assertThat(shown.err()).isEqualTo("arena: orders: " + message);
        assertThat(shown.out()).endsWith("[2] ImageTree { key = 200, value = -2 }\n");
        ToolRun verified = ToolRun.of("verify", base.toString()).exits(3);
        assertThat(verified.err()).isEqualTo("arena: " + base + ": orders: " + message);
        assertThat(verified.out()).contains("6 allocations", "4 structures with 8 entries");
        assertThat(TestStructures.types(ToolRun.of("ls", base.toString()))).contains("orders|ImageMap[?]");
        ToolRun.of("copy", base.toString(), other.toString()).exits(0);
        assertThat(ToolRun.of("hexdump", "--in", other.toString(), "orders", "-n", "16").exitCode()).isZero();
    }

    @Test
    void diff_structures_areComparedByKey() {
        TestStructures.closed(base);
        try (InfiniteArena arena = InfiniteArena.ofShared(other)) {
            TestStructures.fill(arena);
            var stock = arena.longMap("stock");
            for (int i = 0; i < 1000; i++) {
                stock.put(i, 1);
            }
            for (int i = 1; i < 1000; i++) {
                stock.remove(i);
            }
            stock.remove(4711);
            var names = arena.tree("names", String.class, TestStructures.Order.class);
            names.put("name 1", new TestStructures.Order("NEW", 10));
            names.remove("name 0");
        }
        ToolRun run = ToolRun.of("diff", base.toString(), other.toString()).exits(1);
        assertThat(TestStructures.withoutSizes(run)).isEqualTo("""
                ! stock: ImageLongMap[2 entries]
                    - [key=4711]: ImageLongMap { key = 4711, value = 7 }
                    + [key=0]: ImageLongMap { key = 0, value = 1 }
                ! names: ImageTree[3 entries]
                    - [key="name 0"]: ImageTree { key = "name 0", value = Order { symbol = "ARNA0", quantity = 0 } }
                    [key="name 1"].value.symbol: "ARNA1" -> "NEW"
                2 changed, 0 gone, 0 added, 3 the same
                """);
        assertThat(run.err()).isEmpty();
        assertThat(ToolRun.of("diff", base.toString(), base.toString()).out())
                .isEqualTo("no difference in 5 allocations\n");
    }

    @Test
    void hexdump_structure_isBytes() {
        TestStructures.closed(base);
        assertThat(ToolRun.of("hexdump", "--in", base.toString(), "stock", "-n", "16").exits(0).out())
                .startsWith("00000000  89 53 54 52 43 54 0d 0a  01 00 00 00 02 00 00 00  |.STRCT..........|");
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "repair"})
    @Tag("full")
    void copies_structures_staySound(String command) throws IOException, InterruptedException {
        TestStructures.killed(base);
        command.equals("copy")
                ? ToolRun.of("copy", base.toString(), other.toString())
                : ToolRun.of("repair", base.toString(), "--to", other.toString()).exits(0);
        assertThat(ToolRun.of("diff", base.toString(), other.toString()).out())
                .isEqualTo("no difference in 5 allocations\n");
        assertThat(ToolRun.of("verify", other.toString()).exitCode()).isZero();
        try (InfiniteArena arena = InfiniteArena.builder(other).reopen()) {
            var stock = arena.longMap("stock");
            for (int i = 0; i < 100_000; i++) {
                stock.put(i, i);
            }
            assertThat(stock.get(4711, 0)).isEqualTo(4711);
            assertThat(stock.size()).isEqualTo(100_000);
            var names = arena.tree("names", String.class, TestStructures.Order.class);
            names.put("name 3", new TestStructures.Order("ARNA3", 30));
            assertThat(names.size()).isEqualTo(4);
        }
        assertThat(ToolRun.of("verify", other.toString()).out()).contains("4 structures with 100,007 entries");
    }

    @Test
    void seal_structures_areComparedUntilTheyChange() {
        TestStructures.closed(base);
        assertThat(ToolRun.of("seal", base.toString()).exitCode()).isZero();
        assertThat(ToolRun.of("verify", "--data", base.toString()).exitCode()).isZero();
        assertThat(ToolRun.of("show", base.toString(), "names", "times").out()).isEqualTo(TREES);
    }

    @Test
    void page_structure_isBytes() throws IOException {
        TestStructures.closed(base);
        Path page = other.resolveSibling("page.html");
        assertThat(ToolRun.of("export", base.toString(), "--html", "-o", page.toString()).exitCode()).isZero();
        assertThat(Files.readString(page)).doesNotContain("ImageLongMap");
    }

    @Test
    @Tag("full")
    void structure_withManyEntries_isPrintedOneAfterAnother() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            var map = arena.longMap("map");
            for (int i = 0; i < 100_000; i++) {
                map.put(i, ~i);
            }
        }
        ToolRun run = ToolRun.of("show", base.toString(), "--json");
        List<Long> keys = run.out()
                .lines()
                .map(line -> Long.parseLong(line.replaceAll(".*\"key\":(\\d+),.*", "$1")))
                .sorted()
                .toList();
        assertThat(keys).hasSize(100_000);
        assertThat(keys.getFirst()).isZero();
        assertThat(keys.getLast()).isEqualTo(99_999);
        assertThat(ToolRun.of("find", base.toString(), "--where", "key < 50", "--count").out()).isEqualTo("50\n");
    }
}
