package dev.arenakit.tool.serve;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.arrow.ArrowWriter;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;

/// A table of an image: a live allocation with a type that Arrow can express.
///
/// @param rowType the type of the rows, with all columns
record ServeTable(ArenaImage image, Allocation allocation, StructType type, StructType rowType) {
    /// The content type of the stream format.
    static final String CONTENT_TYPE = "application/vnd.apache.arrow.stream";
    /// A client needs about as much memory as the largest struct, and as a batch.
    private static final long LARGEST_STRUCT = 1 << 20;
    private static final long BATCH_BYTES = 1 << 22;
    private static final int BATCH_ROWS = 1 << 16;

    /// Returns the table of an allocation, or empty if it is none, or cannot be served.
    static Optional<ServeTable> find(ArenaImage image, Allocation allocation) {
        try {
            return of(image, allocation);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Returns the table of an allocation, or empty if it is none.
    ///
    /// @throws IllegalArgumentException if the struct has no columns, or too many, or if a row could be too large
    static Optional<ServeTable> of(ArenaImage image, Allocation allocation) {
        Optional<StructType> type = TypeNames.readable(image, allocation)
                .filter(found -> allocation.isLive() && found.byteSize() > 0 && found.byteSize() <= LARGEST_STRUCT);
        return type.map(found -> {
            StructType rowType = ArrowTable.rowType(found);
            ArrowIpc _ = ArrowIpc.stream(rowType);
            return new ServeTable(image, allocation, found, rowType);
        });
    }

    /// Opens the table to read its rows.
    ArrowTable open() throws IOException {
        return ArrowTable.open(image, allocation, type);
    }

    /// Returns the format of the rows.
    ///
    /// @param columns the names of the columns; none for all columns
    /// @throws IllegalArgumentException if there is no such column, or if one of the columns needs another column
    ArrowIpc format(List<String> columns) {
        for (String column : columns) {
            if (rowType.members().stream().noneMatch(member -> member.name().equals(column))) {
                throw new IllegalArgumentException("The table has no such column: column=" + column);
            }
        }
        List<Member> members = rowType.members()
                .stream()
                .filter(member -> columns.isEmpty() || columns.contains(member.name()))
                .toList();
        return ArrowIpc.stream(new StructType(rowType.name(), members, rowType.byteSize(), 1))
                .withBatchRows(Math.clamp(BATCH_BYTES / rowType.byteSize(), 1, BATCH_ROWS));
    }

    /// Writes rows.
    ///
    /// @return the number of rows
    /// @throws IOException if the rows cannot be read, converted or written; the stream is incomplete then
    static long write(ArrowTable table, StructRange range, ArrowIpc format, WritableByteChannel out)
            throws IOException {
        try (ArrowWriter writer = format.open(out)) {
            long missing = table.write(range, writer);
            if (missing > 0) {
                throw new IOException("a data file is truncated: " + missing + " structs are missing");
            }
            writer.finish();
            return writer.rowCount();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
