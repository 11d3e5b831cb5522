package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.annotation.Length;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ImageEntriesTest extends InDirectory {
    private static final String NAME = "structure";
    private static final long BOOT = 1;
    private static final int MUTATIONS = 60;
    private static final int COUNT = 136;

    ImageEntriesTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    record Id(int number, byte branch) {}

    record Order(@Length(8) String symbol, int quantity) {}

    /// The structures whose entries are read. Each has the keys 0 to n - 1.
    enum Kind {
        LONG_MAP("ImageLongMap", "%1$d", "%2$d") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageLongMap map = arena.longMap(NAME);
                return new Structure(key -> map.put(key, ~key), key -> map.put(key, ~key), map::remove);
            }
        },
        MAP("ImageMap", "Id { number = %1$d, branch = 3 }", "Order { symbol = \"S%1$d\", quantity = %2$d }") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageMap<Id, Order> map = arena.map(NAME, Id.class, Order.class);
                LongConsumer put = key -> map.put(id(key), order(key));
                return new Structure(put, put, key -> map.remove(id(key)));
            }
        },
        LONG_TREE("ImageTree", "%1$d", "%2$d") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageLongTree tree = arena.longTree(NAME);
                return new Structure(key -> tree.put(key, ~key), key -> tree.put(key, ~key), tree::remove);
            }
        },
        TREE("ImageTree", "\"%1$07d\"", "Order { symbol = \"S%1$d\", quantity = %2$d }") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageTree<String, Order> tree = arena.tree(NAME, String.class, Order.class);
                LongConsumer put = key -> tree.put(text(key), order(key));
                return new Structure(put, put, key -> tree.remove(text(key)));
            }
        },
        BYTES_TREE("ImageTree", "{ length = 7, bytes = [%3$s, 0, 0, 0, 0, 0, 0, 0, 0, 0, ... 496 more] }", "%2$d") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageTree<byte[], Long> tree = arena.tree(NAME, byte[].class, Long.class);
                LongConsumer put = key -> tree.put(text(key).getBytes(UTF_8), ~key);
                return new Structure(put, put, key -> tree.remove(text(key).getBytes(UTF_8)));
            }
        };

        private final String typeName;
        private final String key;
        private final String value;

        Kind(String typeName, String key, String value) {
            this.typeName = typeName;
            this.key = key;
            this.value = value;
        }

        abstract Structure open(InfiniteArena arena);

        /// The entry of a key as [LayoutDump] prints it.
        String entry(long number) {
            String bytes = Arrays.toString(text(number).getBytes(UTF_8));
            return (typeName + " { key = " + key + ", value = " + value + " }").formatted(number, ~number,
                    bytes.substring(1, bytes.length() - 1));
        }

        boolean isTree() {
            return typeName.equals("ImageTree");
        }

        private static Id id(long key) {
            return new Id((int) key, (byte) 3);
        }

        private static Order order(long key) {
            return new Order("S" + key, (int) ~key);
        }

        private static String text(long key) {
            return "%07d".formatted(key);
        }
    }

    /// @param put     adds an entry
    /// @param replace stores the same value again
    record Structure(LongConsumer put, LongConsumer replace, LongConsumer remove) {}

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entries_closed_areTheEntriesOfTheStructure(Kind kind) throws IOException {
        for (long size : new long[]{0, 1, 3_000}) {
            fill(base.resolveSibling("image" + size), kind, size);
            try (ArenaImage image = ArenaImage.open(base.resolveSibling("image" + size))) {
                ImageEntries entries = entries(image);
                assertThat(entries.kind()).isEqualTo(kind.typeName);
                assertThat(entries.type().name()).isEqualTo(kind.typeName);
                assertThat(entries.state()).isEqualTo(StructureState.CLOSED);
                assertThat(entries.recordedCount()).isEqualTo(size);
                assertThat(entries.count()).isEqualTo(size);
                assertEntries(entries, kind, size);
                assertThat(problems(entries)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entries_manyRemoved_areTheOthers(Kind kind) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            Structure structure = kind.open(arena);
            LongStream.range(0, 5_000).forEach(structure.put);
            LongStream.range(100, 5_000).forEach(structure.remove);
            LongStream.range(50, 60).forEach(structure.replace);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertEntries(entries(image), kind, 100);
            assertThat(problems(entries(image))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entries_owned_areReadBesideTheOwner(Kind kind) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            LongStream.range(0, 100).forEach(structure.put);
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.OPEN);
            assertEntries(entries, kind, 100);
            // The memory grows beyond the record that was read.
            LongStream.range(100, 20_000).forEach(structure.put);
            assertThat(entries.count()).isEqualTo(20_000);
            assertEntries(entries, kind, 20_000);
            assertThat(problems(entries)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entries_killedOwner_areCountedAgain(Kind kind) throws IOException {
        Path copy = killed(kind, 1_000);
        store(copy, kind.isTree() ? COUNT + 8 : COUNT, 7);
        try (ArenaImage image = ArenaImage.open(copy, BOOT)) {
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.KILLED);
            assertThat(entries.recordedCount()).isEqualTo(7);
            assertThat(entries.count()).isEqualTo(1_000);
            assertEntries(entries, kind, 1_000);
            assertThat(problems(entries)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LONG_MAP", "MAP"})
    void entries_lostMap_areTheIntactOnes(Kind kind) throws IOException {
        Path copy = killed(kind, 1_000);
        try (ArenaImage image = ArenaImage.open(copy, BOOT + 1)) {
            ImageEntries.Cursor cursor = entries(image).cursor();
            assertThat(cursor.next()).isTrue();
            store(copy, cursor.position(0) + 8, 4711);
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.LOST);
            List<String> found = contents(entries);
            assertThat(found).hasSizeBetween(997, 999);
            assertThat(model(kind, 1_000)).containsAll(found);
            assertThat(problems(entries)).singleElement().asString().contains("when the machine failed");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LONG_TREE", "TREE", "BYTES_TREE"})
    void entries_lostTree_areTheForcedOnes(Kind kind) throws IOException {
        Path copy = base.resolveSibling("copy");
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(BOOT).build();
                ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            LongStream.range(0, 1_000).forEach(structure.put);
            arena.force();
            LongStream.range(500, 2_000).forEach(structure.put);
            image.copyTo(copy);
        }
        try (ArenaImage image = ArenaImage.open(copy, BOOT + 1)) {
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.FORCED);
            assertThat(entries.count()).isEqualTo(1_000);
            assertEntries(entries, kind, 1_000);
            assertThat(problems(entries)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void copy_changedMeanwhile_isAsAfterAFailureOfTheMachine(Kind kind) throws IOException {
        Path copy = base.resolveSibling("copy");
        Path compact = base.resolveSibling("compact");
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            LongStream.range(0, 1_000).forEach(structure.put);
            arena.force();
            long[] next = {1_000};
            image.copyTo(copy, _ -> structure.put.accept(next[0]++));
            image.compactTo(compact, _ -> structure.put.accept(next[0]++));
        }
        for (Path base : List.of(copy, compact)) {
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(entries(image).state()).isEqualTo(kind.isTree()
                        ? StructureState.FORCED
                        : StructureState.LOST);
                assertThat(contents(entries(image))).containsAll(model(kind, 1_000));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entries_ofAnUnfinishedStructure_areNone(Kind kind) throws IOException {
        Path copy = killed(kind, 10);
        store(copy, 0, 0);
        try (ArenaImage image = ArenaImage.open(copy, BOOT)) {
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.UNFINISHED);
            assertThat(entries.count()).isZero();
            assertThat(contents(entries)).isEmpty();
            assertThat(problems(entries)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void read_position_isTheEntryAgain(Kind kind) throws IOException {
        fill(base, kind, 1_000);
        try (ArenaImage image = ArenaImage.open(base)) {
            ImageEntries entries = entries(image);
            long byteSize = entries.type().byteSize();
            MemorySegment again = MemorySegment.ofArray(new long[(int) byteSize / Long.BYTES + 1]).asSlice(0, byteSize);
            int read = 0;
            for (ImageEntries.Cursor cursor = entries.cursor(); cursor.next();) {
                for (int i = 0; i < cursor.count(); i++) {
                    entries.read(cursor.position(i), again);
                    assertThat(again.mismatch(cursor.entries().asSlice(i * byteSize, byteSize))).isEqualTo(-1);
                    read++;
                }
            }
            assertThat(read).isEqualTo(1_000);
        }
    }

    @Test
    void entries_ofAnotherAllocation_areNone() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            arena.allocate(NAME, ValueLayout.JAVA_LONG, 10);
            arena.allocate(16, 8);
            for (Allocation allocation : image.allocations().toList()) {
                assertThat(image.entries(allocation)).isEmpty();
            }
        }
    }

    @Test
    void source_skipAndLimit_passTheseEntries() throws IOException {
        fill(base, Kind.LONG_MAP, 20_000);
        try (ArenaImage image = ArenaImage.open(base)) {
            ExtentSource source = entries(image).source();
            byte[] all = bytes(source, 0, Long.MAX_VALUE);
            assertThat(all).hasSize(20_000 * 16);
            assertThat(bytes(source, 199_992, 24)).isEqualTo(Arrays.copyOfRange(all, 199_992, 200_016));
            assertThat(source.transferTo(sink(new ArrayList<>()), 1 << 20, 1)).isEqualTo(20_000 * 16);
        }
    }

    @Test
    void check_damagedMapOfLongs_isDescribed() throws IOException {
        fill(base, Kind.LONG_MAP, 1_000);
        long pair = firstPosition();
        assertThat(problemsWith(pair + 8, 4711)).singleElement()
                .asString()
                .startsWith("Check of a group is wrong: offset=0x");
        assertThat(problemsWith(pair, 1L << 60)).hasSizeBetween(2, 4)
                .anySatisfy(problem -> assertThat(problem).startsWith("Entry "));
        assertThat(problemsWith(COUNT, 999)).containsExactly("Number of entries is wrong: recorded=999, found=1000");
        assertThat(problemsWith(COUNT + 8, -1)).containsExactly("Number of removed entries is wrong: erosion=-1");
        assertThat(problemsWith(1024, 4096 * 3)).singleElement().asString().startsWith("List of extents is damaged");
        assertThat(problemsWith(128, -1)).singleElement().asString().startsWith("Structure is damaged: name=structure");
        assertThat(problemsWith(24, 5)).containsExactly("Header of a structure is damaged: name=structure");
        assertThat(problemsWith(0, 1)).containsExactly("Header of a structure is damaged: name=structure");
        assertThatThrownBy(() -> with(24, 5, ImageEntries::cursor)).isInstanceOf(IOException.class)
                .hasMessage("Header of a structure is damaged: name=structure");
    }

    @Test
    void check_damagedMapOfRecords_isDescribed() throws IOException {
        fill(base, Kind.MAP, 1_000);
        long entry = firstPosition();
        assertThat(problemsWith(entry + 16, 4711)).singleElement().asString().startsWith("Check of an entry is wrong");
        assertThat(problemsWith(COUNT, 999)).containsExactly("Number of entries is wrong: recorded=999, found=1000");
        assertThat(problemsWith(160, 8)).containsExactly("List of free entries is damaged: entry=0x8");
        assertThat(problemsWith(160, entry)).singleElement().asString().startsWith("List of free entries is damaged");
        assertThat(problemsWith(168, 8)).singleElement().asString().startsWith("Unused entries are damaged");
    }

    @Test
    void check_damagedTree_isDescribed() throws IOException {
        fill(base, Kind.LONG_TREE, 1_000);
        assertThat(problemsWith(COUNT + 8, 999)).contains("Number of entries is wrong: recorded=999, found=1000");
        assertThat(problemsWith(128, 1L << 56 | 7000)).isNotEmpty();
        assertThat(problemsWith(4096 + 24, -1)).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void mutations_any_areReadOrRefused(Kind kind) throws IOException {
        mutate(kind, MUTATIONS, 1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("slow")
    void mutations_many_areReadOrRefused(Kind kind) throws IOException {
        mutate(kind, 100_000, 2);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void read_besideAWriter_passesWholeEntries(Kind kind) throws Exception {
        read(kind, 50);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("slow")
    void read_longBesideAWriter_passesWholeEntries(Kind kind) throws Exception {
        read(kind, 50_000);
    }

    /// Reads entries while another thread adds, replaces and removes them.
    private void read(Kind kind, int rounds) throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        TreeSet<String> model = model(kind, 500);
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            Thread writer = Thread.ofPlatform().start(() -> {
                Random random = new Random(1);
                while (!isDone.get()) {
                    long key = random.nextInt(500);
                    if (random.nextInt(3) > 0) {
                        structure.put.accept(key);
                    } else {
                        structure.remove.accept(key);
                    }
                }
            });
            try {
                for (int i = 0; i < rounds; i++) {
                    try {
                        assertThat(model.containsAll(contents(entries(image)))).isTrue();
                    } catch (IOException e) {
                        assertThat(e).hasMessageContaining("while it was read");
                    }
                }
            } finally {
                isDone.set(true);
                writer.join();
            }
        }
    }

    private void mutate(Kind kind, int count, long seed) throws IOException {
        Path copy = killed(kind, 300);
        Random random = new Random(seed);
        try (ArenaImage image = ArenaImage.open(copy, BOOT);
                RandomAccessFile file = new RandomAccessFile(file(copy), "rw")) {
            byte[] original = new byte[(int) file.length()];
            file.readFully(original);
            for (int i = 0; i < count; i++) {
                int[] places = new int[1 + random.nextInt(4)];
                for (int j = 0; j < places.length; j++) {
                    places[j] = random.nextInt(random.nextBoolean() ? 200 : original.length);
                    file.seek(places[j]);
                    file.write(random.nextBoolean() ? random.nextInt() : original[places[j]] ^ 1);
                }
                ImageEntries entries = entries(image);
                problems(entries);
                try {
                    assertThat(contents(entries).size()).isLessThanOrEqualTo(original.length / 16);
                    entries.count();
                } catch (IOException e) {
                    assertThat(e.getMessage()).containsAnyOf("damaged", "another version", "another kind");
                }
                for (int place : places) {
                    file.seek(place);
                    file.write(original[place]);
                }
            }
        }
    }

    private interface Use<T> {
        T use(ImageEntries entries) throws IOException;
    }

    private List<String> problemsWith(long byteOffset, long value) throws IOException {
        return with(byteOffset, value, ImageEntriesTest::problems);
    }

    /// Uses the entries while a number of the structure has another value.
    private <T> T with(long byteOffset, long value, Use<T> use) throws IOException {
        long before = store(base, byteOffset, value);
        try (ArenaImage image = ArenaImage.open(base)) {
            return use.use(entries(image));
        } finally {
            store(base, byteOffset, before);
        }
    }

    private long firstPosition() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            ImageEntries.Cursor cursor = entries(image).cursor();
            assertThat(cursor.next()).isTrue();
            return cursor.position(0);
        }
    }

    /// Stores a number of a structure.
    ///
    /// @return the number before
    private static long store(Path base, long byteOffset, long value) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file(base), "rw")) {
            file.seek(byteOffset);
            long before = Long.reverseBytes(file.readLong());
            file.seek(byteOffset);
            file.writeLong(Long.reverseBytes(value));
            return before;
        }
    }

    private static File file(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            Allocation allocation = image.find(NAME).orElseThrow();
            assertThat(allocation.byteOffset()).isZero();
            return ImageFiles.data(base, allocation.file()).toFile();
        }
    }

    /// Copies an image while its owner has it open, as a kill leaves it.
    private Path killed(Kind kind, long size) throws IOException {
        Path copy = base.resolveSibling("copy");
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(BOOT).build();
                ArenaImage image = ArenaImage.open(base)) {
            LongStream.range(0, size).forEach(kind.open(arena).put);
            image.copyTo(copy);
        }
        return copy;
    }

    private static void fill(Path base, Kind kind, long size) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            LongStream.range(0, size).forEach(kind.open(arena).put);
        }
    }

    private static TreeSet<String> model(Kind kind, long size) {
        TreeSet<String> model = new TreeSet<>();
        LongStream.range(0, size).mapToObj(kind::entry).forEach(model::add);
        return model;
    }

    private static void assertEntries(ImageEntries entries, Kind kind, long size) throws IOException {
        List<String> found = contents(entries);
        assertThat(found.size()).isEqualTo((int) size);
        assertThat(new TreeSet<>(found).equals(model(kind, size))).isTrue();
        if (kind.isTree()) {
            assertThat(found.equals(LongStream.range(0, size).mapToObj(kind::entry).toList())).isTrue();
        }
    }

    private static ImageEntries entries(ArenaImage image) throws IOException {
        return image.entries(image.find(NAME).orElseThrow()).orElseThrow();
    }

    private static List<String> contents(ImageEntries entries) throws IOException {
        List<String> contents = new ArrayList<>();
        for (ImageEntries.Cursor cursor = entries.cursor(); cursor.next();) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            LayoutDump.of(entries.type()).print(ExtentSource.of(cursor.entries()), out);
            out.toString(UTF_8)
                    .lines()
                    .map(line -> line.substring(line.indexOf(' ') + 1))
                    .forEach(contents::add);
        }
        return contents;
    }

    private static List<String> problems(ImageEntries entries) throws IOException {
        List<String> problems = new ArrayList<>();
        entries.check(problems::add);
        return problems;
    }

    private static byte[] bytes(ExtentSource source, long skip, long limit) throws IOException {
        List<Byte> bytes = new ArrayList<>();
        assertThat(source.transferTo(sink(bytes), skip, limit)).isEqualTo(skip);
        byte[] array = new byte[bytes.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = bytes.get(i);
        }
        return array;
    }

    private static ExtentSource.Sink sink(List<Byte> bytes) {
        return new ExtentSource.Sink() {
            @Override
            public void data(MemorySegment data) {
                for (byte value : data.toArray(ValueLayout.JAVA_BYTE)) {
                    bytes.add(value);
                }
            }

            @Override
            public void zeros(long byteSize) {
                throw new AssertionError(byteSize);
            }
        };
    }
}
