package dev.arenakit.internal.pool.stock;

import dev.arenakit.CountingAllocator;
import dev.arenakit.PoolUse;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SharedSlabCacheTest {
    private static final long SLAB = 64 * 1024;
    /// Several times the number of slots on any machine with fewer than 64 processors.
    private static final int COUNT = 2_000;

    @Test
    void slabsBeyondTheSlots_areReusedAndFreed() {
        CountingAllocator counting = new CountingAllocator();
        try (SlabPool pool = SlabPool.builder().allocator(counting.allocator()).build()) {
            Set<Long> first = openMany(pool);
            assertThat(first).hasSize(COUNT);
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(0, 0, COUNT * SLAB, Long.MAX_VALUE));

            assertThat(openMany(pool)).isEqualTo(first);
            assertThat(pool.trim()).isEqualTo(COUNT * SLAB);
            assertThat(openMany(pool)).hasSize(COUNT);
        }
        counting.assertNothingHeld();
    }

    private static Set<Long> openMany(SlabPool pool) {
        List<SlabArena> arenas = new ArrayList<>();
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < COUNT; i++) {
            SlabArena arena = pool.openConfined();
            arenas.add(arena);
            addresses.add(arena.allocate(8, 8).address());
        }
        arenas.forEach(SlabArena::close);
        return addresses;
    }
}
