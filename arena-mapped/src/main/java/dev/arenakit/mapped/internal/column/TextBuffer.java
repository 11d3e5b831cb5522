package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StringType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Texts, without what pads them.
final class TextBuffer extends VariableBuffer {
    private static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Utf8Text text;
    private final long byteSize;
    private final boolean hasWords;

    TextBuffer(StringType type, SegmentAllocator memory) {
        super(memory);
        text = new Utf8Text(type);
        byteSize = type.byteSize();
        hasWords = Utf8Text.hasWords(type);
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
            long before = Utf8Text.bitsBeforeNul(word);
            if (!Utf8Text.isAscii(word & before)) {
                return -1;
            }
            target.set(WORD, to + i, word & before);
            if (before != -1) {
                return (int) i + (Long.bitCount(before) >>> 3);
            }
        }
        return (int) byteSize;
    }
}
