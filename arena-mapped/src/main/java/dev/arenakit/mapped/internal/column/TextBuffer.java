package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StringType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Texts, without what pads them.
final class TextBuffer extends VariableBuffer {
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Utf8Text text;
    private final long byteSize;
    private final boolean hasWords;

    TextBuffer(StringType type, SegmentAllocator memory) {
        super(memory);
        text = new Utf8Text(type);
        byteSize = type.byteSize();
        hasWords = type.length() % Long.BYTES == 0 && type.unitByteSize() == 1 && type.prefixByteSize() == 0
                && type.padding() == StringType.Padding.NUL;
    }

    @Override
    int copyText(MemorySegment from, long at, GrowingSegment target, long to) {
        int copied = hasWords ? copyWords(from, at, target.atLeast(to + byteSize), to) : -1;
        if (copied >= 0) {
            return copied;
        }
        int length = text.length(from, at);
        return text.copy(from, at, length, target.atLeast(to + text.mostBytes(length)), to);
    }

    /// Copies a text of whole words, 8 bytes at once.
    ///
    /// @return the number of bytes, or -1 if the text is not ASCII
    private int copyWords(MemorySegment from, long at, MemorySegment target, long to) {
        for (long i = 0; i < byteSize; i += Long.BYTES) {
            long word = from.get(WORD, at + i);
            // The lowest set bit belongs to the first NUL.
            long nuls = (word - LOW_BITS) & ~word & HIGH_BITS;
            // All bits below the first NUL, or all bits if there is no NUL.
            long before = nuls == 0 ? -1 : ((nuls & -nuls) >>> 7) - 1;
            if ((word & before & HIGH_BITS) != 0) {
                return -1;
            }
            target.set(WORD, to + i, word & before);
            if (nuls != 0) {
                return (int) i + (Long.bitCount(before) >>> 3);
            }
        }
        return (int) byteSize;
    }
}
