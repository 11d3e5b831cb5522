package dev.arenakit.mapped;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests memory and maps that grow on disks that are full to the last block, as [FullDiskTest] does for other memory.
/// Each scenario is a process, which takes a second.
class FullGrowthTest extends InDirectory {
    private static final long DISK_BYTE_SIZE = 16L << 20;

    FullGrowthTest() {
        super(TestFileSystem.BUILD);
    }

    private static ProcessBuilder command(Class<?> main, String scenario, Path disk) {
        return ChildJvm.granted().command(main, scenario, disk.toString());
    }

    private void runOnTmpfs(String scenario) throws Exception {
        runOnTmpfs("16m", Child.class, scenario);
    }

    private void runOnTmpfs(String byteSize, Class<?> main, String scenario) throws Exception {
        Path disk = directory.resolve("disk");
        assertThat(SmallDisk.run("size=" + byteSize, disk, command(main, scenario, disk))).containsExactly("done");
    }

    private void runOnExt4(Class<?> main, String scenario, String... options) throws Exception {
        try (LoopDisk disk = LoopDisk.mount(directory, DISK_BYTE_SIZE, options)) {
            assertThat(ChildJvm.run(command(main, scenario, disk.root()))).isEqualTo("done\n");
            assertThat(disk.check()).isEmpty();
        }
    }

    @Test
    @Tag("full")
    void grow_reservedUntilTmpfsIsFull_everyBlockCanBeStored() throws Exception {
        runOnTmpfs("reserved");
    }

    @Test
    @Tag("full")
    void grow_reservedUntilExt4IsFull_everyBlockCanBeStored() throws Exception {
        runOnExt4(Child.class, "reserved", "-b", "1024");
    }

    @Test
    @Tag("full")
    void growStored_inASparseArenaUntilExt4IsFull_everyBlockCanBeStored() throws Exception {
        runOnExt4(Child.class, "stored", "-b", "4096");
    }

    @Test
    @Tag("full")
    void append_toATableInASparseArenaUntilTmpfsIsFull_keepsEachRow() throws Exception {
        runOnTmpfs("2m", Child.class, "table");
    }

    @Test
    @Tag("full")
    void growStored_refusedHalfway_givesTheBlocksBack() throws Exception {
        // With inodes for as many small files as there are blocks.
        runOnExt4(Child.class, "fragmented", "-b", "1024", "-i", "1024");
    }

    @Test
    @Tag("full")
    void growStored_onADiskThatIsFullOfFreedMemory_freesItFirst() throws Exception {
        runOnTmpfs("freed");
    }

    @Test
    @Tag("full")
    void grow_killed_leavesWhatWasWrittenAndGrowsFromThere() throws Exception {
        kill(1);
    }

    @Test
    @Tag("slow")
    void grow_killedManyTimes_leavesWhatWasWrittenAndGrowsFromThere() throws Exception {
        kill(20);
    }

    private void kill(int kills) throws Exception {
        for (int i = 0; i < kills; i++) {
            long written = writeUntilKilled(300 + 7 * i);
            try (InfiniteArena arena = InfiniteArena.builder(base).reserved().reopen()) {
                GrowableSegment memory = arena.names().growable("bytes", Child.BYTES, 1);
                assertThat(memory.byteSize()).isBetween(written, written + 3 * 40_000);
                MemorySegment segment = memory.segment();
                for (long at = 0; at < written; at += 8) {
                    assertThat(segment.get(JAVA_LONG, at) == at + 1).isTrue();
                }
                long before = memory.byteSize();
                MemorySegment grown = memory.grow(before + 40_000).asSlice(before);
                assertThat(grown.mismatch(MemorySegment.ofArray(new byte[40_000]))).isEqualTo(-1);
                arena.names().free("bytes");
            }
        }
    }

    /// @return the last size that was acknowledged
    private long writeUntilKilled(long outputByteSize) throws Exception {
        Path output = directory.resolve("output");
        List<String> lines = KilledWriter.kill(command(Child.class, "write", base), output, outputByteSize, 0)
                .lines()
                .toList();
        // The last line may be cut.
        return Long.parseLong(lines.get(lines.size() - 2));
    }

    /// Scenarios of memory that grows on a small disk until the disk is full. They print what is wrong, and the last line
    /// is `done`.
    static final class Child {
        static final StructType BYTES = NamedAllocations.structOf(JAVA_BYTE);
        private static final long LARGEST = 1L << 38;
        private static final int STEP = 300_000;
        /// Less than a block.
        private static final int STRIDE = 128;

