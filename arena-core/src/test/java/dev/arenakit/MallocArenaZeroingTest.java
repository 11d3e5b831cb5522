package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Which memory is zeroed, tested on memory that was dirty before.
@EnumSource(MallocKind.class)
class MallocArenaZeroingTest extends CountedMallocArena {
    private static final long[] SIZES = {1, 7, 8, 16, 31, 64, 100, 1_000, 4_096, 65_536, 65_537, 1 << 20};
    private static final long[] ALIGNMENTS = {1, 8, 16, 32, 64, 4096};

    MallocArenaZeroingTest(MallocKind kind) {
        super(kind);
    }

    @Test
    void allocate_anySizeAndAlignment_leavesTheBytesAsTheAllocatorGaveThem() {
        for (long byteAlignment : ALIGNMENTS) {
            for (long byteSize : SIZES) {
                MemorySegment segment = arena.allocate(byteSize, byteAlignment);
                assertThat(Bytes.allAre(segment, CountingAllocator.FRESH)).isTrue();
            }
        }
    }

    @Test
    void allocateZeroed_dirtyMemory_isAllZeros() {
        for (int round = 0; round < 2; round++) {
            // Freed blocks are filled, and malloc reuses many of them.
            try (MallocArena arena = open()) {
                for (long byteAlignment : ALIGNMENTS) {
                    for (long byteSize : SIZES) {
                        arena.free(arena.allocate(byteSize, byteAlignment));
                        MemorySegment segment = arena.allocateZeroed(byteSize, byteAlignment);
                        assertThat(segment.byteSize()).isEqualTo(byteSize);
                        assertThat(segment.address() % byteAlignment).isZero();
                        assertThat(Bytes.allAre(segment, (byte) 0)).as("%s", segment).isTrue();
                        segment.fill((byte) 0xFF);
                    }
                }
            }
        }
    }

    @Test
    void allocateZeroed_ofALayout_hasItsSizeAndAlignment() {
        MemoryLayout layout = ValueLayout.JAVA_LONG.withByteAlignment(32);
        for (long count : new long[]{0, 1, 100, 10_000}) {
            MemorySegment segment = arena.allocateZeroed(layout, count);
            assertThat(segment.byteSize()).isEqualTo(8 * count);
            assertThat(segment.address() % 32).isZero();
            assertThat(Bytes.allAre(segment, (byte) 0)).isTrue();
        }
        MemorySegment one = arena.allocateZeroed(layout);
        assertThat(one.byteSize()).isEqualTo(8);
        assertThat(one.address() % 32).isZero();
        assertThat(one.get(ValueLayout.JAVA_LONG, 0)).isZero();
    }

    @Test
    void allocateZeroed_countOutOfRange_isRejected() {
        for (long count : new long[]{-1, Long.MAX_VALUE / 8 + 1, Long.MAX_VALUE}) {
            assertRefused(() -> arena.allocateZeroed(ValueLayout.JAVA_LONG, count),
                    "Count out of range: count=" + count + ", layout=");
        }
        assertThatThrownBy(() -> arena.allocateZeroed(ValueLayout.JAVA_LONG, 1L << 50))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void allocateZeroed_badArguments_isRejectedAsAllocateIs() {
        assertThatThrownBy(() -> arena.allocateZeroed(-1, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> arena.allocateZeroed(8, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> arena.allocateZeroed(Long.MAX_VALUE, 8)).isInstanceOf(OutOfMemoryError.class);
        if (!kind.shared) {
            assertThat(Threads.thrownBy(() -> arena.allocateZeroed(8, 8))).isInstanceOf(WrongThreadException.class);
        }
        arena.close();
        assertThatThrownBy(() -> arena.allocateZeroed(8, 8)).isInstanceOf(IllegalStateException.class);
    }
}
