package dev.arenakit;

import java.util.ArrayList;
import java.util.List;

/// A main class in which threads open and close arenas of a pool while another thread fills the pool, so that the pool
/// reclaims their slabs while they open arenas. It uses many pools, because each pool does this only once.
final class FullPoolSession {
    private static final int POOLS = 150;
    private static final int THREADS = 6;
    private static final int SLAB = 1024;
    private static final int SLABS = 12;

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < POOLS; i++) {
            SlabPool pool = SlabPool.builder().slabByteSize(SLAB).maxByteSize(SLABS * SLAB).build();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                threads.add(Thread.ofPlatform().start(() -> openAndClose(pool)));
            }
            fill(pool);
            for (Thread thread : threads) {
                thread.join();
            }
            SlabPoolStatistics stats = pool.stats();
            if (stats.openArenas() != 0 || stats.usedByteSize() != 0) {
                throw new AssertionError("lost in pool " + i + ": " + stats);
            }
            pool.close();
        }
        System.out.println("nothing lost");
    }

    private static void openAndClose(SlabPool pool) {
        for (int i = 0; i < 60; i++) {
            try (SlabArena arena = pool.openConfined()) {
                arena.allocate(8);
            } catch (CapacityExceededException e) {
                Thread.onSpinWait();
            }
        }
    }

    private static void fill(SlabPool pool) {
        List<SlabArena> arenas = new ArrayList<>();
        try {
            while (arenas.size() <= SLABS) {
                arenas.add(pool.openShared());
            }
        } catch (CapacityExceededException e) {
            // Full, as intended.
            Thread.onSpinWait();
        } finally {
            arenas.forEach(SlabArena::close);
        }
    }
}
