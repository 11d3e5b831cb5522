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

    private final Utf8Text text;
    private final boolean isWord;
    private final GrowingSegment bytes;
    private int end;

    TextViewBuffer(ColumnType.Text type, SegmentAllocator memory) {
        super(type, VIEW_BYTE_SIZE, memory);
        text = new Utf8Text(type.type());
        isWord = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN && text.hasWords()
                && type.type().length() == Long.BYTES;
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
            if (!isWord || !putWord(from.get(JAVA_LONG_UNALIGNED, value), views, view)) {
                putText(from, value, views, view);
            }
        }
    }

    /// Copies a text of 8 bytes if it is ASCII, the common case.
    private static boolean putWord(long word, MemorySegment views, long view) {
        long before = Utf8Text.bitsBeforeNul(word);
        long text = word & before;
        if (!Utf8Text.isAscii(text)) {
            return false;
        }
        views.set(JAVA_LONG_UNALIGNED, view, (Long.bitCount(before) >>> 3) | (text << Integer.SIZE));
        views.set(JAVA_LONG_UNALIGNED, view + Long.BYTES, text >>> Integer.SIZE);
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
