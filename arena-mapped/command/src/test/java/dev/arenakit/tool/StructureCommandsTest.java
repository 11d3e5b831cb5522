package dev.arenakit.tool;

import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemoryLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// What the commands do with structures, also with structures that are damaged, or were open when the machine failed.
class StructureCommandsTest extends InSharedMemory {
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
    private static final int MUTATIONS = 300;

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
    void show_ownerRunning_printsAllEntries() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            TestStructures.fill(arena);
            assertThat(ToolRun.of("show", base.toString(), "names", "times").out()).isEqualTo(TREES);
            ToolRun run = ToolRun.of("show", base.toString(), "stock", "empty").exits(0);
            assertThat(TestStructures.sorted(run.out())).containsExactly("", "==> empty: ImageLongMap[0 entries] <==",
                    "==> stock: ImageLongMap[2 entries] <==", "ImageLongMap { key = 4711, value = 7 }",
                    "ImageLongMap { key = 4712, value = 0 }");
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
    void export_csv_isEntries() {
        TestStructures.closed(base);
        assertThat(ToolRun.of("export", base.toString(), "names", "--csv").out()).isEqualTo("""
                index,key,value.symbol,value.quantity
                0,name 0,ARNA0,0
                1,name 1,ARNA1,10
                2,name 2,ARNA2,20
                """);
        assertThat(ToolRun.of("export", base.toString(), "times", "--c-header").out())
                .contains("/* times: bytes in memory-2 at 0x0, ");
    }

