package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.EnumIndices;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import dev.arenakit.mapped.internal.column.Offsets;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Texts, or the names of the constants of an enum, in UTF-8: their ends, and their bytes one after another.
final class VariableBuffer extends ColumnBuffer {
    private final Offsets offsets;
    private final GrowingSegment bytes;
    private final TextCopier texts;

    private VariableBuffer(ColumnType type, SegmentAllocator memory, TextCopier texts) {
        super(type, memory);
        offsets = new Offsets(memory);
        bytes = new GrowingSegment(memory);
        this.texts = texts;
    }

    @FunctionalInterface
    private interface TextCopier {
        /// Copies a text.
        ///
        /// @return the number of its bytes
        int copy(MemorySegment from, long at, GrowingSegment target, long to);
    }

    static VariableBuffer of(ColumnType.Text text, SegmentAllocator memory) {
        return new VariableBuffer(text, memory, new Utf8Text(text.type())::copy);
    }

    static VariableBuffer of(ColumnType.Constant constant, SegmentAllocator memory) {
        EnumIndices indices = new EnumIndices(constant);
        List<MemorySegment> names = constant.names()
                .stream()
                .map(name -> MemorySegment.ofArray(name.getBytes(UTF_8)))
                .toList();
        return new VariableBuffer(constant, memory, (from, at, target, to) -> {
            MemorySegment name = names.get(indices.read(from, at));
            MemorySegment.copy(name, 0, target.atLeast(to + name.byteSize()), to, name.byteSize());
            return (int) name.byteSize();
        });
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
            end += texts.copy(from, at + i * stride, bytes, end);
            Offsets.setEnd(ends, index + i, end);
        }
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
    void addBuffers(long length, List<MemorySegment> to) {
        to.add(offsets.first(length));
        to.add(bytes.first(offsets.start(length)));
    }
}
