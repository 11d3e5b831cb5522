package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteOrder;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Texts in UTF-8 as views of 16 bytes, without what pads the texts.
///
/// A view begins with the length. The bytes of a text of at most 12 bytes follow, and then zeros. A longer text has its
/// first 4 bytes in the view, then a 0 of 4 bytes, and its offset in a second buffer.
final class TextViewBuffer extends FixedBuffer {
    private static final int VIEW_BYTE_SIZE = 16;
    private static final int INLINE_LENGTH = 12;
    private static final long PREFIX_AT = 4;
    private static final long OFFSET_AT = 12;

    /// The longest text that is read as two words.
    private static final int MOST_WORD_BYTES = 2 * Long.BYTES;

    private final Utf8Text text;
    /// The length of a text of one or two words, or 0.
    private final int wordBytes;
    private final GrowingSegment bytes;
    private int end;

    TextViewBuffer(ColumnType.Text type, SegmentAllocator memory) {
        super(type, VIEW_BYTE_SIZE, memory);
        text = new Utf8Text(type.type());
        long length = type.type().length();
        wordBytes = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN && text.endsAtNul() && length >= Long.BYTES
                && length <= MOST_WORD_BYTES ? (int) length : 0;
        bytes = new GrowingSegment(memory);
    }

    @Override
    void begin() {
        super.begin();
        end = 0;
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment views = values(index + count);
        long to = index * VIEW_BYTE_SIZE;
        for (int i = 0; i < count; i++) {
            long value = at + i * stride;
            long view = to + (long) i * VIEW_BYTE_SIZE;
            if (wordBytes == 0 || !putWords(from, value, views, view)) {
                putText(from, value, views, view);
            }
        }
    }

    /// Copies a text if it is ASCII and its bytes fit in the view, the common case.
    private boolean putWords(MemorySegment from, long at, MemorySegment views, long view) {
        long first = from.get(JAVA_LONG_UNALIGNED, at);
        long before = Utf8Text.bitsBeforeNul(first);
        first &= before;
        int byteSize = Long.bitCount(before) >>> 3;
        long second = 0;
        if (byteSize == Long.BYTES && wordBytes > Long.BYTES) {
            // The last 8 bytes, without what the first word has of them.
            second = from.get(JAVA_LONG_UNALIGNED, at + wordBytes - Long.BYTES) >>> Byte.SIZE
                    * (MOST_WORD_BYTES - wordBytes);
            before = Utf8Text.bitsBeforeNul(second);
            second &= before;
            byteSize += Long.bitCount(before) >>> 3;
        }
        if (byteSize > INLINE_LENGTH || !Utf8Text.isAscii(first | second)) {
            return false;
        }
        views.set(JAVA_LONG_UNALIGNED, view, byteSize | first << Integer.SIZE);
        views.set(JAVA_LONG_UNALIGNED, view + Long.BYTES, first >>> Integer.SIZE | second << Integer.SIZE);
        return true;
    }

    private void putText(MemorySegment from, long at, MemorySegment views, long view) {
        int byteSize = text.copy(from, at, bytes, end);
        MemorySegment target = bytes.get();
        views.set(JAVA_LONG_UNALIGNED, view, 0);
        views.set(JAVA_LONG_UNALIGNED, view + Long.BYTES, 0);
        views.set(JAVA_INT_UNALIGNED, view, byteSize);
        if (byteSize <= INLINE_LENGTH) {
            MemorySegment.copy(target, end, views, view + PREFIX_AT, byteSize);
        } else {
            MemorySegment.copy(target, end, views, view + PREFIX_AT, Integer.BYTES);
            views.set(JAVA_INT_UNALIGNED, view + OFFSET_AT, end);
            end = Math.addExact(end, byteSize);
        }
    }

    @Override
    void addBuffers(long length, List<MemorySegment> to) {
        super.addBuffers(length, to);
        to.add(bytes.first(end));
    }
}