        private Child() {}

        public static void main(String[] arguments) throws IOException {
            ChildJvm.endWithParent();
            Path directory = Path.of(arguments[1]);
            switch (arguments[0]) {
                case "reserved" ->
                    fill(InfiniteArena.builder(directory.resolve("memory")).reserved(), directory, false);
                case "stored" ->
                    fill(InfiniteArena.builder(directory.resolve("memory")).chunked(1 << 20), directory, true);
                case "table" -> fillTable(InfiniteArena.builder(directory.resolve("memory")), directory);
                case "fragmented" -> fragmented(directory);
                case "freed" -> freed(directory);
                case "write" -> write(directory);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
            System.out.println("done");
        }

        /// Grows until the disk is full, fills what is left by other means, and only then stores to every block.
        private static void fill(InfiniteArenaBuilder builder, Path directory, boolean stored) throws IOException {
            try (InfiniteArena arena = builder.build()) {
                GrowableMemory memory = arena.names().growable("bytes", BYTES, LARGEST).memory();
                LongConsumer growth = stored ? memory::growStored : memory::grow;
                long byteSize = 0;
                for (int step = STEP; step > 0; step /= 2) {
                    try {
                        while (true) {
                            growth.accept(byteSize + step);
                            byteSize += step;
                        }
                    } catch (DiskFullException e) {
                        FullDiskChild.expect(String.valueOf(e.getMessage()).contains("free space"),
                                String.valueOf(e.getMessage()));
                        FullDiskChild.expect(memory.byteSize() == byteSize,
                                "size " + memory.byteSize() + " instead of " + byteSize);
                        FullDiskChild.expect(Files.size(directory.resolve("memory-0")) == byteSize, "size of the file");
                    }
                }
                FullDiskChild.expect(byteSize > 10 << 20, "byteSize=" + byteSize);
                Path filler = FullDiskChild.fillRest(directory);
                for (long i = 0; i < byteSize; i += STRIDE) {
                    memory.segment().set(JAVA_BYTE, i, (byte) (i * 31 | 1));
                }
                long written = byteSize;
                FullDiskChild.expectFull(() -> growth.accept(written + (1 << 20)));
                arena.force();
                Files.delete(filler);
            }
            try (ArenaImage image = ArenaImage.open(directory.resolve("memory")); Arena arena = Arena.ofConfined()) {
                MemorySegment segment = image.segment(image.find("bytes").orElseThrow(), arena);
                for (long i = 0; i < segment.byteSize(); i += STRIDE) {
                    FullDiskChild.expect(segment.get(JAVA_BYTE, i) == (byte) (i * 31 | 1), "byte " + i);
                }
            }
        }

        /// Appends rows until the disk is full, fills what is left by other means, and changes all rows.
        private static void fillTable(InfiniteArenaBuilder builder, Path directory) throws IOException {
            Path filler;
            long size = 0;
            try (InfiniteArena arena = builder.build()) {
                GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
                try {
                    while (true) {
                        table.append(TableRow.of(size));
                        size++;
                    }
                } catch (DiskFullException _) {
                    FullDiskChild.expect(table.size() == size, "size " + table.size() + " instead of " + size);
                    FullDiskChild.expect(size > 10_000, "size=" + size);
                }
                filler = FullDiskChild.fillRest(directory);
                for (long index = 0; index < size; index++) {
                    table.set(index, TableRow.of(index + 1));
                }
                FullDiskChild.expectFull(() -> table.append(TableRow.of(0)));
                arena.force();
                Files.delete(filler);
            }
            try (InfiniteArena arena = builder.reopen()) {
                GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
                for (long index = 0; index < size; index++) {
                    FullDiskChild.expect(table.get(index).equals(TableRow.of(index + 1)), "row " + index);
                }
            }
        }

        /// Grows by as much as is free, in pieces so small that their index needs blocks, too. The file system allocates
        /// some of them before it finds the disk full.
        private static void fragmented(Path directory) throws IOException {
            try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("memory"))) {
                GrowableMemory memory = arena.names().growable("bytes", BYTES, LARGEST).memory();
                memory.growStored(1 << 20).fill((byte) 1);
                Path pieces = Files.createDirectory(directory.resolve("pieces"));
                int count = fillByPieces(pieces);
                for (int i = 0; i < count; i += 2) {
                    Files.delete(pieces.resolve(Integer.toString(i)));
                }
                arena.force();
                long free = directory.toFile().getFreeSpace();
                FullDiskChild.expect(free > 1 << 20, "free=" + free);
                long size = Files.size(directory.resolve("memory-0"));
                FullDiskChild.expectFull(() -> memory.growStored(size + free));
                arena.force();
                FullDiskChild.expect(Files.size(directory.resolve("memory-0")) == size, "size of the file");
                // The index of the file may keep a few blocks.
                long lost = free - directory.toFile().getFreeSpace();
                FullDiskChild.expect(lost < 1 << 14, "blocks that were not given back: " + lost);
                memory.growStored(size + free / 2).asSlice(size).fill((byte) 2);
            }
        }

