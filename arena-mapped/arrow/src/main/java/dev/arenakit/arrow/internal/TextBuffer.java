package dev.arenakit.arrow.internal;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Texts in UTF-8, without what pads them.
final class TextBuffer extends ColumnBuffer {
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Utf8Text text;
    private final long byteSize;
    private final boolean hasWords;
    private final Offsets offsets;
    private final GrowingSegment bytes;

    TextBuffer(StringType type, SegmentAllocator memory) {
        super(memory);
        text = new Utf8Text(type);
        byteSize = type.byteSize();
        hasWords = type.length() % Long.BYTES == 0 && type.unitByteSize() == 1 && type.prefixByteSize() == 0
                && type.padding() == StringType.Padding.NUL;
        offsets = new Offsets(memory);
        bytes = new GrowingSegment(memory);
    }

    @Override
    void begin() {
        super.begin();
        offsets.begin();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment ends = offsets.reserve(index + count);
        long end = offsets.start(index);
        for (int i = 0; i < count; i++) {
            int copied = hasWords
                    ? copyWords(from, at + i * stride, bytes.atLeast(end + byteSize), end)
                    : -1;
            end += copied >= 0 ? copied : copyText(from, at + i * stride, end);
            Offsets.setEnd(ends, index + i, end);
        }
    }

    private int copyText(MemorySegment from, long at, long end) {
        int length = text.length(from, at);
        return text.copy(from, at, length, bytes.atLeast(end + text.mostBytes(length)), end);
    }

    /// Copies a text of whole words, 8 bytes at once.
    ///
    /// @return the number of bytes, or -1 if the text is not ASCII
    private int copyWords(MemorySegment from, long at, MemorySegment target, long end) {
        for (long i = 0; i < byteSize; i += Long.BYTES) {
            long word = from.get(WORD, at + i);
            // The lowest set bit belongs to the first NUL.
            long nuls = (word - LOW_BITS) & ~word & HIGH_BITS;
            // All bits below the first NUL, or all bits if there is no NUL.
            long before = nuls == 0 ? -1 : ((nuls & -nuls) >>> 7) - 1;
            if ((word & before & HIGH_BITS) != 0) {
                return -1;
            }
            target.set(WORD, end + i, word & before);
            if (nuls != 0) {
                return (int) i + (Long.bitCount(before) >>> 3);
            }
        }
        return (int) byteSize;
    }

    @Override
    void reserve(long length) {
        offsets.reserve(length);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        offsets.setEmpty(index);
    }

    @Override
    void collect(long length, BatchBuffers to) {
        super.collect(length, to);
        offsets.collect(length, to);
        to.addBuffer(bytes.get(), offsets.start(length));
    }
}
