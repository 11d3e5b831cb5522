package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Threads that free blocks twice, which is an error, while the slabs of these blocks get other size classes. The free
/// is atomic.
@Tag("full")
class OffsetAllocatorThreadTest {
    private static final int SLABS = 64;
    private static final int SLAB_SHIFT = 16;
    private static final int LIVE = 512;
    private static final int SMALL = 64;
    private static final int LARGER = 4_096;
    private static final Set<Integer> REUSED = Set.of(5, 15, 25, 35);

    @Test
    void freeRaw_ofOldBlocksWhileTheirSlabIsUsedAgain_changesNoOtherSlab() {
        freeOldBlocks(100, 16, 64);
        freeOldBlocks(100, 832, 838);
    }

    @Test
    @Tag("slow")
    void freeRaw_ofOldBlocksWhileTheirSlabIsUsedAgainForLong_changesNoOtherSlab() {
        freeOldBlocks(30_000, 16, 64);
        freeOldBlocks(30_000, 832, 838);
        freeOldBlocks(30_000, 576, 1_024);
    }

    /// One thread uses a slab for two size classes in turn, while others free small blocks of it. All other slabs are
    /// full of live blocks, which remain so.
    @SuppressWarnings("ThreadPriorityCheck") // Others get a turn on a machine with few processors.
    private static void freeOldBlocks(int rounds, int firstIndex, int endIndex) {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overSharedAtomic(
                    arena.allocate((SLABS + 1L) << SLAB_SHIFT, 1 << SLAB_SHIFT));
            TreeMap<Long, List<Long>> slabs = new TreeMap<>();
            for (int i = 0; i < SLABS << SLAB_SHIFT; i += LIVE) {
                long block = allocator.allocateRaw(LIVE);
                slabs.computeIfAbsent(block >> SLAB_SHIFT, _ -> new ArrayList<>()).add(block);
            }
            List<Long> old = new ArrayList<>();
            List<Long> all = new ArrayList<>(slabs.keySet());
            for (int index : REUSED) {
                long slab = all.get(index);
                Objects.requireNonNull(slabs.remove(slab)).forEach(allocator::freeRaw);
                for (long i = firstIndex; i < endIndex; i++) {
                    old.add((slab << SLAB_SHIFT) + i * SMALL);
                }
            }
            AtomicBoolean done = new AtomicBoolean();
            Threads.race(5, index -> {
                if (index > 0) {
                    Random random = new Random(index);
                    while (!done.get()) {
                        free(allocator, old.get(random.nextInt(old.size())));
                    }
                    return;
                }
                try {
                    for (int i = 0; i < rounds; i++) {
                        useSlabs(allocator, slabs.keySet());
                        if (i % 8 == 0) {
                            Thread.yield();
                        }
                    }
                } finally {
                    done.set(true);
                }
            });
            refillEverySecond(allocator, slabs);
        }
    }

    private static void useSlabs(OffsetAllocator allocator, Set<Long> full) {
        for (int byteSize : new int[]{SMALL, LARGER}) {
            List<Long> blocks = new ArrayList<>();
            for (int i = 0; i <= (1 << SLAB_SHIFT) / byteSize; i++) {
                long block = allocator.allocateRaw(byteSize);
                assertThat(full).doesNotContain(block >> SLAB_SHIFT);
                blocks.add(block);
            }
            blocks.reversed().forEach(block -> free(allocator, block));
        }
    }

    /// Frees the blocks of half of the slabs. These blocks, and no others, are then allocated again.
    private static void refillEverySecond(OffsetAllocator allocator, Map<Long, List<Long>> slabs) {
        Set<Long> live = new TreeSet<>();
        int i = 0;
        for (List<Long> blocks : new HashMap<>(slabs).values()) {
            if (i++ % 2 == 0) {
                blocks.forEach(allocator::freeRaw);
            } else {
                live.addAll(blocks);
            }
        }
        boolean full = false;
        while (!full) {
            try {
                assertThat(live.add(allocator.allocateRaw(LIVE))).isTrue();
            } catch (CapacityExceededException e) {
                full = true;
            }
        }
        assertThat(live).hasSizeGreaterThanOrEqualTo(slabs.size() * (1 << SLAB_SHIFT) / LIVE);
    }

    private static void free(OffsetAllocator allocator, long block) {
        try {
            allocator.freeRaw(block);
        } catch (IllegalArgumentException e) {
            // Refused, or freed by another thread.
            assertThat(e).hasMessageContaining("Not a live block");
        }
    }
}
