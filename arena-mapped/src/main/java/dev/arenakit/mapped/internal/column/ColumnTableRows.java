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
            column.copyToRows(elements, 0, count, rows, rowByteSize);
        }
    }

    /// Copies rows of a table in memory. The bytes of other columns, and of padding, remain as they are.
    ///
    /// @param first the index of the first row
    /// @param rows  receives the rows
    public void copy(MemorySegment table, long first, int count, MemorySegment rows) {
        for (Column column : columns) {
            column.copyToRows(table, column.byteOffset(capacity, first), count, rows, rowByteSize);
        }
    }
}
