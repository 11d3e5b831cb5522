package dev.arenakit.collection;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.MallocArena;
import dev.arenakit.OffsetAllocator;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Failures of each structure: exhausted memory, a full allocator, use after close, and changes during a visit.
class StructureFailureTest {
    private final TestAllocator allocator = new TestAllocator();

    @ParameterizedTest
    @EnumSource
    void add_anyAllocationRefused_losesNothing(Structures structures) {
        for (int refused = 0; refused < 10; refused++) {
            for (int owning = 0; owning < 2; owning++) {
                allocator.refuseAfter(Long.MAX_VALUE);
                try (Structures.Added structure = owning == 0
                        ? structures.create(allocator, 0)
                        : structures.owning(allocator, 0)) {
                    allocator.refuseAfter(refused);
                    int refusals = 0;
                    for (int i = 0; i < structures.entries(); i++) {
                        try {
                            structure.add(i);
                        } catch (OutOfMemoryError e) {
                            refusals++;
                            structure.assertContains(i);
                            assertThat(allocator.held()).isLessThanOrEqualTo(structures.blocks());
                            // The next attempt succeeds even if it needs a second table, and later attempts fail again.
                            allocator.refuseAfter(8);
                            structure.add(i);
                            allocator.refuseAfter(refused);
                        }
                    }
                    assertThat(refused > 5 || refusals > 0).isTrue();
                    structure.assertContains(structures.entries());
                }
                assertThat(allocator.held()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_anyArenaRefused_losesNothing(Structures structures) {
        for (int most = 0; most < 12; most++) {
            List<Arena> arenas = new ArrayList<>();
            int limit = most;
            Supplier<Arena> limited = () -> {
                if (arenas.size() >= limit) {
                    throw new OutOfMemoryError("Refused");
                }
                arenas.add(Arena.ofConfined());
                return arenas.getLast();
            };
            try (Structures.Added structure = structures.owning(limited, 0)) {
                int added = 0;
                try {
                    for (; added < structures.entries(); added++) {
                        structure.add(added);
                    }
                } catch (OutOfMemoryError e) {
                    assertThat(arenas).hasSize(most);
                }
                structure.assertContains(added);
            } catch (OutOfMemoryError e) {
                assertThat(most).isLessThan(structures.blocks());
            }
            assertThat(arenas).noneMatch(arena -> arena.scope().isAlive());
        }
    }

    @ParameterizedTest
    @EnumSource
    void create_refused_holdsNothing(Structures structures) {
        for (int granted = 0; granted < 2; granted++) {
            for (boolean isOwning : new boolean[]{false, true}) {
                allocator.refuseAfter(granted);
                try (Structures.Added structure = isOwning
                        ? structures.owning(allocator, 0)
                        : structures.create(allocator, 0)) {
                    assertThat(granted).isPositive();
                    structure.assertContains(0);
                } catch (OutOfMemoryError e) {
                    assertThat(granted).isLessThan(structures.blocks());
                }
                assertThat(allocator.held()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_atEachSize_keepsAllEntries(Structures structures) {
        try (Structures.Added structure = structures.owning(Arena::ofConfined, 0)) {
            for (int i = 0; i < 120; i++) {
                structure.add(i);
                structure.assertContains(i + 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BYTES_LONG_MAP", "BYTES_MAP", "RECORD_MAP"})
    void remove_andAddForLong_keepsMemoryInProportion(Structures structures) {
        try (Structures.Added structure = structures.create(allocator, 0)) {
            for (int i = 0; i < 5_000; i++) {
                structure.add(i);
                if (i >= 100) {
                    structure.remove(i - 100);
                    assertThat(structure.has(i - 100)).isFalse();
                }
            }
            for (int i = 4_900; i < 5_000; i++) {
                assertThat(structure.has(i)).isTrue();
            }
            assertThat(structure.toString()).contains(": 100 ").endsWith(" KiB");
            assertThat(Integer.parseInt(structure.toString().replaceAll(".* (\\d+) KiB", "$1"))).isLessThan(40);
        }
        assertThat(allocator.held()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void get_byManyThreadsAtOnce_findsAll(Structures structures) {
        try (Structures.Added structure = structures.owning(Arena::ofShared, 0)) {
            structure.addAll(structures.entries());
            Threads.race(4, _ -> structure.assertContains(structures.entries()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void create_anyExpectedSize_isCheckedWithoutOverflow(Structures structures) {
        assertThatIllegalArgumentException().isThrownBy(() -> structures.create(allocator, -1))
                .withMessageMatching("(Negative size|Expected size is negative): expectedSize=-1.*");
        for (long expected : new long[]{1L << 48, 1L << 61, Long.MAX_VALUE / 16 + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> structures.owning(MallocArena::ofConfined, expected).close())
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_sliceIsFull_losesNothing(Structures structures) {
        try (Arena arena = Arena.ofConfined()) {
            Structures.Added structure = structures
                    .create(SegmentAllocator.slicingAllocator(arena.allocate(20_000, 64)), 0);
            int added = 0;
            try {
                for (; added < 1_000_000; added++) {
                    structure.add(added);
                }
            } catch (CapacityExceededException e) {
                assertThat(e).hasCauseInstanceOf(IndexOutOfBoundsException.class);
                assertThat(e.requested()).isPositive();
            }
            assertThat(added).isBetween(50, 999_999);
            structure.assertContains(added);
            structure.remove(added - 1);
            structure.assertContains(added - 1);
            structure.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_oldTablesInUse_areReleasedLater(Structures structures) {
        try (Structures.Added structure = structures.owning(allocator, 0)) {
            allocator.setBusy(true);
            structure.addAll(structures.entries());
            assertThat(allocator.held()).isGreaterThan(3);
            structure.assertContains(structures.entries());
            assertThatIllegalStateException().isThrownBy(structure::close);
            allocator.setBusy(false);
        }
        assertThat(allocator.held()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void close_twice_thenEachOperationThrows(Structures structures) {
        for (boolean isOwning : new boolean[]{false, true}) {
            Structures.Added structure = isOwning
                    ? structures.owning(allocator, 0)
                    : structures.create(Arena.ofAuto(), 0);
            structure.add(0);
            structure.add(1);
            structure.close();
            structure.close();
            assertThat(structure.operations()).allSatisfy(
                    operation -> assertThatThrownBy(operation::run).isInstanceOf(IllegalStateException.class));
            assertThat(structure.toString()).endsWith(": closed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void operations_afterTheLifetimeOfTheMemory_throw(Structures structures) {
        Arena arena = Arena.ofConfined();
        Structures.Added structure = structures.create(arena, 0);
        structure.add(0);
        structure.add(1);
        arena.close();
        assertThat(structure.operations()).allSatisfy(
                operation -> assertThatThrownBy(operation::run).isInstanceOf(IllegalStateException.class));
        assertThatCode(structure::close).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource
    void forEach_thatAdds_isDetected(Structures structures) {
        try (Structures.Added structure = structures.create(allocator, 0)) {
            structure.add(1);
            structure.add(2);
            if (structures.isFailFast()) {
                assertThatThrownBy(() -> structure.forEach(() -> structure.add(1000)))
                        .isInstanceOf(ConcurrentModificationException.class);
            } else {
                structure.forEach(() -> structure.add(1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closeAndAccess_byAWrongThread_changeNothing(Structures structures) {
        try (Arena arena = Arena.ofConfined(); Arena blocks = MallocArena.ofConfined()) {
            for (Structures.Added structure : List.of(structures.owning(Arena::ofConfined, 0),
                    structures.owning(MallocArena::ofConfined, 0), structures.create(arena, 0),
                    structures.create(blocks, 0))) {
                structure.add(0);
                for (Runnable use : List.<Runnable>of(structure::close, () -> structure.add(1),
                        () -> structure.has(0))) {
                    assertThat(Threads.thrownBy(use)).isInstanceOf(WrongThreadException.class);
                }
                structure.assertContains(1);
                structure.add(1);
                structure.assertContains(2);
                structure.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_overAnOffsetAllocator_usesItsBlocks(Structures structures) {
        try (Arena arena = Arena.ofConfined()) {
            OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(16 << 20));
            try (Structures.Added structure = structures.create(allocator, 0)) {
                structure.addAll(10 * structures.entries());
                structure.assertContains(10 * structures.entries());
                assertThat(allocator.stats().liveBlocks()).isEqualTo(structures.blocks());
            }
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_memoryIsAnArray_growsInIt(Structures structures) {
        MemorySegment array = MemorySegment.ofArray(new long[50_000]);
        Structures.Added structure = structures.create(SegmentAllocator.slicingAllocator(array), 0);
        structure.addAll(1_000);
        structure.assertContains(1_000);
    }

    @ParameterizedTest
    @EnumSource
    void forEach_thatCloses_throwsThatItIsClosed(Structures structures) {
        Structures.Added structure = structures.owning(MallocArena::ofConfined, 0);
        structure.add(0);
        structure.add(1);
        assertThatIllegalStateException().isThrownBy(() -> structure.forEach(structure::close));
    }
}
