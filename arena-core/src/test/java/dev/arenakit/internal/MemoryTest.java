package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares each operation with the bytes of a segment of the JDK, including the bytes around the range.
class MemoryTest {
    private static final byte DIRT = 0x55;
    private static final long SIZE = 4096;

    @AutoClose
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(SIZE, 64);
    private final MemorySegment zeros = arena.allocate(SIZE);
    private final MemorySegment dirt = arena.allocate(SIZE).fill(DIRT);

    @Test
    void putLong_anyAddressAlignedOrNot_isReadBack() {
        Random random = new Random(1);
        for (long offset = 0; offset < 64; offset++) {
            memory.fill(DIRT);
            long value = random.nextLong();
            Memory.putLong(memory.address() + offset, value);
            assertThat(Memory.getLong(memory.address() + offset)).isEqualTo(value);
            assertThat(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset)).isEqualTo(value);
            assertDirtyExcept(offset, Long.BYTES);
        }
    }

    @Test
    void copy_anyRange_takesItsBytesAndNoOthers() {
        for (long byteSize : new long[]{0, 1, 7, 8, 9, 100, 1_000}) {
            memory.fill(DIRT);
            MemorySegment source = arena.allocate(Math.max(1, byteSize), 1);
            source.fill((byte) 0x11);
            Memory.copy(source.address(), memory.address() + 13, byteSize);
            assertThat(memory.asSlice(13, byteSize).mismatch(source.asSlice(0, byteSize))).isEqualTo(-1);
            assertDirtyExcept(13, byteSize);
        }
    }

    @Test
    void zero_anyRange_zeroesItsBytesAndNoOthers() {
        for (long byteSize : new long[]{0, 1, 7, 8, 9, 63, 64, 65, 1_000}) {
            memory.fill(DIRT);
            Memory.zero(memory.address() + 5, byteSize);
            assertZero(5, byteSize);
            assertDirtyExcept(5, byteSize);
        }
    }

    @Test
    void zeroBlocks_anySize_zeroesTheRangeAndNothingPastItsLastBlock() {
        for (long byteSize = 1; byteSize <= 1_000; byteSize++) {
            memory.fill(DIRT);
            Memory.zeroBlocks(memory.address() + 64, byteSize);
            assertZero(64, byteSize);
            assertDirtyExcept(64, Sizes.alignUp(byteSize, Memory.ZERO_BLOCK));
        }
    }

    private void assertZero(long offset, long byteSize) {
        assertThat(memory.asSlice(offset, byteSize).mismatch(zeros.asSlice(0, byteSize)))
                .as("first of %s bytes that is not zero", byteSize)
                .isEqualTo(-1);
    }

    private void assertDirtyExcept(long offset, long byteSize) {
        long end = offset + byteSize;
        assertThat(memory.asSlice(0, offset).mismatch(dirt.asSlice(0, offset))).as("before").isEqualTo(-1);
        assertThat(memory.asSlice(end).mismatch(dirt.asSlice(end))).as("after %s bytes", byteSize).isEqualTo(-1);
    }
}
