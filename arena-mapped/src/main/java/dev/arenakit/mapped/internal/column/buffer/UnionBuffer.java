package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ColumnTypes;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.IntegerColumnReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Unions as structs. All members but the valid member are null.
///
/// If the valid member is unknown, a member is copied unless its bytes are no value of its type, in which case it
/// cannot be valid.
final class UnionBuffer extends StructBuffer {
    private final @Nullable IntegerColumnReader discriminator;
    private final UnionType type;
    /// The columns of the members, -1 for a member without a column.
    private final int[] columns;

    UnionBuffer(ColumnType.Union union, SegmentAllocator memory) {
        super(union, memory);
        discriminator = union.discriminator().orElse(null);
        type = union.type();
        List<Member> withColumns = ColumnTypes.withColumns(type.members());
        columns = type.members().stream().mapToInt(withColumns::indexOf).toArray();
    }

    @Override
    void copy(MemorySegment from, long at, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            long unionAt = at + i * stride;
            long structAt = struct + i * structStride;
            int valid = discriminator == null ? 0 : valid(discriminator.read(from, structAt));
            for (int column = 0; column < children.length; column++) {
                if (discriminator == null) {
                    copyIfConvertible(children[column], from, unionAt, index + i, structAt);
                } else if (valid == column) {
                    children[column].write(from, unionAt, 0, 1, index + i, structAt, 0);
                } else {
                    children[column].setNull(index + i);
                }
            }
        }
    }

    /// Returns the column of the valid member, or -1.
    private int valid(long value) {
        int member = type.discriminator().orElseThrow().validMember(value);
        return member < 0 ? -1 : columns[member];
    }

    private static void copyIfConvertible(ColumnBuffer member, MemorySegment from, long at, long index, long struct) {
        try {
            member.write(from, at, 0, 1, index, struct, 0);
        } catch (ConversionFailure _) {
            member.setNull(index);
        }
    }
}
