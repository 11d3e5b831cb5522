package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ImageEntriesTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long BOOT = 1;
    private static final int MUTATIONS = 300;

    private final Path base;

    ImageEntriesTest(@TempDir Path directory) {
        base = directory.resolve("image");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1000, 100_000})
    void entries_closed_areTheEntriesOfTheMap(long size) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, size);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            ImageEntries entries = entries(image);
            assertThat(entries.kind()).isEqualTo("ImageLongMap");
            assertThat(entries.state()).isEqualTo(StructureState.CLOSED);
            assertThat(entries.recordedCount()).isEqualTo(size);
            assertThat(entries.count()).isEqualTo(size);
            assertThat(contents(entries)).isEqualTo(model(size));
            assertThat(problems(entries)).isEmpty();
        }
    }

    @Test
    void entries_owned_areReadBesideItsOwner() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            ImageLongMap map = fill(arena, 1000);
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.OPEN);
            assertThat(contents(entries)).isEqualTo(model(1000));
            for (long key = 1000; key < 50_000; key++) {
                map.put(key, ~key);
            }
            // The memory has grown beyond the record that was read.
            assertThat(entries.count()).isEqualTo(50_000);
            assertThat(contents(entries)).isEqualTo(model(50_000));
            assertThat(problems(entries)).isEmpty();
        }
    }

    @Test
    void entries_killedOwner_areCountedAgain() throws IOException {
        Path copy = killed(1000);
        try (ArenaImage image = ArenaImage.open(copy, BOOT)) {
            ImageEntries entries = entries(image);
            store(copy, entries, 136, 7);
            assertThat(entries(image).state()).isEqualTo(StructureState.KILLED);
            assertThat(entries(image).recordedCount()).isEqualTo(7);
            assertThat(entries(image).count()).isEqualTo(1000);
            assertThat(contents(entries(image))).isEqualTo(model(1000));
            assertThat(problems(entries(image))).isEmpty();
        }
    }

    @Test
    void entries_lost_areTheIntactOnes() throws IOException {
        Path copy = killed(1000);
        try (ArenaImage image = ArenaImage.open(copy, BOOT + 1)) {
            ImageEntries entries = entries(image);
            ImageEntries.Cursor cursor = entries.cursor();
            assertThat(cursor.next()).isTrue();
            store(copy, entries, cursor.position(0) + 8, 4711);
            assertThat(entries.state()).isEqualTo(StructureState.LOST);
            Map<Long, Long> found = contents(entries);
            assertThat(found).hasSizeBetween(993, 999).doesNotContainValue(4711L);
            assertThat(model(1000)).containsAllEntriesOf(found);
            assertThat(problems(entries)).singleElement().asString().contains("when the machine failed");
        }
    }

    @Test
    void entries_ofAnUnfinishedStructure_areNone() throws IOException {
        Path copy = killed(10);
        try (ArenaImage image = ArenaImage.open(copy, BOOT)) {
            store(copy, entries(image), 0, 0);
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.UNFINISHED);
            assertThat(entries.count()).isZero();
            assertThat(contents(entries)).isEmpty();
            assertThat(problems(entries)).isEmpty();
        }
    }

    @Test
    void source_skipAndLimit_passTheseEntries() throws IOException {
        Path copy = killed(20_000);
        try (ArenaImage image = ArenaImage.open(copy, BOOT)) {
            ExtentSource source = entries(image).source();
            byte[] all = bytes(source, 0, Long.MAX_VALUE);
            assertThat(all).hasSize(20_000 * 16);
            assertThat(bytes(source, 199_992, 24)).isEqualTo(java.util.Arrays.copyOfRange(all, 199_992, 200_016));
            assertThat(source.transferTo(sink(new ArrayList<>()), 1 << 20, 1)).isEqualTo(20_000 * 16);
        }
    }

    @Test
    void check_eachKindOfDamage_isDescribed() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, 1000);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            ImageEntries entries = entries(image);
            ImageEntries.Cursor cursor = entries.cursor();
            cursor.next();
            long pair = cursor.position(0);
            assertThat(problemsWith(pair + 8, 4711)).singleElement()
                    .asString()
                    .startsWith("Check of a group is wrong: offset=0x");
            assertThat(problemsWith(136, 999)).containsExactly("Number of entries is wrong: recorded=999, found=1000");
            assertThat(problemsWith(144, -1)).containsExactly("Number of removed entries is wrong: erosion=-1");
            assertThat(problemsWith(1024, 4096 * 3)).singleElement()
                    .asString()
                    .startsWith("List of extents is damaged");
            assertThat(problemsWith(128, -1)).singleElement()
                    .asString()
                    .startsWith("Structure is damaged: name=map, root=0x");
            assertThat(problemsWith(24, 5)).containsExactly("Header of a structure is damaged: name=map");
            assertThat(problemsWith(0, 1)).containsExactly("Header of a structure is damaged: name=map");
            assertThat(problemsWith(pair, 1L << 60)).hasSizeBetween(2, 3)
                    .anySatisfy(problem -> assertThat(problem)
                            .startsWith("Entry "));
            assertThatThrownBy(() -> with(24, 5, ImageEntries::cursor)).isInstanceOf(IOException.class)
                    .hasMessage("Header of a structure is damaged: name=map");
        }
    }

    @Test
    void mutations_any_areReadOrRefused() throws IOException {
        mutate(MUTATIONS, 1);
    }

    @Test
    @Tag("slow")
    void mutations_many_areReadOrRefused() throws IOException {
        mutate(100_000, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {300})
    void read_besideAWriter_passesWholeEntries(int rounds) throws Exception {
        read(rounds);
    }

    @Test
    @Tag("slow")
    void read_longBesideAWriter_passesWholeEntries() throws Exception {
        read(100_000);
    }

    /// Reads entries while another thread adds, replaces and removes them. The high half of a value is its key.
    private void read(int rounds) throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            ImageLongMap map = arena.longMap("map");
            Thread writer = Thread.ofPlatform().start(() -> {
                Random random = new Random(1);
                while (!isDone.get()) {
                    long key = random.nextInt(500);
                    if (random.nextInt(3) > 0) {
                        map.put(key, key << 32 | random.nextInt() & 0xFFFF_FFFFL);
                    } else {
                        map.remove(key);
                    }
                }
            });
            try {
                for (int i = 0; i < rounds; i++) {
                    ImageEntries entries = entries(image);
                    try {
                        contents(entries).forEach((key, value) -> assertThat(value >>> 32).isEqualTo(key));
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

    private void mutate(int count, long seed) throws IOException {
        Path copy = killed(500);
        Random random = new Random(seed);
        try (ArenaImage image = ArenaImage.open(copy, BOOT);
                RandomAccessFile file = new RandomAccessFile(file(copy, image), "rw")) {
            byte[] original = new byte[(int) file.length()];
            file.readFully(original);
            for (int i = 0; i < count; i++) {
                int changes = 1 + random.nextInt(4);
                long[] places = new long[changes];
                for (int j = 0; j < changes; j++) {
                    places[j] = random.nextInt(random.nextBoolean() ? 160 : original.length);
                    file.seek(places[j]);
                    file.write(random.nextBoolean() ? random.nextInt() : original[(int) places[j]] ^ 1);
                }
                ImageEntries entries = entries(image);
                problems(entries);
                try {
                    assertThat(contents(entries).size()).isLessThanOrEqualTo(original.length / 16);
                    entries.count();
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining("damaged");
                }
                for (long place : places) {
                    file.seek(place);
                    file.write(original[(int) place]);
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
        try (ArenaImage image = ArenaImage.open(base)) {
            long before = store(base, entries(image), byteOffset, value);
            try {
                return use.use(entries(image));
            } finally {
                store(base, entries(image), byteOffset, before);
            }
        }
    }

    private static long store(Path base, ImageEntries entries, long byteOffset, long value) throws IOException {
        try (ArenaImage image = ArenaImage.open(base);
                RandomAccessFile file = new RandomAccessFile(file(base, image), "rw")) {
            file.seek(byteOffset);
            long before = Long.reverseBytes(file.readLong());
            file.seek(byteOffset);
            file.writeLong(Long.reverseBytes(value));
            return before;
        }
    }

    private static java.io.File file(Path base, ArenaImage image) throws IOException {
        Allocation allocation = image.find("map").orElseThrow();
        assertThat(allocation.byteOffset()).isZero();
        return ImageFiles.data(base, allocation.file()).toFile();
    }

    /// Copies an image while its owner has it open, as a kill leaves it.
    private Path killed(long size) throws IOException {
        Path copy = base.resolveSibling("copy");
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(BOOT).build();
                ArenaImage image = ArenaImage.open(base)) {
            fill(arena, size);
            image.copyTo(copy);
        }
        return copy;
    }

    private static ImageLongMap fill(InfiniteArena arena, long size) {
        ImageLongMap map = arena.longMap("map");
        for (long key = 0; key < size; key++) {
            map.put(key, ~key);
        }
        return map;
    }

    private static Map<Long, Long> model(long size) {
        Map<Long, Long> model = new HashMap<>();
        for (long key = 0; key < size; key++) {
            model.put(key, ~key);
        }
        return model;
    }

    private static ImageEntries entries(ArenaImage image) throws IOException {
        return image.entries(image.find("map").orElseThrow()).orElseThrow();
    }

    private static Map<Long, Long> contents(ImageEntries entries) throws IOException {
        Map<Long, Long> contents = new HashMap<>();
        for (ImageEntries.Cursor cursor = entries.cursor(); cursor.next();) {
            MemorySegment bytes = cursor.entries();
            for (int i = 0; i < cursor.count(); i++) {
                contents.put(bytes.get(LONG, i * 16L), bytes.get(LONG, i * 16L + 8));
            }
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
