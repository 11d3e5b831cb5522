package dev.arenakit.diagnostics;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Budgets that several threads use.
class MemoryBudgetThreadTest {
    private static final int THREADS = 4;

    @Test
    void allocate_byManyThreads_neverExceedsTheLimit() {
        MemoryBudget root = MemoryBudget.root("root", 1000);
        AtomicLong live = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        Threads.race(THREADS, index -> {
            MemoryBudget budget = root.child("thread" + index, 600);
            for (int i = 0; i < 5_000; i++) {
                long byteSize = 100L + 50L * (i % 5);
                try (Arena arena = budget.wrap(Arena.ofConfined())) {
                    arena.allocate(byteSize, 1);
                    assertThat(live.addAndGet(byteSize)).isLessThanOrEqualTo(1000);
                    live.addAndGet(-byteSize);
                } catch (BudgetExceededException e) {
                    refused.incrementAndGet();
                }
            }
            budget.close();
        });
        assertThat(root.stats().reservedByteSize()).isZero();
        assertThat(root.stats().peakByteSize()).isGreaterThanOrEqualTo(300);
        root.close();
    }

    @Test
    @Tag("full")
    void close_whileOtherThreadsAllocate_releasesEverything() {
        MemoryBudget budget = MemoryBudget.root("root", Long.MAX_VALUE);
        for (int round = 0; round < 100; round++) {
            Arena arena = budget.wrap(Arena.ofShared());
            Threads.race(3, index -> {
                if (index == 0) {
                    arena.close();
                    return;
                }
                try {
                    while (true) {
                        arena.allocate(8, 8);
                    }
                } catch (IllegalStateException e) {
                    assertThat(arena.scope().isAlive()).isFalse();
                }
            });
            assertThat(budget.stats().reservedByteSize()).isZero();
        }
        budget.close();
    }

    @Test
    @Tag("full")
    void close_whileArenasAndPoolsAreOpened_refusesOrIsRefused() {
        for (int round = 0; round < 200; round++) {
            MemoryBudget budget = MemoryBudget.root("root", Long.MAX_VALUE);
            Threads.race(3, index -> {
                try {
                    switch (index) {
                        case 0 -> budget.close();
                        case 1 -> budget.wrap(Arena.ofConfined()).close();
                        default -> budget.child("child", 1).close();
                    }
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageStartingWith("Budget is ");
                }
            });
            budget.close();
            assertThat(budget.stats().openArenas()).isZero();
        }
    }

    @Test
    void pools_ofOneBudget_areRefusedAndRecover() {
        long slab = 64 * 1024;
        MemoryBudget budget = MemoryBudget.root("root", 3 * slab);
        Threads.race(THREADS, index -> {
            try (SlabPool pool = SlabPool.builder().maxIdleByteSize(0).budget(budget).build()) {
                for (int i = 0; i < 500; i++) {
                    try (SlabArena arena = pool.openConfined()) {
                        arena.allocate(slab, 8);
                        assertThat(budget.stats().reservedByteSize()).isPositive();
                    } catch (BudgetExceededException e) {
                        assertThat(e.limit()).isEqualTo(3 * slab);
                    }
                }
            }
        });
        assertThat(budget.stats().reservedByteSize()).isZero();
        budget.close();
    }
}
