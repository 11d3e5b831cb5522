package dev.arenakit;

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
}
