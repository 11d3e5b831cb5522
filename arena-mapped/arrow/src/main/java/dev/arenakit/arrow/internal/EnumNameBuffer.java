package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.EnumIndices;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Constants of an enum, as their names.
final class EnumNameBuffer extends ColumnBuffer {
    private final EnumIndices indices;
    private final List<MemorySegment> names;
    private final Offsets offsets;
    private final GrowingSegment bytes;

    EnumNameBuffer(ColumnType.Constant constant, SegmentAllocator memory) {
        super(memory);
        indices = new EnumIndices(constant);
        names = names(constant);
        offsets = new Offsets(memory);
        bytes = new GrowingSegment(memory);
    }

    private static List<MemorySegment> names(ColumnType.Constant constant) {
        return constant.names().stream().map(name -> MemorySegment.ofArray(name.getBytes(UTF_8))).toList();
    }

    /// The number of bytes of the longest name.
    static long mostBytes(ColumnType.Constant constant) {
        return names(constant).stream().mapToLong(MemorySegment::byteSize).max().orElse(0);
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
            MemorySegment name = names.get(indices.read(from, at + i * stride));
            MemorySegment.copy(name, 0, bytes.atLeast(end + name.byteSize()), end, name.byteSize());
            end += name.byteSize();
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
    void collect(long length, BatchBuffers to) {
        super.collect(length, to);
        offsets.collect(length, to);
        to.addBuffer(bytes.get(), offsets.start(length));
    }
}
