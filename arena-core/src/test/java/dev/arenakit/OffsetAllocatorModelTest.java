package dev.arenakit;

import dev.arenakit.OffsetAllocatorModel.Opened;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Seeded random operations, compared with a model.
class OffsetAllocatorModelTest {
    @Test
    void anyOperations_overASegment_agreeWithTheModel() {
        for (long seed = 0; seed < 8; seed++) {
            boolean shared = seed % 2 == 1;
            OffsetAllocatorModel.run(seed, 5_000,
                    Opened.over(shared ? Arena.ofShared() : Arena.ofConfined(), shared));
        }
    }

    @Test
    void anyOperations_ofAnArena_agreeWithTheModel() {
        for (long seed = 100; seed < 106; seed++) {
            boolean shared = seed % 2 == 1;
            OffsetAllocatorModel.run(seed, 5_000,
                    Opened.of(shared ? FreeListArena.ofShared() : FreeListArena.ofConfined()));
        }
    }

    @Test
    void anyOperations_ofAnArenaWhoseAllocatorFails_agreeWithTheModelAndLeakNothing() {
        CountingAllocator counting = new CountingAllocator();
        for (long seed = 200; seed < 208; seed++) {
            long every = 2 + seed % 4;
            boolean shared = seed % 2 == 1;
            // The first range is needed to open the arena.
            AtomicLong requests = new AtomicLong();
            FreeListArena.Builder builder = FreeListArena.builder()
                    .allocator(NativeAllocator.failing(counting.allocator(),
                            _ -> requests.incrementAndGet() % every == 0));
            OffsetAllocatorModel.run(seed, 3_000, Opened.of((shared ? builder.shared() : builder).build()));
            counting.assertNothingHeld();
        }
    }

    @Test
    void anyOperations_ofAnArenaOfASmallPool_agreeWithTheModel() {
        try (SlabPool pool = SlabPool.builder().maxByteSize(7 << 20).build()) {
            for (long seed = 300; seed < 304; seed++) {
                OffsetAllocatorModel.run(seed, 5_000, Opened.of(FreeListArena.builder().pool(pool).build()));
            }
        }
    }

    @Test
    @Tag("slow")
    void anyOperations_tenMillion_agreeWithTheModel() {
        for (long seed = 1_000; seed < 1_100; seed++) {
            OffsetAllocatorModel.run(seed, 100_000, Opened.over(Arena.ofConfined(), false));
        }
    }
}
