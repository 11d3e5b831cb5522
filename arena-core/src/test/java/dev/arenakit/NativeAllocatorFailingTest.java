package dev.arenakit;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// An allocator that refuses some allocations: arenas and pools over it stay usable, and lose nothing.
class NativeAllocatorFailingTest {
    @Test
    void failing_allRefused_isOutOfMemoryWithTheNameOfTheOther() {
        List<Long> asked = new ArrayList<>();
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> {
            asked.add(byteSize);
            return true;
        });
        assertThat(failing).hasToString("libc");
        assertThatThrownBy(() -> failing.allocate(100, 8)).isInstanceOf(OutOfMemoryError.class)
                .hasMessage("Native memory exhausted: byteSize=100, byteAlignment=8, allocator=libc, tried=malloc");
        assertThatThrownBy(() -> failing.allocate(200, 64)).isInstanceOf(OutOfMemoryError.class);
        assertThat(asked).containsExactly(100L, 200L);
    }

    @Test
    void failing_ofAFailingOne_refusesWhatEitherRefuses() {
        NativeAllocator small = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> byteSize < 10);
        NativeAllocator both = NativeAllocator.failing(small, byteSize -> byteSize > 100);
        assertThatThrownBy(() -> both.allocate(9, 1)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> both.allocate(101, 1)).isInstanceOf(OutOfMemoryError.class);
        long address = both.allocate(50, 1);
        NativeAllocator.libc().free(address, 50, 1);
    }

    @Test
    void withCriticalCalls_ofAFailingOne_stillRefuses() {
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), _ -> true).withCriticalCalls();
        try (MallocArena arena = MallocArena.builder().allocator(failing).build()) {
            assertThatThrownBy(() -> arena.allocate(10, 8)).isInstanceOf(OutOfMemoryError.class);
        }
    }
}
