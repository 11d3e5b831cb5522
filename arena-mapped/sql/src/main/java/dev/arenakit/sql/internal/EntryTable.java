package dev.arenakit.sql.internal;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.column.ColumnTableRows;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.sql.SqlException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The table of the entries of a structure in an image. One thread at a time reads them. Each scan opens the image,
/// because the program may have closed its own reader.
final class EntryTable extends SqlTable {
    private static final String LOST = "Structure was open when the machine failed, or the image was moved without arena"
            + " copy, and may be incomplete; repair it with arena repair, or InfiniteArena.structures().repair(name)";

    private final Path base;
    private final long allocation;

    /// @param allocation the number of the allocation
    EntryTable(String name, TableColumns columns, Path base, long allocation) {
        super(name, columns);
        this.base = base;
        this.allocation = allocation;
    }

    @Override
    TableScan scan() {
        try {
            return new Scan(ArenaImage.open(base));
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /// @throws IOException if the structure cannot be read, or entries may be missing
    private ImageEntries entries(ArenaImage image) throws IOException {
        ImageEntries entries = image.entries(image.allocation(allocation)
                .filter(Allocation::isLive)
                .orElseThrow(() -> new IOException("Structure was freed: number=" + allocation)))
                .orElseThrow(() -> new IOException("No structure: number=" + allocation));
        if (entries.state() == StructureState.LOST) {
            throw new IOException(LOST);
        }
        return entries;
    }

    private SqlException unreadable(IOException e) {
        return new SqlException("Table cannot be read: table=" + name() + ", reason=" + e.getMessage(), e);
    }

    private final class Scan implements TableScan {
        private final ArenaImage image;
        private final ImageEntries entries;
        private ImageEntries.@Nullable Cursor cursor;
        private long nextRow;

        Scan(ArenaImage image) throws IOException {
            this.image = image;
            try {
                entries = entries(image);
            } catch (Throwable t) {
                image.close();
                throw t;
            }
        }

        @Override
        public synchronized boolean next(StructBatch rows, List<ColumnType.Column> used) {
            ImageEntries.Cursor read = cursor;
            try {
                if (read == null) {
                    // The only thread knows the columns of the query.
                    read = entries.cursor(ColumnTableRows.members(entries.type(), used));
                    cursor = read;
                }
                if (!read.next()) {
                    return false;
                }
            } catch (IOException e) {
                throw unreadable(e);
            }
            rows.begin(nextRow, read.count()).copyFrom(read.entries());
            nextRow += read.count();
            return true;
        }

        @Override
        public long threads() {
            return 1;
        }

        @Override
        public void close() {
            try {
                image.close();
            } catch (IOException _) {
                // The files were only read.
            }
        }
    }
}
