package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.StoredEntries.Kind;
import dev.arenakit.mapped.StoredEntries.Structure;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.mapped.StoredEntries.BOOT;
import static dev.arenakit.mapped.StoredEntries.COUNT;
import static dev.arenakit.mapped.StoredEntries.NAME;
import static dev.arenakit.mapped.StoredEntries.assertEntries;
import static dev.arenakit.mapped.StoredEntries.contents;
import static dev.arenakit.mapped.StoredEntries.entries;
import static dev.arenakit.mapped.StoredEntries.file;
import static dev.arenakit.mapped.StoredEntries.fill;
import static dev.arenakit.mapped.StoredEntries.killed;
import static dev.arenakit.mapped.StoredEntries.model;
import static dev.arenakit.mapped.StoredEntries.problems;
import static dev.arenakit.mapped.StoredEntries.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ImageEntriesTest extends InDirectory {
    private static final int MUTATIONS = 60;

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
            LongStream.range(0, 5_000).forEach(structure.put());
            LongStream.range(100, 5_000).forEach(structure.remove());
            LongStream.range(50, 60).forEach(structure.replace());
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertEntries(entries(image), kind, 100);
            assertThat(problems(entries(image))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("full")
    void entries_owned_areReadBesideTheOwner(Kind kind) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            LongStream.range(0, 100).forEach(structure.put());
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.OPEN);
            assertEntries(entries, kind, 100);
            // The memory grows beyond the record that was read.
            LongStream.range(100, 20_000).forEach(structure.put());
            assertThat(entries.count()).isEqualTo(20_000);
            assertEntries(entries, kind, 20_000);
            assertThat(problems(entries)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entries_killedOwner_areCountedAgain(Kind kind) throws IOException {
        Path copy = killed(base, kind, 1_000);
        store(copy, kind.isTree() ? COUNT + 8 : COUNT, 7);
        try (ArenaImage image = ArenaImage.open(copy, BOOT)) {
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.KILLED);
            assertThat(entries.recordedCount()).isEqualTo(7);
            assertThat(entries.count()).isEqualTo(1_000);
            assertEntries(entries, kind, 1_000);
            assertThat(problems(entries)).isEmpty();
            for (long count : new long[]{-1, 1L << 32, Long.MAX_VALUE}) {
                store(copy, kind.isTree() ? COUNT + 8 : COUNT, count);
                assertThat(entries(image).recordedCount()).isEqualTo(-1);
            }
        }
    }

    @Test
    void entries_lostMap_areTheIntactOnes() throws IOException {
        Kind kind = Kind.LONG_MAP;
        Path copy = killed(base, kind, 1_000);
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
            LongStream.range(0, 1_000).forEach(structure.put());
            arena.force();
            LongStream.range(500, 2_000).forEach(structure.put());
            image.copyTo(copy);
        }
        try (ArenaImage image = ArenaImage.open(copy, BOOT + 1)) {
            ImageEntries entries = entries(image);
            assertThat(entries.state()).isEqualTo(StructureState.FORCED);
            assertThat(entries.count()).isEqualTo(1_000);
            assertEntries(entries, kind, 1_000);
            assertThat(problems(entries)).singleElement().asString().contains("stored=2000, forced=1000");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void copy_changedMeanwhile_isAsAfterAFailureOfTheMachine(Kind kind) throws IOException {
        Path copy = base.resolveSibling("copy");
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            LongStream.range(0, 1_000).forEach(structure.put());
            arena.force();
            long[] next = {1_000};
            image.copyTo(copy, _ -> structure.put().accept(next[0]++));
        }
        try (ArenaImage image = ArenaImage.open(copy)) {
            assertThat(entries(image).state()).isEqualTo(kind.isTree() ? StructureState.FORCED : StructureState.LOST);
            assertThat(contents(entries(image))).containsAll(model(kind, 1_000));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entries_ofAnUnfinishedStructure_areNone(Kind kind) throws IOException {
        Path copy = killed(base, kind, 10);
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
            arena.names().allocate(NAME, ValueLayout.JAVA_LONG, 10);
            arena.allocate(16, 8);
            for (Allocation allocation : image.allocations().toList()) {
                assertThat(image.entries(allocation)).isEmpty();
            }
        }
    }

    @Test
    void entries_ofAMapOfRecordsOfAnOldBuild_areRefusedByName() throws IOException {
        String refusal = "This build does not read structures of this kind: name=structure, kind=ImageMap; read it with"
                + " the build that has written it";
        Path copy = base.resolveSibling("copy");
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            StructType type = StructType.builder("ImageMap")
                    .add("key", RecordMapper.of(Id.class).type())
                    .add("value", RecordMapper.of(Id.class).type())
                    .build();
            writeHeaderOfMap(arena.names().growable(NAME, type, 1_000).grow(3 * StructureFormat.BYTE_SIZE));
            assertThatIOException().isThrownBy(() -> entries(image)).withMessage(refusal);
            assertThatIllegalArgumentException().isThrownBy(() -> arena.structures().repair(NAME)).withMessage(refusal);
            assertThatIllegalStateException().isThrownBy(() -> arena.structures().tree(NAME, Long.class, Id.class));
            assertThatIllegalStateException().isThrownBy(() -> arena.structures().longMap(NAME));
            assertThat(image.integrity().problems()).isEmpty();
        }
        assertThat(ImageFiles.repair(base, copy)).extracting(ImageFiles.Repair::description)
                .anyMatch(repair -> repair.contains(refusal));
        assertThat(file(copy)).hasSameBinaryContentAs(file(base));
    }

    record Id(long number) {}

    /// Writes the header of a closed map of records, whose kind has the code 2.
    private static void writeHeaderOfMap(MemorySegment memory) {
        memory.set(StructureFormat.INT, StructureFormat.KIND, 2);
        memory.set(StructureFormat.INT, StructureFormat.FORMAT_VERSION, StructureFormat.VERSION);
        memory.set(StructureFormat.INT, StructureFormat.KEY_SIZE, Long.BYTES);
        memory.set(StructureFormat.INT, StructureFormat.VALUE_SIZE, Long.BYTES);
        memory.set(StructureFormat.LONG, StructureFormat.STATE, StructureFormat.CLOSED);
        long checksum = StructureFormat.MAGIC;
        for (long at = Long.BYTES; at < StructureFormat.CHECKSUM; at += Long.BYTES) {
            checksum = StructureFormat.mix(checksum, memory.get(StructureFormat.LONG, at));
        }
        memory.set(StructureFormat.LONG, StructureFormat.CHECKSUM, checksum);
        memory.set(StructureFormat.LONG, 0, StructureFormat.MAGIC);
        assertThat(StructureFormat.isIntact(memory)).isTrue();
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

    @ParameterizedTest
    @EnumSource(Kind.class)
    void read_besideAWriter_passesWholeEntries(Kind kind) throws Exception {
        read(kind, 50);
    }

    /// Both halves of the value are the same number.
    @Test
    void read_besideAWriterOfOneValue_passesWholeValues() throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            ImageLongMap map = arena.structures().longMap(NAME);
            map.put(7, 0);
            Thread writer = Thread.ofPlatform().start(() -> {
                for (long half = 0; !isDone.get(); half = half + 1 & 0xFFFF_FFFFL) {
                    map.put(7, half << 32 | half);
                }
            });
            try {
                for (int i = 0; i < 1_000; i++) {
                    ImageEntries.Cursor cursor = entries(image).cursor();
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.count()).isOne();
                    long value = cursor.entries().get(ValueLayout.JAVA_LONG, Long.BYTES);
                    assertThat((int) value).isEqualTo((int) (value >>> 32));
                }
            } finally {
                isDone.set(true);
                writer.join();
            }
        }
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
        NavigableSet<String> model = model(kind, 500);
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            Thread writer = Thread.ofPlatform().start(() -> {
                Random random = new Random(1);
                while (!isDone.get()) {
                    long key = random.nextInt(500);
                    if (random.nextInt(3) > 0) {
                        structure.put().accept(key);
                    } else {
                        structure.remove().accept(key);
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

    @Test
    void check_damagedMapOfLongs_isDescribed() throws IOException {
        fill(base, Kind.LONG_MAP, 1_000);
        long pair = firstPosition();
        assertThat(problemsWith(pair + 8, 4711)).singleElement()
                .asString()
                .matches("Check of a group is wrong: offset=0x[0-9a-f]+, index=0, keys=\\[[0-9, ]+]");
        assertThat(problemsWith(pair, 1L << 60)).hasSizeBetween(2, 4)
                .anySatisfy(problem -> assertThat(problem).startsWith("Entry "));
        assertThat(problemsWith(COUNT, 999)).containsExactly("Number of entries is wrong: recorded=999, found=1000");
        assertThat(problemsWith(COUNT + 8, -1)).containsExactly("Number of removed entries is wrong: erosion=-1");
        assertThat(problemsWith(128, -1)).singleElement().asString().startsWith("Structure is damaged: name=structure");
        assertThat(problemsWith(24, 5)).containsExactly("Header of a structure is damaged: name=structure");
        assertThat(problemsWith(0, 1)).containsExactly("Header of a structure is damaged: name=structure");
        assertThatThrownBy(() -> with(24, 5, ImageEntries::cursor)).isInstanceOf(IOException.class)
                .hasMessage("Header of a structure is damaged: name=structure");
    }

    @Test
    void check_damagedTree_isDescribed() throws IOException {
        fill(base, Kind.LONG_TREE, 1_000);
        assertThat(problemsWith(COUNT + 8, 999)).contains("Number of entries is wrong: recorded=999, found=1000");
        assertThat(problemsWith(128, 1L << 56 | 7000)).isNotEmpty();
        assertThat(problemsWith(4096 + 320, -1)).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("full")
    void mutations_any_areReadOrRefused(Kind kind) throws IOException {
        mutate(kind, MUTATIONS, 1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("slow")
    void mutations_many_areReadOrRefused(Kind kind) throws IOException {
        mutate(kind, 100_000, 2);
    }

    private void mutate(Kind kind, int count, long seed) throws IOException {
        Path copy = killed(base, kind, 300);
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

    private List<String> problemsWith(long byteOffset, long value) throws IOException {
        return with(byteOffset, value, StoredEntries::problems);
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

    private interface Use<T> {
        T use(ImageEntries entries) throws IOException;
    }
}
