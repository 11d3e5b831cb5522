package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.ColumnTableFormat.Column;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Collects the rows of a table of columns as structs, one after another. Only the columns that are used are read. Not
/// thread-safe.
public final class ColumnTableRows {
    private final List<Column> columns;
    private final long rowByteSize;
    private final long capacity;
    private MemorySegment elements = MemorySegment.NULL;

    /// @param capacity the capacity of the table
    /// @param members  the names of the members that are used
    public ColumnTableRows(ColumnTableFormat format, long capacity, Predicate<String> members) {
        this.capacity = capacity;
        rowByteSize = format.row().byteSize();
        columns = format.columns()
                .stream()
                .filter(column -> column.element().members().stream().map(Member::name).anyMatch(members))
                .toList();
    }

    /// Reads a range of the table.
    @FunctionalInterface
    public interface Bytes {
        void read(long byteOffset, MemorySegment into) throws IOException;
    }

    /// Returns the names of the members that columns need.
    ///
    /// @param used the columns of a row
    public static Predicate<String> members(StructType row, Collection<ColumnType.Column> used) {
        return name -> {
            Member member = row.member(name).orElseThrow();
            return used.stream()
                    .anyMatch(column -> column.byteOffset() >= member.byteOffset()
                            && column.byteOffset() < member.limit());
        };
    }

    /// Reads rows. The bytes of other columns, and of padding, remain as they are.
    ///
    /// @param first the index of the first row
    /// @param rows  receives the rows
    public void read(Bytes bytes, long first, int count, MemorySegment rows) throws IOException {
        for (Column column : columns) {
            long byteSize = count * column.element().byteSize();
            if (elements.byteSize() < byteSize) {
                elements = MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]);
            }
            bytes.read(column.byteOffset(capacity, first), elements.asSlice(0, byteSize));
            copy(column, elements, 0, count, rows);
        }
    }

    /// Copies rows of a table in memory. The bytes of other columns, and of padding, remain as they are.
    ///
    /// @param first the index of the first row
    /// @param rows  receives the rows
    public void copy(MemorySegment table, long first, int count, MemorySegment rows) {
        for (Column column : columns) {
            copy(column, table, column.byteOffset(capacity, first), count, rows);
        }
    }

    private void copy(Column column, MemorySegment from, long first, int count, MemorySegment rows) {
        long stride = column.element().byteSize();
        long at = first + column.byteOffset();
        long to = column.rowByteOffset();
        for (int i = 0; i < count; i++, at += stride, to += rowByteSize) {
            // These sizes are most frequent, and a copy of so few bytes takes longer.
            if (column.byteSize() == Long.BYTES) {
                rows.set(JAVA_LONG_UNALIGNED, to, from.get(JAVA_LONG_UNALIGNED, at));
            } else if (column.byteSize() == Integer.BYTES) {
                rows.set(JAVA_INT_UNALIGNED, to, from.get(JAVA_INT_UNALIGNED, at));
            } else {
                MemorySegment.copy(from, at, rows, to, column.byteSize());
            }
        }
    }
}
