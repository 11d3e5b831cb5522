package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.EnumIndices;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Constants of an enum, as their names.
final class EnumNameBuffer extends VariableBuffer {
    private final EnumIndices indices;
    private final List<MemorySegment> names;

    EnumNameBuffer(ColumnType.Constant constant, SegmentAllocator memory) {
        super(constant, memory);
        indices = new EnumIndices(constant);
        names = constant.names().stream().map(name -> MemorySegment.ofArray(name.getBytes(UTF_8))).toList();
    }

    @Override
    int copyText(MemorySegment from, long at, GrowingSegment target, long to) {
        MemorySegment name = names.get(indices.read(from, at));
        MemorySegment.copy(name, 0, target.atLeast(to + name.byteSize()), to, name.byteSize());
        return (int) name.byteSize();
    }
}
