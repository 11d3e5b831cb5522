package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.GrowingSegment;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Texts, without what pads them.
final class TextBuffer extends VariableBuffer {
    private final Utf8Text text;

    TextBuffer(ColumnType.Text type, SegmentAllocator memory) {
        super(type, memory);
        text = new Utf8Text(type.type());
    }

    @Override
    int copyText(MemorySegment from, long at, GrowingSegment target, long to) {
        return text.copy(from, at, target, to);
    }
}
