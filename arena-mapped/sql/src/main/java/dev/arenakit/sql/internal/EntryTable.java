package dev.arenakit.sql.internal;

import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.sql.SqlException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/// The table of the entries of a structure in an image. One thread at a time reads them.
public final class EntryTable extends SqlTable {
    private final Opener opener;
    private final long allocation;
    private final BooleanSupplier cancelled;

    /// @param allocation the number of the allocation
    /// @param cancelled  whether the current query shall end
    EntryTable(String name, TableColumns columns, Opener opener, long allocation, BooleanSupplier cancelled) {
        super(name, columns);
        this.opener = opener;
        this.allocation = allocation;
        this.cancelled = cancelled;
    }

    /// Opens the structures of an image.
    @FunctionalInterface
    public interface Opener {
        /// Opens a structure.
        ///
        /// @param allocation the number of its allocation
        /// @throws IOException if it cannot be read, or entries may be missing
        Opened open(long allocation) throws IOException;
    }

    /// An open structure.
    ///
    /// @param cursor the cursor before its first entry
    /// @param image  is closed after the last one
    public record Opened(ImageEntries.Cursor cursor, Closeable image) {}

    @Override
    String refusal() {
        return "";
    }

    @Override
    OptionalLong rowCount() {
        return OptionalLong.empty();
    }

    @Override
    TableScan scan() {
        try {
            return new Scan(opener.open(allocation));
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private SqlException unreadable(IOException e) {
        return new SqlException("Table cannot be read: table=" + name() + ", reason=" + e.getMessage(), e);
    }

    private final class Scan implements TableScan {
        private final Opened opened;
        private long nextRow;

        Scan(Opened opened) {
            this.opened = opened;
        }

        @Override
        public synchronized boolean next(ScanThread thread) {
            if (cancelled.getAsBoolean()) {
                throw new SqlException("Query was cancelled");
            }
            ImageEntries.Cursor cursor = opened.cursor;
            try {
                if (!cursor.next()) {
                    return false;
                }
            } catch (IOException e) {
                throw unreadable(e);
            }
            MemorySegment entries = cursor.entries();
            MemorySegment buffer = thread.buffer(entries.byteSize());
            MemorySegment.copy(entries, 0, buffer, 0, entries.byteSize());
            thread.setRows(buffer.address(), structByteSize(), nextRow, cursor.count());
            nextRow += cursor.count();
            return true;
        }

        @Override
        public long threads() {
            return 1;
        }

        @Override
        public void close() {
            try {
                opened.image.close();
            } catch (IOException _) {
                // The files were only read.
            }
        }
    }
}
