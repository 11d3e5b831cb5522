package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import dev.arenakit.mapped.internal.column.TextDictionary;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Texts, as indices in a dictionary of texts.
final class TextDictionaryBuffer extends FixedBuffer {
    private final Utf8Text text;
    private final TextDictionary dictionary;
    private final GrowingSegment copied;

    TextDictionaryBuffer(ColumnType.Text type, TextDictionary dictionary, SegmentAllocator memory) {
        super(type, Integer.BYTES, memory);
        text = new Utf8Text(type.type());
        this.dictionary = dictionary;
        copied = new GrowingSegment(memory);
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = values(index + count);
        for (int i = 0; i < count; i++) {
            long value = at + i * stride;
            int byteSize = text.copy(from, value, copied, 0);
            put(target, index + i, dictionary.index(copied.get(), byteSize, value));
        }
    }
}
