package dev.arenakit.tool.serve;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.arrow.ArrowWriter;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerState;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A table of an image: a live allocation with a type.
record ServeTable(ArenaImage image, Allocation allocation, StructType type) {
    /// The types of members whose columns have the same size for all values.
    private static final Set<Class<? extends MemoryType>> FIXED = Set.of(ValueType.class, UnsignedType.class,
            BitFieldType.class, EnumType.class, AddressType.class);
    /// A client needs about as much memory as the largest struct, and as a batch.
    private static final long LARGEST_STRUCT = 1 << 20;
    private static final long BATCH_BYTES = 1 << 22;
    private static final int BATCH_ROWS = 1 << 16;
    /// The rows of larger tables are not counted, because the client waits meanwhile.
    private static final long COUNTED_BYTES = 1 << 30;

    /// Returns the table of an allocation, or empty if it is none. [#format] throws an exception if Arrow cannot express
    /// it.
    static Optional<ServeTable> of(ArenaImage image, Allocation allocation) {
        return TypeNames.readable(image, allocation)
                .filter(type -> allocation.isLive() && type.byteSize() > 0 && type.byteSize() <= LARGEST_STRUCT)
                .map(type -> new ServeTable(image, allocation, type));
    }

    /// Returns the format of the rows.
    ///
    /// @param columns the names of the columns; none for all columns
    /// @throws IllegalArgumentException if there is no such column, if one of the columns needs another column, if the
    ///                                  struct has no columns, or too many, or if a row could be too large
    ArrowIpc format(List<String> columns) {
        StructType row = ArrowTable.rowType(type);
        for (String column : columns) {
            if (row.members().stream().noneMatch(member -> member.name().equals(column))) {
                throw new IllegalArgumentException("The table has no such column: column=" + column);
            }
        }
        List<Member> members = row.members()
                .stream()
                .filter(member -> columns.isEmpty() || columns.contains(member.name()))
                .toList();
        return ArrowIpc.stream(new StructType(row.name(), members, row.byteSize(), 1))
                .withBatchRows(batchRows(row));
    }

    private static int batchRows(StructType row) {
        return Math.clamp(BATCH_BYTES / row.byteSize(), 1, BATCH_ROWS);
    }

    /// Returns the number of bytes of a reply, or 0 if it is unknown: the image may change, the size of a column depends
    /// on its values, or the table is too large to count the rows, which are fewer than the structs.
    long byteSize(ArrowTable table, StructRange range, ArrowIpc format) throws IOException {
        OwnerState owner = image.ownerState();
        if (owner == OwnerState.ALIVE || owner == OwnerState.UNKNOWN || allocation.byteSize() > COUNTED_BYTES
                || !type.members().stream().allMatch(member -> FIXED.contains(member.type().getClass()))) {
            return 0;
        }
        StructType row = table.rowType();
        MemorySegment first = MemorySegment.ofArray(new byte[(int) row.byteSize()]);
        long[] count = {0};
        long missing = table.write(range, rows -> {
            if (count[0] == 0 && rows.byteSize() > 0) {
                MemorySegment.copy(rows, 0, first, 0, first.byteSize());
            }
            count[0] += rows.byteSize() / first.byteSize();
        });
        long empty = byteSize(format, first, 0);
        long batches = count[0] / batchRows(row);
        long full = batches == 0 ? 0 : batches * (byteSize(format, first, batchRows(row)) - empty);
        return missing > 0 ? 0 : full + byteSize(format, first, count[0] % batchRows(row));
    }

    /// The size of a stream in which a row is repeated.
    private static long byteSize(ArrowIpc format, MemorySegment row, long count) throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (ArrowWriter writer = format.open(Channels.newChannel(stream))) {
            for (long i = 0; i < count; i++) {
                writer.write(row);
            }
            writer.finish();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        return stream.size();
    }
}