    @Test
    void import_tableOfColumns_isRefused() {
        ToolRun run = ToolRun.withInput("id\n1\n".getBytes(UTF_8), "import", other.toString(), "--type",
                "struct ColumnTable { struct Row { int64_t id; } row; };", "table", "-");
        assertThat(run.err()).contains("entries of this ColumnTable cannot be imported");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ImageLongMap", "ImageMap", "ImageTree"})
    void import_entries_areRefused(String kind) {
        ToolRun run = ToolRun.withInput("key,value\n1,2\n".getBytes(UTF_8), "import", other.toString(), "--type",
                "struct " + kind + " { int64_t key; int64_t value; };", "map", "-");
        assertThat(run.err()).isEqualTo("arena: " + other + ": entries of this " + kind + " cannot be imported: its"
                + " program puts them. Import them as structs by another name in --type\n");
        assertThat(other.resolveSibling("other.catalog")).doesNotExist();
    }

    private static void columns(Path base, int count, double change) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            ColumnTable<Quote> quotes = arena.structures().columns("quotes", ColumnMapper.of(Quote.class), count);
            for (int i = 0; i < count; i++) {
                quotes.append(new Quote(i, "ARNA" + i % 1_000, i == 1 ? i + change : i / 2.0));
            }
        }
    }

    record Quote(long id, @Length(8) String symbol, double price) {}

    @Test
    void commands_tableOfColumns_readItsRows() {
        columns(base, 3, 0);
        columns(other, 4, 0.25);
        assertThat(TestStructures.types(ToolRun.of("ls", base.toString()))).containsExactly(
                "quotes|ColumnTable[3 entries]");
        assertThat(ToolRun.of("show", base.toString(), "quotes").exits(0).out()).isEqualTo("""
                [0] Quote { id = 0, symbol = "ARNA0", price = 0.0 }
                [1] Quote { id = 1, symbol = "ARNA1", price = 1.0 }
                [2] Quote { id = 2, symbol = "ARNA2", price = 1.0 }
                """);
        assertThat(ToolRun.of("show", base.toString(), "quotes[2]").exits(0).out())
                .isEqualTo("[2] Quote { id = 2, symbol = \"ARNA2\", price = 1.0 }\n");
        assertThat(ToolRun.of("find", base.toString(), "--where", "price == 1").out())
                .isEqualTo("quotes[1]\nquotes[2]\n");
        assertThat(ToolRun.of("export", base.toString(), "quotes", "--csv").out()).isEqualTo("""
                index,id,symbol,price
                0,0,ARNA0,0.0
                1,1,ARNA1,1.0
                2,2,ARNA2,1.0
                """);
        assertThat(TestStructures.withoutSizes(ToolRun.of("verify", base.toString())))
                .isEqualTo(base + ": no problem in 1 allocation, 1 structure with 3 entries; closed\n");
        assertThat(ToolRun.of("diff", base.toString(), other.toString()).exits(1).out())
                .contains("size: 72 bytes -> 96 bytes", "[1].price: 1.0 -> 1.25")
                .doesNotContain("[2]");
        assertThat(ToolRun.of("diff", base.toString(), other.toString(), "--key", "id").exits(1).out())
                .contains("[id=1].price: 1.0 -> 1.25", "+ [id=3]: ");
    }

    @SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
    record Book(int count, long id, @Length(value = 3, counted = "count") long[] prices) {}

    @Test
    void find_elementsOfATableOfColumns_areCounted() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            ColumnTable<Book> books = arena.structures().columns("books", ColumnMapper.of(Book.class), 1);
            books.append(new Book(2, 1, new long[]{7, 8}));
            books.append(new Book(0, 2, new long[0]));
        }
        assertThat(ToolRun.of("find", base.toString(), "--where", "prices[*] >= 0").exits(0).out())
                .isEqualTo("books[0]\n");
    }

    @Test
    void find_whereOnATableOfColumns_readsTheColumnsOfThePredicate() throws IOException {
        columns(base, 50_000, 0);
        String[] find = {"find", base.toString(), "--where", "price == 1 || price < 0", "--count"};
        ToolRun.of(find); // loads the classes
        long before = ProcessCounters.value("rchar");
        assertThat(ToolRun.of(find).exits(0).out()).isEqualTo("2\n");
        assertThat(ProcessCounters.value("rchar") - before).isBetween(50_000L * 8, 2 * 50_000L * 8);
        assertThat(ToolRun.of("find", base.toString(), "--where", "id == 7 && symbol == 'ARNA7' && price > 3").out())
                .isEqualTo("quotes[7]\n");
    }

    @Test
    void commands_structureOfAKindThatIsNotRead_sayItsName() {
        StructType type = StructType.of(MemoryLayout.structLayout(JAVA_LONG.withName("key"),
                JAVA_LONG.withName("value")).withName("ImageMap"));
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            TestStructures.fill(arena);
            arena.names().growable("orders", type, 1_000).grow(4096);
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
            var stock = arena.structures().longMap("stock");
            for (int i = 0; i < 1000; i++) {
                stock.put(i, 1);
            }
            for (int i = 1; i < 1000; i++) {
                stock.remove(i);
            }
            stock.remove(4711);
            var names = arena.structures().tree("names", String.class, TestStructures.Order.class);
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
        ToolRun run = command.equals("copy")
                ? ToolRun.of("copy", base.toString(), other.toString())
                : ToolRun.of("repair", base.toString(), "--to", other.toString());
        run.exits(0);
        assertThat(ToolRun.of("diff", base.toString(), other.toString()).out())
                .isEqualTo("no difference in 5 allocations\n");
        assertThat(ToolRun.of("verify", other.toString()).exitCode()).isZero();
        try (InfiniteArena arena = InfiniteArena.builder(other).reopen()) {
            var stock = arena.structures().longMap("stock");
            for (int i = 0; i < 100_000; i++) {
                stock.put(i, i);
            }
            assertThat(stock.get(4711, 0)).isEqualTo(4711);
            assertThat(stock.size()).isEqualTo(100_000);
            var names = arena.structures().tree("names", String.class, TestStructures.Order.class);
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
            var map = arena.structures().longMap("map");
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

    @Test
    @Tag("full")
    void verify_damagedStructures_areProblems() throws IOException, InterruptedException {
        TestStructures.killed(base);
        assertThat(TestStructures.withoutSizes(ToolRun.of("verify", base.toString())))
                .isEqualTo(base + ": no problem in 5 allocations, 4 structures with 8 entries; died\n");
        TestStructures.lose(base, "stock", "times");
        TestStructures.store(base, "empty", 128, -1);
        assertThat(ToolRun.of("verify", base.toString()).exits(1).out()).isEqualTo("""
                %1$s: stock: Structure was open when the machine failed, or the image was moved without arena copy, \
                and may be incomplete; call InfiniteArena.structures().repair(name), or arena repair for a copy, which \
                keep what is intact
                %1$s: times: Entries were not forced before the machine failed, or the image was moved without arena \
                copy: name=times, stored=3, forced=0; the tree has the entries of the last force(). If the image was \
                moved, copy the original by arena copy before its machine is restarted
                %1$s: empty: Structure is damaged: name=empty, root=0xffffffffffffffff
                %1$s: 3 problems
                """.formatted(base));
        assertThat(ToolRun.of("verify", base.toString(), "--json").out()).contains(
                "{\"kind\":\"problem\",\"base\":\"" + base + "\",\"allocation\":\"empty\",\"number\":");
    }

    @Test
    @Tag("full")
    void commands_afterAFailureOfTheMachine_sayThatEntriesMayBeMissing() throws IOException, InterruptedException {
        TestStructures.killed(base);
        TestStructures.lose(base, "stock", "times", "empty");
        ToolRun shown = ToolRun.of("show", base.toString(), "stock").exits(1);
        assertThat(TestStructures.sorted(shown.out())).containsExactly("ImageLongMap { key = 4711, value = 7 }",
                "ImageLongMap { key = 4712, value = 0 }");
        assertThat(shown.err())
                .isEqualTo("arena: stock: it was open when the machine failed, or the image was moved without arena"
                        + " copy, and entries may be missing: repair it with arena repair\n");
        assertThat(ToolRun.of("export", base.toString(), "stock", "--csv").exitCode()).isEqualTo(1);
        assertThat(ToolRun.of("find", base.toString(), "stock", "--where", "value == 7").exitCode()).isEqualTo(3);
        assertThat(ToolRun.of("diff", base.toString(), base.toString()).exitCode()).isEqualTo(3);
        assertThat(ToolRun.of("ls", base.toString()).out()).contains("  incomplete  ");
        // The tree of the last force is empty, and complete.
        ToolRun tree = ToolRun.of("show", base.toString(), "times");
        assertThat(tree).isEqualTo(new ToolRun(0, "", ""));
    }

    @Test
    @Tag("full")
    void repair_afterAFailureOfTheMachine_repairsTheStructures() throws IOException, InterruptedException {
        TestStructures.killed(base);
        TestStructures.lose(base, "stock", "names", "times", "empty");
        Path copy = base.resolveSibling("copy");
        assertThat(ToolRun.of("repair", base.toString(), "--to", copy.toString()).exits(1).out()).contains(
                base + ": lost: Structure was repaired: name=stock, kept=2, dropped=0, ",
                copy + ": 5 allocations, 3 things mended\n");
        assertThat(ToolRun.of("verify", copy.toString()).exitCode()).isZero();
        assertThat(ToolRun.of("ls", copy.toString()).out()).doesNotContain("incomplete");
        assertThat(ToolRun.of("show", copy.toString(), "stock").exitCode()).isZero();
        assertThat(ToolRun.of("verify", base.toString()).exitCode()).as("the original").isEqualTo(1);
    }

    @Test
    @Tag("full")
    void repair_damagedEntry_dropsIt() throws IOException {
        TestStructures.closed(base);
        long entry;
        try (ArenaImage image = ArenaImage.open(base)) {
            var cursor = image.entries(image.find("stock").orElseThrow()).orElseThrow().cursor();
            assertThat(cursor.next()).isTrue();
            entry = cursor.position(0);
        }
        TestStructures.store(base, "stock", entry + 8, 4711);
        assertThat(ToolRun.of("verify", base.toString()).out())
                .containsPattern("stock: Check of a group is wrong: .*, index=0, keys=\\[471[12]");
        String message = "Structure is damaged: name=stock, check of a group is wrong, offset=0x";
        ToolRun shown = ToolRun.of("show", base.toString(), "stock").exits(1);
        assertThat(shown.out()).isEmpty();
        assertThat(shown.err()).contains(message, "arena repair");
        assertThat(ToolRun.of("show", base.toString(), "times", "names").exitCode()).isZero();
        assertThat(ToolRun.of("export", base.toString(), "stock", "--csv").exitCode()).isEqualTo(1);
        assertThat(ToolRun.of("find", base.toString(), "--where", "key >= 4711").exitCode()).isEqualTo(3);
        assertThat(ToolRun.of("diff", base.toString(), base.toString()).exitCode()).isEqualTo(3);
        Path copy = base.resolveSibling("copy");
        assertThat(ToolRun.of("repair", base.toString(), "--to", copy.toString()).exits(1).out())
                .containsPattern("lost: .*name=stock, kept=[01], dropped=[12], .*keys=\\[471[12]");
        assertThat(ToolRun.of("verify", copy.toString()).exitCode()).isZero();
    }

    @Test
    @Tag("full")
    void repair_damagedStructures_saysWhatIsNotRepairedAndWhichKeysAreLost() throws IOException {
        TestStructures.closed(base);
        TestStructures.store(base, "stock", 128, -1);
        TestStructures.store(base, "times", 4096 + 24, -1);
        assertThat(ToolRun.of("repair", base.toString()).exits(1).out()).contains(
                base + ": lost: Structure could not be repaired: name=stock, problem=",
                base + ": lost: Structure was repaired: name=times, kept=0, dropped=3, problem=Check of a page is wrong:"
                        + " page=1, level=0, lostKeys=(first, last), lost=[")
                .doesNotContain("name=stock, kept");
    }

    @Test
    @Tag("full")
    void commands_damagedHeader_goOnWithOthers() throws IOException {
        TestStructures.closed(base);
        TestStructures.store(base, "stock", 16, 1);
        TestStructures.store(base, "empty", 128, -1);
        ToolRun shown = ToolRun.of("show", base.toString(), "stock", "times").exits(1);
        assertThat(shown.out()).contains("[2] ImageTree { key = 200, value = -2 }");
        assertThat(shown.err()).isEqualTo("arena: stock: Header of a structure is damaged: name=stock\n");
        ToolRun listed = ToolRun.of("ls", base.toString()).exits(1);
        assertThat(TestStructures.types(listed)).contains("stock|ImageLongMap[?]", "empty|ImageLongMap[?]");
        assertThat(listed.out()).contains("  damaged  ");
        assertThat(ToolRun.of("export", base.toString(), "empty", "--csv").exits(1).err()).isEqualTo(
                "arena: " + base + ": Structure is damaged: name=empty, root=0xffffffffffffffff\n");
    }

    @Test
    @Tag("full")
    void mutations_any_endWithAnExitCode() throws IOException {
        mutate(MUTATIONS, 1);
    }

    @Test
    @Tag("full")
    @Tag("slow")
    void mutations_many_endWithAnExitCode() throws IOException {
        mutate(30_000, 2);
    }

    /// Runs commands on images with damaged structures. Each ends with an exit code, and a message if it is not 0.
    private void mutate(int count, long seed) throws IOException {
        TestStructures.closed(base);
        Random random = new Random(seed);
        try (ArenaImage image = ArenaImage.open(base)) {
            for (int i = 0; i < count; i++) {
                int number = random.nextInt(3);
                String name = List.of("stock", "names", "times").get(number);
                Path file = image.file(image.find(name).orElseThrow().file());
                try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                    long place = random.nextInt(random.nextBoolean() ? 256 : (int) Math.min(bytes.length(), 12_000));
                    bytes.seek(place);
                    int before = bytes.read();
                    bytes.seek(place);
                    bytes.write(random.nextBoolean() ? before ^ 1 << random.nextInt(8) : random.nextInt());
                    String[][] runs = {{"show", base.toString(), name}, {"ls", base.toString()},
                            {"verify", base.toString()}, {"export", base.toString(), name, "--csv"},
                            {"diff", base.toString(), base.toString()}};
                    ToolRun run = ToolRun.of(runs[random.nextInt(runs.length)]);
                    assertThat(run.exitCode()).isBetween(0, 3);
                    assertThat(run.err()).doesNotContain("Exception", "\tat ");
                    bytes.seek(place);
                    bytes.write(before);
                }
            }
        }
    }

    /// Writes images with structures, in this process or in a process that runs the main method and is killed.
    static final class TestStructures {
        public static final int ORDERS = 3;
        /// The offset of the boot in the header of a structure.
        private static final long BOOT = 72;

        private TestStructures() {}

        /// An order.
        public record Order(@Length(8) String symbol, int quantity) {}

        /// Makes a map and two trees with a few entries, an empty map, and an array.
        public static void fill(InfiniteArena arena) {
            var stock = arena.structures().longMap("stock");
            stock.put(4711, 7);
            stock.put(4712, 0);
            var names = arena.structures().tree("names", String.class, Order.class);
            var times = arena.structures().longTree("times");
            for (int i = 0; i < ORDERS; i++) {
                names.put("name " + i, new Order("ARNA" + i, i * 10));
                times.put(i * 100L, -i);
            }
            arena.structures().longMap("empty");
            arena.names().allocate("trades", TestImage.TRADE, 2);
        }

        /// Writes an image that its arena has closed.
        public static Path closed(Path base) {
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                fill(arena);
            }
            return base;
        }

        /// Writes an image whose owner was killed.
        public static Path killed(Path base) throws IOException, InterruptedException {
            TestImage.killed(ChildJvm.onClassPath().command(TestStructures.class, base.toString()).command());
            return base;
        }

        public static void main(String[] args) throws IOException {
            InfiniteArena arena = InfiniteArena.ofShared(Path.of(args[0]));
            fill(arena);
            System.out.println("ready");
            System.in.read();
            throw new IllegalStateException("Still open: " + arena.base());
        }

        /// Makes the structures of an image whose owner was killed structures that were open when the machine failed.
        public static void lose(Path base, String... names) throws IOException {
            for (String name : names) {
                store(base, name, BOOT, 1);
            }
        }

        /// Stores a number of a structure.
        public static void store(Path base, String name, long byteOffset, long value) throws IOException {
            try (ArenaImage image = ArenaImage.open(base);
                    RandomAccessFile file = new RandomAccessFile(
                            ImageFiles.data(base, image.find(name).orElseThrow().file()).toFile(), "rw")) {
                file.seek(byteOffset);
                file.writeLong(Long.reverseBytes(value));
            }
        }

        /// The columns NAME and TYPE of a list.
        public static List<String> types(ToolRun list) {
            return TestImage.cells(list.out())
                    .stream()
                    .filter(line -> line.matches(".*\\|[13]\\|\\d+"))
                    .map(line -> line.replaceAll("^([^|]*\\|[^|]*)\\|.*", "$1"))
                    .toList();
        }

        /// The output without the sizes of memory.
        public static String withoutSizes(ToolRun run) {
            return run.out().replaceAll("(, | of )[0-9.]+ KiB", "");
        }

        /// The lines without indices, in order.
        public static List<String> sorted(String out) {
            return out.lines().map(line -> line.replaceAll("^\\[\\d+] ", "")).sorted().toList();
        }
    }
}
