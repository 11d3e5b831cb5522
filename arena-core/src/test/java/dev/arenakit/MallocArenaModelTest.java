package dev.arenakit;

import dev.arenakit.internal.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Seeded random sessions, compared with a list of the blocks that should be live.
class MallocArenaModelTest {
    private record Live(MemorySegment segment, long byteAlignment, int seed) {}

    private final CountingAllocator counting = new CountingAllocator();

    @ParameterizedTest
    @EnumSource
    void session_anyOperations_preservesAndFreesEveryBlock(MallocKind kind) {
        for (int seed = 0; seed < 10; seed++) {
            Random random = new Random(seed);
            List<Live> live = new ArrayList<>();
            try (MallocArena arena = kind.open(counting.allocator())) {
                // Half of the sessions free their first block late, so that the index is built from a long log.
                int quiet = seed % 2 == 0 ? 0 : 100;
                for (int i = 0; i < 200; i++) {
                    step(arena, live, random, i < quiet ? 0 : random.nextInt(6));
                }
                live.forEach(MallocArenaModelTest::assertIntact);
                assertThat(arena.stats()).isEqualTo(new MallocArenaStatistics("", live.size(),
                        live.stream().mapToLong(each -> each.segment.byteSize()).sum(), counting.bytes()));
                assertThat(counting.blocks()).as("live blocks and one table")
                        .isBetween((long) live.size(),
                                live.size() + 1L);
            }
            counting.assertNothingHeld();
        }
    }

    private void step(MallocArena arena, List<Live> live, Random random, int choice) {
        long byteSize = random.nextLong(1L << random.nextInt(1, 13));
        if (choice < 2 || live.isEmpty()) {
            long byteAlignment = 1L << random.nextInt(13);
            MemorySegment segment = choice == 0
                    ? arena.allocate(byteSize, byteAlignment)
                    : arena.allocateZeroed(byteSize, byteAlignment);
            assertThat(choice == 0 || Bytes.allAre(segment, (byte) 0)).isTrue();
            live.add(filled(segment, byteAlignment, random));
            return;
        }
        if (choice == 5) {
            MemorySegment given = Memory.segment(counting.allocator().allocate(byteSize, 1), byteSize);
            live.add(filled(arena.adopt(given), 1, random));
            return;
        }
        Live taken = live.remove(random.nextInt(live.size()));
        assertIntact(taken);
        if (choice == 2) {
            MemorySegment moved = arena.reallocate(taken.segment, byteSize);
            assertThat(Bytes.areFilled(moved, taken.seed, Math.min(byteSize, taken.segment.byteSize()))).isTrue();
            live.add(filled(moved, taken.byteAlignment, random));
        } else {
            arena.free(taken.segment);
            assertThatThrownBy(() -> arena.free(taken.segment)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Live filled(MemorySegment segment, long byteAlignment, Random random) {
        int seed = random.nextInt();
        Bytes.fill(segment, seed);
        Live live = new Live(segment, byteAlignment, seed);
        assertIntact(live);
        return live;
    }

    private static void assertIntact(Live live) {
        assertThat(Bytes.areFilled(live.segment, live.seed, live.segment.byteSize())).isTrue();
        assertThat(live.segment.address() % live.byteAlignment).isZero();
    }
}
