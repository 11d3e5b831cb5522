package dev.arenakit.collection;

import dev.arenakit.OffsetAllocator;
import dev.arenakit.collection.ByteStructures.Structure;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Exhausted memory, growth, close and threads, for all structures of bytes and structs.
class ByteStructuresTest {
    private static final int COUNT = 600;

    @ParameterizedTest
    @EnumSource
    void add_whenEachAllocationFailsOnce_losesNothing(ByteStructures kind) {
        long requests = requests(kind);
        assertThat(requests).isGreaterThan(5);
        for (long granted = 0; granted < requests; granted++) {
            ByteModelAllocator allocator = new ByteModelAllocator();
            allocator.refuseAfter(granted);
            Structure structure;
            try {
                structure = kind.create(allocator);
            } catch (OutOfMemoryError e) {
                allocator.assertNothingHeld();
                continue;
            }
            try (structure) {
                int added = addUntilRefused(structure);
                assertThat(added).isLessThan(COUNT);
                assertHas(structure, added);
                assertThatThrownBy(() -> structure.add(added)).isInstanceOf(OutOfMemoryError.class);
                assertHas(structure, added);
                allocator.refuseNothing();
                for (int i = added; i < COUNT; i++) {
                    structure.add(i);
                }
                assertHas(structure, COUNT);
            }
            allocator.assertNothingHeld();
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_whenAnArenaFailsToOpen_losesNothing(ByteStructures kind) {
        for (int opened = 0; opened < 12; opened++) {
            List<Arena> arenas = new ArrayList<>();
            int most = opened;
            Structure structure;
            try {
                structure = kind.owning(() -> {
                    if (arenas.size() >= most) {
                        throw new OutOfMemoryError("Refused on demand");
                    }
                    arenas.add(Arena.ofConfined());
                    return arenas.getLast();
                });
            } catch (OutOfMemoryError e) {
                assertThat(arenas).noneMatch(arena -> arena.scope().isAlive());
                continue;
            }
            try (structure) {
                assertHas(structure, addUntilRefused(structure));
            }
            assertThat(arenas).noneMatch(arena -> arena.scope().isAlive());
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_whenTheBackingIsFull_throwsAndLosesNothing(ByteStructures kind) {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator bounded = SegmentAllocator.slicingAllocator(arena.allocate(100_000, 64));
            try (Structure structure = kind.create(bounded)) {
                int added = 0;
                Throwable full = null;
                while (full == null) {
                    int next = added;
                    full = catchThrowable(() -> structure.add(next));
                    added = full == null ? added + 1 : added;
                }
                assertThat(full).isInstanceOf(RuntimeException.class);
                assertThat(added).isGreaterThan(100);
                assertHas(structure, added);
                if (kind.canRemove) {
                    assertThat(structure.remove(added - 1)).isTrue();
                    assertThat(structure.has(added - 1)).isFalse();
                    assertHas(structure, added - 1);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void add_atEachSize_keepsAllEntries(ByteStructures kind) {
        try (Structure structure = kind.owning(Arena::ofConfined)) {
            for (int i = 0; i < 120; i++) {
                structure.add(i);
                assertThat(structure.size()).isEqualTo(i + 1);
                // Checks all entries, including after each growth of a table.
                assertHas(structure, i + 1);
                assertThat(structure.has(i + 1)).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void remove_andAddForLong_keepsMemoryInProportion(ByteStructures kind) {
        if (!kind.canRemove) {
            return;
        }
        ByteModelAllocator allocator = new ByteModelAllocator();
        try (Structure structure = kind.create(allocator)) {
            for (int i = 0; i < 20_000; i++) {
                structure.add(i);
                if (i >= 100) {
                    assertThat(structure.remove(i - 100)).isTrue();
                }
            }
            assertThat(structure.size()).isEqualTo(100);
            for (int i = 19_900; i < 20_000; i++) {
                assertThat(structure.has(i)).isTrue();
            }
            assertThat(structure.toString()).endsWith(" KiB");
            String text = structure.toString();
            int kilobytes = Integer.parseInt(text.replaceAll(".* (\\d+) KiB", "$1"));
            assertThat(kilobytes).isLessThan(40);
        }
        allocator.assertNothingHeld();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void addAndRemove_overAnArena_takeNoMoreMemoryInTheEnd(ByteStructures kind) {
        if (!kind.canRemove) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            long[] allocated = new long[1];
            SegmentAllocator counting = (byteSize, byteAlignment) -> {
                allocated[0] += byteSize;
                return arena.allocate(byteSize, byteAlignment);
            };
            Structure structure = kind.create(counting);
            for (int i = 0; i < 20_000; i++) {
                structure.add(i);
                if (i >= 100) {
                    assertThat(structure.remove(i - 100)).isTrue();
                }
            }
            for (int i = 19_900; i < 20_000; i++) {
                assertThat(structure.has(i)).isTrue();
            }
            assertThat(allocated[0]).isLessThan(100_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void addAndRemove_overAnOffsetAllocator_useItsBlocks(ByteStructures kind) {
        try (Arena arena = Arena.ofConfined()) {
            OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(16 << 20));
            try (Structure structure = kind.create(allocator)) {
                for (int i = 0; i < 5_000; i++) {
                    structure.add(i);
                    if (kind.canRemove && i >= 1_000) {
                        assertThat(structure.remove(i - 1_000)).isTrue();
                    }
                }
                for (int i = 4_000; i < 5_000; i++) {
                    assertThat(structure.has(i)).isTrue();
                }
                assertThat(allocator.stats().liveBlocks()).isPositive();
            }
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperation_afterClose_throws(ByteStructures kind) {
        try (Arena arena = Arena.ofConfined()) {
            for (Structure structure : List.of(kind.create(arena), kind.owning(Arena::ofConfined),
                    kind.create(new ByteModelAllocator()))) {
                structure.add(0);
                structure.close();
                structure.close();
                assertThatThrownBy(() -> structure.add(1)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> structure.has(0)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(structure::size).isInstanceOf(IllegalStateException.class);
                if (kind.canRemove) {
                    assertThatThrownBy(() -> structure.remove(0)).isInstanceOf(IllegalStateException.class);
                }
                assertThat(structure.toString()).endsWith(": closed");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperation_afterTheArenaIsClosed_throws(ByteStructures kind) {
        Arena arena = Arena.ofConfined();
        try (Structure structure = kind.create(arena)) {
            structure.add(0);
            arena.close();
            assertThatThrownBy(() -> structure.add(1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> structure.has(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperation_byAnotherThread_throwsAndChangesNothing(ByteStructures kind) {
        try (Structure structure = kind.owning(Arena::ofConfined)) {
            structure.add(0);
            assertWrongThread(() -> structure.add(1));
            assertWrongThread(() -> structure.has(0));
            assertWrongThread(structure::close);
            for (int i = 1; i < COUNT; i++) {
                structure.add(i);
            }
            assertHas(structure, COUNT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void has_byManyThreadsAtOnce_findsAll(ByteStructures kind) {
        try (Structure structure = kind.owning(Arena::ofShared)) {
            for (int i = 0; i < COUNT; i++) {
                structure.add(i);
            }
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int reader = 0; reader < 4; reader++) {
                readers.add(CompletableFuture.runAsync(() -> assertHas(structure, COUNT)));
            }
            readers.forEach(CompletableFuture::join);
        }
    }

    private static void assertWrongThread(Runnable operation) {
        assertThatThrownBy(() -> CompletableFuture.runAsync(operation).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(WrongThreadException.class);
    }

    private static long requests(ByteStructures kind) {
        ByteModelAllocator allocator = new ByteModelAllocator();
        try (Structure structure = kind.create(allocator)) {
            for (int i = 0; i < COUNT; i++) {
                structure.add(i);
            }
            return allocator.requests();
        }
    }

    private static int addUntilRefused(Structure structure) {
        for (int i = 0; i < COUNT; i++) {
            try {
                structure.add(i);
            } catch (OutOfMemoryError e) {
                return i;
            }
        }
        return COUNT;
    }

    private static void assertHas(Structure structure, int count) {
        assertThat(structure.size()).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            if (!structure.has(i)) {
                throw new AssertionError("Entry is lost: " + i + " of " + count + ", " + structure);
            }
        }
    }
}
