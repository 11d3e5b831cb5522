package dev.arenakit;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// An allocator that fails at each of the requests of an operation: the memory allocated before the failure is freed.
@EnumSource(MallocKind.class)
class MallocArenaFailureTest extends CountedMallocArena {
    /// Numbers of live blocks before the operation: none, one, several, a full table of 16 and of 32 slots.
    private static final int[] LIVE = {0, 1, 2, 8, 12, 16, 17, 18, 24, 33};

    MallocArenaFailureTest(MallocKind kind) {
        super(kind);
    }

    @Test
    void allocate_refusedAtAnyRequest_givesBackWhatItTook() {
        refuseEach((arena, _) -> arena.allocate(100, 8));
    }

    @Test
    void allocate_alignedAndRefusedAtAnyRequest_givesBackWhatItTook() {
        refuseEach((arena, _) -> arena.allocate(100, 4096));
    }

    @Test
    void allocateZeroed_refusedAtAnyRequest_givesBackWhatItTook() {
        refuseEach((arena, _) -> arena.allocateZeroed(100, 8));
        refuseEach((arena, _) -> arena.allocateZeroed(100, 64));
    }

    @Test
    void free_refusedAtAnyRequest_leavesTheBlock() {
        int failures = failures((arena, live) -> {
            if (!live.isEmpty()) {
                arena.free(live.getLast());
                live.removeLast();
            }
        });
        // The index of a checked arena is on the heap.
        assertThat(failures > 0).isEqualTo(!kind.checked);
    }

    @Test
    void reallocate_refusedAtAnyRequest_leavesTheOldBlock() {
        for (long newByteSize : new long[]{0, 10, 100_000}) {
            refuseEach((arena, live) -> {
                if (!live.isEmpty()) {
                    MemorySegment moved = arena.reallocate(live.getLast(), newByteSize);
                    live.removeLast();
                    arena.free(moved);
                }
            });
        }
    }

    @Test
    void close_whenEveryRequestIsRefused_needsNone() {
        for (int count : LIVE) {
            for (boolean indexed : new boolean[]{false, true}) {
                MallocArena arena = open();
                allocate(arena, count, indexed);
                counting.refuseAfter(0);
                arena.close();
                counting.refuseNothing();
                counting.assertNothingHeld();
            }
        }
    }

    @Test
    void allocate_refusal_namesSizeAlignmentAllocatorAndFunction() {
        counting.refuseAfter(0);
        assertThatThrownBy(() -> arena.allocate(100, 8)).isInstanceOf(OutOfMemoryError.class)
                .hasMessage("Native memory exhausted: "
                        + "byteSize=100, byteAlignment=8, allocator=counting, tried=malloc");
        assertThatThrownBy(() -> arena.allocate(100, 64)).hasMessageEndingWith("tried=aligned_alloc");
        assertThatThrownBy(() -> arena.allocateZeroed(100, 8)).hasMessageEndingWith("tried=calloc");
        counting.refuseNothing();
        MemorySegment segment = arena.allocate(100, 8);
        arena.free(arena.allocate(1, 1));
        counting.refuseAfter(0);
        assertThatThrownBy(() -> arena.reallocate(segment, 200)).hasMessageEndingWith("tried=malloc");
    }

    @Test
    void allocate_beyondTheAddressSpace_asksNoAllocator() {
        for (long byteSize : new long[]{Long.MAX_VALUE, Sizes.ADDRESSABLE, Sizes.ADDRESSABLE - 7}) {
            assertThatThrownBy(() -> arena.allocate(byteSize, 8)).isInstanceOf(OutOfMemoryError.class)
                    .hasMessageContaining("exceeds the address space: byteSize=" + byteSize);
        }
        assertThatThrownBy(() -> arena.allocate(0, 1L << 62)).isInstanceOf(OutOfMemoryError.class);
        assertThat(counting.peakBytes()).isZero();
    }

    /// Over libc, so that the failure is real.
    @Test
    void allocate_moreThanTheSystemHas_isOutOfMemoryAndTheArenaGoesOn() {
        try (MallocArena arena = kind.open(NativeAllocator.libc())) {
            for (long byteAlignment : new long[]{1, 16, 64}) {
                long byteSize = Sizes.ADDRESSABLE - byteAlignment;
                assertThatThrownBy(() -> arena.allocate(byteSize, byteAlignment)).isInstanceOf(OutOfMemoryError.class)
                        .hasMessageContaining("Native memory exhausted: byteSize=" + byteSize);
            }
            MemorySegment segment = arena.allocate(100, 8);
            assertThatThrownBy(() -> arena.reallocate(segment, Sizes.ADDRESSABLE - 16))
                    .isInstanceOf(OutOfMemoryError.class);
            arena.free(segment);
        }
    }

    private interface Operation {
        void run(MallocArena arena, List<MemorySegment> live);
    }

    /// Repeats the operation, each time on a new arena and with one more request granted before the failure, until it
    /// succeeds. After each failure nothing has changed, and the operation succeeds on the same arena.
    ///
    /// @return the number of failures
    private int failures(Operation operation) {
        int failures = 0;
        for (int count : LIVE) {
            for (boolean indexed : new boolean[]{false, true}) {
                for (int granted = 0;; granted++) {
                    if (!failsAndLeavesAllAsItWas(operation, count, indexed, granted)) {
                        break;
                    }
                    failures++;
                }
            }
        }
        return failures;
    }

    private void refuseEach(Operation operation) {
        assertThat(failures(operation)).as("failures that were tried").isGreaterThanOrEqualTo(LIVE.length - 1);
    }

    private boolean failsAndLeavesAllAsItWas(Operation operation, int count, boolean indexed, int granted) {
        boolean failed = false;
        try (MallocArena arena = open()) {
            List<MemorySegment> live = allocate(arena, count, indexed);
            long blocks = counting.blocks();
            counting.refuseAfter(granted);
            try {
                operation.run(arena, live);
            } catch (OutOfMemoryError e) {
                failed = true;
            }
            counting.refuseNothing();
            counting.assertNoViolations();
            assertIntact(live);
            if (failed) {
                // An index that was built before the failure remains.
                assertThat(counting.blocks()).as("after %s of %s", granted, count).isBetween(blocks, blocks + 1);
                assertThat(live).hasSize(count);
                operation.run(arena, live);
                assertIntact(live);
            }
            for (MemorySegment segment : live) {
                arena.free(segment);
            }
        }
        counting.assertNothingHeld();
        return failed;
    }

    private List<MemorySegment> allocate(MallocArena arena, int count, boolean indexed) {
        List<MemorySegment> live = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemorySegment segment = arena.allocate(20 + i, 1L << i % 8);
            Bytes.fill(segment, i);
            live.add(segment);
        }
        if (indexed) {
            arena.free(arena.allocate(1, 1));
        }
        return live;
    }

    private static void assertIntact(List<MemorySegment> live) {
        for (int i = 0; i < live.size(); i++) {
            assertThat(live.get(i).byteSize()).isEqualTo(20 + i);
            assertThat(Bytes.areFilled(live.get(i), i, 20 + i)).isTrue();
        }
    }
}
