package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class HugePagesTest {
    private static final Path MAPPINGS = Path.of("/proc/self/smaps");
    private static final long HUGE_PAGE = 2 << 20;
    private static final long BYTE_SIZE = 8 << 20;

    @BeforeEach
    void checkSystem() {
        assumeTrue(Files.isReadable(MAPPINGS) && Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage")),
                "This system has no transparent huge pages");
    }

    @Test
    void allocate_largeTableOfMallocArena_isAdvisedAndAligned() throws IOException {
        try (TableMemory memory = TableMemory.owning(MallocArena::ofConfined)) {
            long address = memory.allocate(BYTE_SIZE, 8).segment.address();
            assertThat(address % HUGE_PAGE).isZero();
            assertThat(flags(address)).contains("hg");
        }
    }

    @Test
    void grow_blockOfMallocArena_isAdvised() throws IOException {
        try (MallocArena arena = MallocArena.ofConfined(); TableMemory memory = TableMemory.of(arena)) {
            Table grown = memory.resize(memory.allocate(64, 8), 64, BYTE_SIZE, 8);
            assertThat(flags(grown.segment.address() + HUGE_PAGE)).contains("hg");
        }
    }

    @Test
    @Tag("full")
    void tagged_newForManyEntries_hasHugePagesForItsSlotsOnlyAfterGrowth() throws IOException {
        // Its table is so large that malloc does not reuse the memory of an earlier table.
        int expected = 1_000_000;
        try (LongLongMap map = LongLongMap.tagged().owning(MallocArena::ofConfined, expected)) {
            long before = advisedByteSize();
            try (LongLongMap other = LongLongMap.tagged().owning(MallocArena::ofConfined, expected)) {
                assertThat(advisedByteSize() - before).isLessThan(other.byteSize() / 2);
            }
            long byteSize = map.byteSize();
            for (long i = 0; map.byteSize() == byteSize; i++) {
                map.put(i, i);
            }
            assertThat(advisedByteSize() - before).isGreaterThan(map.byteSize() / 2);
        }
    }

    @Test
    void allocate_tableOfAnotherArena_isNotAdvised() throws IOException {
        try (TableMemory memory = TableMemory.owning(Arena::ofConfined)) {
            // The table is so large that malloc does not reuse the memory of an earlier table.
            long address = memory.allocate(64 << 20, 8).segment.address();
            assertThat(flags(address + HUGE_PAGE)).doesNotContain("hg");
        }
    }

    /// Returns the size of all mappings that are advised.
    private static long advisedByteSize() throws IOException {
        long byteSize = 0;
        long sum = 0;
        for (String line : Files.readAllLines(MAPPINGS)) {
            if (line.startsWith("Size:")) {
                byteSize = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            } else if (line.startsWith("VmFlags:") && List.of(line.split(" ", -1)).contains("hg")) {
                sum += byteSize;
            }
        }
        return sum;
    }

    /// Returns the flags of the mapping of an address.
    private static List<String> flags(long address) throws IOException {
        boolean isFound = false;
        for (String line : Files.readAllLines(MAPPINGS)) {
            String range = line.substring(0, line.indexOf(' '));
            if (range.matches("[0-9a-f]+-[0-9a-f]+")) {
                String[] bounds = range.split("-", -1);
                isFound = Long.compareUnsigned(Long.parseUnsignedLong(bounds[0], 16), address) <= 0
                        && Long.compareUnsigned(Long.parseUnsignedLong(bounds[1], 16), address) > 0;
            } else if (isFound && range.equals("VmFlags:")) {
                return List.of(line.substring(range.length()).trim().split(" ", -1));
            }
        }
        throw new AssertionError("No mapping has the address: 0x" + Long.toHexString(address));
    }
}
