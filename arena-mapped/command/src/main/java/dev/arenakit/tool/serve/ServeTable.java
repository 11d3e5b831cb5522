package dev.arenakit.tool.serve;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerState;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// A table of an image: a live allocation with a type.
record ServeTable(ArenaImage image, Allocation allocation, StructType type) {
    /// A client needs about as much memory as the largest struct, and as a batch.
    private static final long LARGEST_STRUCT = 1 << 20;
    private static final long BATCH_BYTES = 1 << 22;
    private static final int BATCH_ROWS = 1 << 16;
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
                .withBatchRows(Math.clamp(BATCH_BYTES / row.byteSize(), 1, BATCH_ROWS));
    }

    /// Whether Arrow can express all columns.
    boolean canBeServed() {
        try {
            ArrowIpc _ = format(List.of());
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// Whether the bytes of a reply are counted before it begins, so that it has its length. The image must not change
    /// meanwhile, and the client waits.
    boolean isCounted() throws IOException {
        OwnerState owner = image.ownerState();
        return owner != OwnerState.ALIVE && owner != OwnerState.UNKNOWN && allocation.byteSize() <= COUNTED_BYTES;
    }
}