        private static int fillByPieces(Path directory) throws IOException {
            int count = 0;
            try {
                while (true) {
                    Files.write(directory.resolve(Integer.toString(count)), new byte[1024]);
                    count++;
                }
            } catch (IOException _) {
                // The disk is full. The last piece is empty.
                Files.deleteIfExists(directory.resolve(Integer.toString(count)));
                return count;
            }
        }

        /// Growth frees the space of freed allocations when it finds the disk full.
        private static void freed(Path directory) {
            try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("memory"))) {
                GrowableMemory memory = arena.names().growable("bytes", BYTES, LARGEST).memory();
                arena.free(arena.allocate(9 << 20, 1).fill((byte) 7));
                memory.growStored(9 << 20).fill((byte) 1);
                FullDiskChild.expectFull(() -> memory.growStored(18 << 20));
                memory.segment().fill((byte) 2);
            }
        }

        /// Grows, writes the number of each piece into all of it, and prints the number, until the process is killed.
        private static void write(Path base) {
            InfiniteArena arena = InfiniteArena.builder(base).reserved().openOrCreate();
            GrowableSegment memory = arena.names().growable("bytes", BYTES, LARGEST);
            while (true) {
                long from = memory.byteSize();
                MemorySegment piece = memory.grow(from + 40_000).asSlice(from);
                for (long i = 0; i < 40_000; i += 8) {
                    piece.set(JAVA_LONG, i, from + i + 1);
                }
                System.out.println(from + 40_000);
            }
        }
    }

    @Test
    @Tag("full")
    void put_wheneverTheDiskIsFull_isRefusedWithoutAChange() throws Exception {
        runOnTmpfs("16m", Filler.class, "sparse");
    }

    @Test
    @Tag("full")
    void put_inAReservedArenaWheneverTheDiskIsFull_isRefusedWithoutAChange() throws Exception {
        runOnExt4(Filler.class, "reserved", "-b", "1024");
    }

    /// Puts pairs. The disk is full each time, until the map needs memory.
    static final class Filler {
        private static final int PAIRS = 20_000;

        private final NumberedStructure map;
        private final Map<Integer, Long> model = new HashMap<>();
        private int next;

        private Filler(NumberedStructure map) {
            this.map = map;
        }

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[1]);
            InfiniteArenaBuilder builder = InfiniteArena.builder(directory.resolve("memory"));
            int refused = 0;
            try (InfiniteArena arena = (arguments[0].equals("reserved") ? builder.reserved() : builder).build()) {
                Filler filler = new Filler(NumberedStructure.Kind.LONG_MAP.open(arena));
                while (filler.model.size() < PAIRS) {
                    Path full = FullDiskChild.fillRest(directory);
                    filler.putUntilRefused();
                    filler.useWithoutGrowth();
                    Files.delete(full);
                    // The first key gets the slot that was freed, and the second key makes the map grow.
                    filler.put();
                    filler.put();
                    refused++;
                }
                filler.check();
            }
            FullDiskChild.expect(refused > 5, "refused=" + refused);
            using(InfiniteArena.builder(directory.resolve("memory")).reopen(),
                    arena -> FullDiskChild.expect(NumberedStructure.Kind.LONG_MAP.open(arena).size() >= PAIRS, "size"));
            System.out.println("done");
        }

        private void putUntilRefused() {
            try {
                while (true) {
                    put();
                }
            } catch (DiskFullException _) {
                check();
            }
        }

        /// A removed pair makes room for another key.
        private void useWithoutGrowth() {
            int removed = next - 1;
            map.remove(removed);
            model.remove(removed);
            int replaced = next - 2;
            map.put(replaced, -1);
            model.put(replaced, -1L);
            check();
        }

        private void put() {
            map.put(next, next);
            model.put(next, (long) next);
            next++;
        }

        private void check() {
            FullDiskChild.expect(map.size() == model.size(), "size " + map.size() + " instead of " + model.size());
            FullDiskChild.expect(map.contents().equals(model), "contents");
        }
    }
}
