package dev.arenakit;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The counting allocator detects the errors that other tests rely on it to detect.
class CountingAllocatorTest {
    private final CountingAllocator counting = new CountingAllocator();
    private final NativeAllocator allocator = counting.allocator();

    @AfterEach
    void nothingIsLeft() {
        assertThat(counting.blocks()).isZero();
        assertThat(counting.bytes()).isZero();
    }

    @Test
    void blocksAndBytes_throughoutABlocksLife_areExact() {
        long small = allocator.allocate(100, 1);
        long aligned = allocator.allocate(5_000, 4096);
        assertThat(counting.blocks()).isEqualTo(2);
        assertThat(counting.bytes()).as("100, and 5000 rounded up for aligned_alloc").isEqualTo(100 + 8192);
        allocator.free(small, 100, 1);
        long larger = allocator.allocate(300, 1);
        assertThat(counting.isLive(small)).isFalse();
        assertThat(counting.isLive(larger)).isTrue();
        assertThat(counting.bytes()).isEqualTo(300 + 8192);
        allocator.free(larger, 300, 1);
        allocator.free(aligned, 5_000, 4096);
        assertThat(counting.peakBytes()).isEqualTo(300 + 8192);
        counting.assertNothingHeld();
    }

    @Test
    void assertNothingHeld_whenABlockIsLive_fails() {
        long address = allocator.allocate(10, 1);
        assertThatThrownBy(counting::assertNothingHeld).isInstanceOf(AssertionError.class);
        allocator.free(address, 10, 1);
        counting.assertNothingHeld();
    }

    @Test
    void assertNoViolations_afterASecondFree_fails() {
        long address = allocator.allocate(10, 1);
        allocator.free(address, 10, 1);
        counting.assertNoViolations();
        allocator.free(address, 10, 1);
        assertThatThrownBy(counting::assertNoViolations)
                .hasMessageContaining("free of an address that is not a live block");
    }

    @Test
    void refuseAfter_someGrants_refusesEveryKindOfRequest() {
        counting.refuseAfter(1);
        long address = allocator.allocate(10, 1);
        assertThatThrownBy(() -> allocator.allocate(10, 1)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> allocator.allocate(10, 64)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> counting.functions().allocateBlock(10, 1, true)).isInstanceOf(OutOfMemoryError.class);
        counting.refuseNothing();
        allocator.free(address, 10, 1);
        allocator.free(allocator.allocate(20, 1), 20, 1);
        counting.assertNothingHeld();
    }

    @Test
    void allocate_anyBlock_isFilledUnlessItIsZeroed() {
        try (MallocArena arena = MallocArena.builder().allocator(allocator).build()) {
            assertThat(Bytes.allAre(arena.allocate(100, 1), CountingAllocator.FRESH)).isTrue();
            MemorySegment aligned = arena.allocate(100, 256);
            assertThat(Bytes.allAre(aligned, CountingAllocator.FRESH)).isTrue();
            assertThat(Bytes.allAre(arena.allocateZeroed(100, 1), (byte) 0)).isTrue();
        }
    }
}
