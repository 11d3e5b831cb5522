package dev.arenakit;

import dev.arenakit.internal.Sizes;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Resizing of blocks.
@EnumSource(MallocKind.class)
class MallocArenaReallocateTest extends CountedMallocArena {

    MallocArenaReallocateTest(MallocKind kind) {
        super(kind);
    }

    @Test
    void reallocate_growing_doesNotZeroWhatIsAdded() {
        for (long byteAlignment : new long[]{1, 16, 64}) {
            try (MallocArena arena = open()) {
                MemorySegment segment = arena.reallocate(arena.allocateZeroed(100, byteAlignment), 5_000);
                assertThat(Bytes.allAre(segment.asSlice(0, 100), (byte) 0)).isTrue();
                assertThat(Bytes.allAre(segment.asSlice(100), CountingAllocator.FRESH)).isTrue();
            }
        }
    }

    @Test
    void reallocate_toAndFromZero_givesABlockOfItsOwn() {
        for (long byteAlignment : new long[]{1, 16, 256}) {
            try (MallocArena arena = open()) {
                MemorySegment segment = arena.allocate(50, byteAlignment);
                MemorySegment empty = arena.reallocate(segment, 0);
                assertThat(empty.byteSize()).isZero();
                assertThat(counting.isLive(empty.address())).isTrue();
                assertThat(empty.address() % byteAlignment).isZero();
                MemorySegment again = arena.reallocate(empty, 50);
                Bytes.fill(again, 1);
                assertThat(Bytes.areFilled(again, 1, 50)).isTrue();
                arena.free(again);
            }
        }
    }

    @Test
    void reallocate_blockThatMoved_endsTheOldSegment() {
        MemorySegment old = arena.allocate(100, 8);
        MemorySegment moved = arena.reallocate(old, 200);
        assertThat(moved.address()).isNotEqualTo(old.address());
        assertThat(counting.isLive(old.address())).isFalse();
        assertThatThrownBy(() -> arena.free(old)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> arena.reallocate(old, 300)).isInstanceOf(IllegalArgumentException.class);
        if (kind.checked) {
            assertThatThrownBy(() -> old.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        }
        arena.free(moved);
    }

    @Test
    void reallocate_overLibc_endsTheOldSegment() {
        try (MallocArena arena = kind.open(NativeAllocator.libc())) {
            MemorySegment old = arena.allocate(100, 8);
            MemorySegment shorter = arena.reallocate(old, 99);
            assertThatThrownBy(() -> arena.free(old)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.reallocate(old, 10)).isInstanceOf(IllegalArgumentException.class);
            arena.free(shorter);
        }
    }

    @Test
    void reallocate_impossibleSizes_leaveTheOldSegmentAsItWas() {
        for (long byteAlignment : new long[]{8, 64}) {
            MemorySegment segment = arena.allocate(100, byteAlignment);
            Bytes.fill(segment, 1);
            assertRefused(() -> arena.reallocate(segment, -1), "byteSize=-1");
            for (long byteSize : new long[]{Long.MAX_VALUE, Sizes.ADDRESSABLE, Sizes.ADDRESSABLE - byteAlignment}) {
                assertThatThrownBy(() -> arena.reallocate(segment, byteSize)).isInstanceOf(OutOfMemoryError.class)
                        .hasMessageContaining("byteSize=");
            }
            assertThat(Bytes.areFilled(segment, 1, 100)).isTrue();
            arena.free(segment);
        }
    }

    @Test
    void reallocate_severalThingsWrong_isRejectedInTheOrderOfTheJdk() {
        MemorySegment segment = arena.allocate(100, 8);
        MemorySegment slice = segment.asSlice(1);
        assertThatThrownBy(() -> arena.reallocate(slice, Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        if (!kind.shared) {
            assertThat(Threads.thrownBy(() -> arena.reallocate(slice, -1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(Threads.thrownBy(() -> arena.reallocate(slice, 10))).isInstanceOf(WrongThreadException.class);
        }
        arena.close();
        assertThatThrownBy(() -> arena.reallocate(segment, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> arena.reallocate(segment, 10)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.reallocate(segment, Long.MAX_VALUE)).isInstanceOf(IllegalStateException.class);
    }
}
