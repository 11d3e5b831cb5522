package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.EnumIndices;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import dev.arenakit.mapped.internal.column.TextDictionary;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Constants of an enum or texts, as indices in a dictionary.
final class IndexBuffer extends FixedBuffer {
    private final IndexReader reader;

    private IndexBuffer(ColumnType type, int byteSize, SegmentAllocator memory, IndexReader reader) {
        super(type, byteSize, memory);
        this.reader = reader;
    }

    @FunctionalInterface
    private interface IndexReader {
        int read(MemorySegment from, long at);
    }

    static IndexBuffer of(ColumnType.Constant constant, SegmentAllocator memory) {
        return new IndexBuffer(constant, constant.indexByteSize(), memory, new EnumIndices(constant)::read);
    }

    static IndexBuffer of(ColumnType.Text type, TextDictionary dictionary, SegmentAllocator memory) {
        Utf8Text text = new Utf8Text(type.type());
        GrowingSegment copied = new GrowingSegment(memory);
        return new IndexBuffer(type, Integer.BYTES, memory, (from, at) -> {
            int byteSize = text.copy(from, at, copied, 0);
            return dictionary.index(copied.get(), byteSize, at);
        });
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        MemorySegment target = values(index + count);
        for (int i = 0; i < count; i++) {
            put(target, index + i, reader.read(from, at + i * stride));
        }
    }
}
