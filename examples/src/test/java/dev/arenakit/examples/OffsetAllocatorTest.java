package dev.arenakit.examples;

import dev.arenakit.OffsetAllocator;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// An allocator over a large allocation of an `InfiniteArena`. The file takes space for touched pages only.
class OffsetAllocatorTest {
    private static final int BLOCKS = 10_000;

    @Test
    void blocks_ofASparseFile_areAllocatedAndFreedOneByOne(@TempDir Path directory) {
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("heap")).chunked().confined().build()) {
            useAndFree(OffsetAllocator.over(arena.allocate(64L << 30, 4096)));
        }
    }

    @Test
    void blocks_ofASparseFileForAllThreads_areAllocatedAndFreedOneByOne(@TempDir Path directory) {
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("heap")).chunked().build()) {
            useAndFree(OffsetAllocator.overShared(arena.allocate(64L << 30, 4096)));
        }
    }

    private static void useAndFree(OffsetAllocator allocator) {
        MemorySegment memory = allocator.memory();
        long[] offsets = new long[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            offsets[i] = allocator.allocateRaw(8 + i % 1_000);
            memory.set(JAVA_LONG, offsets[i], offsets[i]);
        }
        MemorySegment large = allocator.allocate(1L << 30, 1 << 20);
        assertThat(large.address() % (1 << 20)).isZero();
        large.set(JAVA_LONG, (1L << 30) - 8, 42);
        for (long offset : offsets) {
            assertThat(memory.get(JAVA_LONG, offset)).isEqualTo(offset);
            allocator.freeRaw(offset);
        }
        allocator.free(large);
        assertThat(allocator.stats().liveBlocks()).isZero();
    }
}
