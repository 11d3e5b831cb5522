package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.dump.ExtentSource;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// The checksums of the blocks of an allocation that are not zero, in ascending order of the blocks.
///
/// As a sink, it computes them from the bytes of an allocation, which [#finish] ends.
public final class BlockSums implements ExtentSource.Sink {
    public static final long BLOCK = 1L << 20;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();
    private static final MemorySegment ZERO_SEGMENT = MemorySegment.ofBuffer(ZEROS);

    private int[] blocks = new int[8];
    private int[] sums = new int[8];
    private int count;

    private final CRC32C crc = new CRC32C();
    private long position;
    /// Whether a byte of the present block is not zero.
    private boolean hasData;
    /// The number of zeros before the position that the checksum does not cover yet. Most blocks that begin with zeros
    /// contain nothing else.
    private long zeros;

    /// The number of bytes so far.
    public long position() {
        return position;
    }

    public int count() {
        return count;
    }

    public int block(int index) {
        return blocks[index];
    }

    public int sum(int index) {
        return sums[index];
    }

    public void add(int block, int sum) {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, count * 2);
            sums = Arrays.copyOf(sums, count * 2);
        }
        blocks[count] = block;
        sums[count] = sum;
        count++;
    }

    @Override
    public void data(MemorySegment bytes) {
        for (long at = 0; at < bytes.byteSize();) {
            long byteSize = Math.min(bytes.byteSize() - at, rest());
            long piece = Math.min(byteSize, ZERO_SEGMENT.byteSize());
            piece(bytes.asSlice(at, piece));
            at += piece;
        }
    }

    private void piece(MemorySegment bytes) {
        if (!hasData && bytes.mismatch(ZERO_SEGMENT.asSlice(0, bytes.byteSize())) < 0) {
            zeros += bytes.byteSize();
        } else {
            hasData = true;
            addZeros();
            crc.update(bytes.asByteBuffer());
        }
        advance(bytes.byteSize());
    }

    @Override
    public void zeros(long byteSize) {
        long left = byteSize;
        while (left > 0) {
            if (position % BLOCK == 0 && left >= BLOCK) {
                // No block of this hole has a checksum.
                long whole = left / BLOCK * BLOCK;
                position += whole;
                left -= whole;
            } else {
                long piece = Math.min(left, rest());
                zeros += piece;
                advance(piece);
                left -= piece;
            }
        }
    }

    /// Ends the allocation. Bytes that were not received count as zeros.
    public void finish(long byteSize) {
        if (position < byteSize) {
            zeros(byteSize - position);
        }
        endBlock();
    }

    /// The rest of the present block.
    private long rest() {
        return BLOCK - position % BLOCK;
    }

    private void advance(long byteSize) {
        position += byteSize;
        if (position % BLOCK == 0) {
            endBlock();
        }
    }

    private void endBlock() {
        if (hasData) {
            addZeros();
            add((int) ((position - 1) / BLOCK), (int) crc.getValue());
            crc.reset();
            hasData = false;
        }
        zeros = 0;
    }

    private void addZeros() {
        for (; zeros > 0; zeros -= Math.min(zeros, ZEROS.capacity())) {
            crc.update(ZEROS.duplicate().limit((int) Math.min(zeros, ZEROS.capacity())));
        }
    }

    /// Replaces the checksum of the first block, which is not zero.
    public void replaceFirst(MemorySegment block) {
        BlockSums first = new BlockSums();
        first.data(block);
        first.finish(block.byteSize());
        sums[0] = first.sums[0];
    }

    /// The ranges of the blocks whose checksums differ.
    ///
    /// @param byteSize the size of the allocation that both describe
    public List<Range> differences(BlockSums other, long byteSize) {
        List<Range> ranges = new ArrayList<>();
        int at = 0;
        int otherAt = 0;
        while (at < count || otherAt < other.count) {
            int block = at < count ? blocks[at] : Integer.MAX_VALUE;
            int otherBlock = otherAt < other.count ? other.blocks[otherAt] : Integer.MAX_VALUE;
            if (block != otherBlock || sums[at] != other.sums[otherAt]) {
                addRange(ranges, Math.min(block, otherBlock) * BLOCK, byteSize);
            }
            at += block <= otherBlock ? 1 : 0;
            otherAt += otherBlock <= block ? 1 : 0;
        }
        return ranges;
    }

    private static void addRange(List<Range> ranges, long start, long byteSize) {
        long end = Math.min(start + BLOCK, byteSize);
        if (!ranges.isEmpty() && ranges.getLast().end() == start) {
            start = ranges.removeLast().byteOffset();
        }
        ranges.add(new Range(start, end - start));
    }

    /// A range of an allocation, in bytes.
    public record Range(long byteOffset, long byteSize) {
        private long end() {
            return byteOffset + byteSize;
        }
    }
}
