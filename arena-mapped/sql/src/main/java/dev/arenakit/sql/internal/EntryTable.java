package dev.arenakit.sql.internal;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.sql.SqlException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/// The table of the entries of a structure in an image. One thread reads them, with its own reader of the image.
final class EntryTable extends SqlTable {
    private final Path base;
    private final long number;
    private final BooleanSupplier cancelled;

    /// @param number    the number of the allocation
    /// @param cancelled whether the current query shall end
    EntryTable(String name, TableColumns columns, Path base, long number, BooleanSupplier cancelled) {
        super(name, columns);
        this.base = base;
        this.number = number;
        this.cancelled = cancelled;
    }

    @Override
    String refusal() {
        return "";
    }

    @Override
    OptionalLong rowCount() {
        return OptionalLong.empty();
    }

    @Override
    TableScan scan() throws IOException {
        ArenaImage image = ArenaImage.open(base);
        try {
            Allocation allocation = image.allocation(number)
                    .filter(Allocation::isLive)
                    .orElseThrow(() -> new SqlException("Structure was freed: table=" + name()));
            ImageEntries entries = image.entries(allocation)
                    .orElseThrow(() -> new SqlException("Structure is gone: table=" + name()));
            if (entries.state() == StructureState.LOST) {
                throw new SqlException("Structure was open when the machine failed, and may be incomplete: table="
                        + name() + "; repair it with InfiniteArena.repairStructure(name)");
            }
            return new Scan(image, entries.cursor());
        } catch (IOException e) {
            image.close();
            throw new SqlException("Table cannot be read: table=" + name() + ", reason=" + e.getMessage(), e);
        } catch (Throwable t) {
            image.close();
            throw t;
        }
    }

    private final class Scan implements TableScan {
        private final ArenaImage image;
        private final ImageEntries.Cursor cursor;
        private long nextRow;

        Scan(ArenaImage image, ImageEntries.Cursor cursor) {
            this.image = image;
            this.cursor = cursor;
        }

        @Override
        public synchronized boolean next(ScanThread thread) {
            if (cancelled.getAsBoolean()) {
                throw new SqlException("Query was cancelled");
            }
            try {
                if (!cursor.next()) {
                    return false;
                }
            } catch (IOException e) {
                throw new SqlException("Table cannot be read: table=" + name() + ", reason=" + e.getMessage(), e);
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
                image.close();
            } catch (IOException _) {
                // The files were only read.
            }
        }
    }
}
