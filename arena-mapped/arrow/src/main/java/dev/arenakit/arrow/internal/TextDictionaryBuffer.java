package dev.arenakit.arrow.internal;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// Texts, as indices in a dictionary of texts.
final class TextDictionaryBuffer extends ColumnBuffer {
    private final Utf8Text text;
    private final TextDictionary dictionary;
    private final GrowingSegment copied;
    private final GrowingSegment values;

    TextDictionaryBuffer(StringType type, TextDictionary dictionary, SegmentAllocator memory) {
        super(memory);
        text = new Utf8Text(type);
        this.dictionary = dictionary;
        copied = new GrowingSegment(memory);
        values = new GrowingSegment(memory);
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = values.atLeast((index + count) * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            long value = at + i * stride;
            int length = text.length(from, value);
            MemorySegment bytes = copied.atLeast(text.mostBytes(length));
            int byteSize = text.copy(from, value, length, bytes, 0);
            target.set(JAVA_INT_UNALIGNED, (index + i) * Integer.BYTES, dictionary.index(bytes, byteSize, value));
        }
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        values.atLeast((index + 1) * Integer.BYTES).set(JAVA_INT_UNALIGNED, index * Integer.BYTES, 0);
    }

    @Override
    void collect(long length, BatchBuffers to) {
        super.collect(length, to);
        to.addBuffer(values.get(), length * Integer.BYTES);
    }
}
