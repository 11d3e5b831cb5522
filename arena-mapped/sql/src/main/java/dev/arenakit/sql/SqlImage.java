package dev.arenakit.sql;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.sql.internal.EntryTable;
import dev.arenakit.sql.internal.ImageSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The allocations of an image, as tables of a schema ([StructSql#image]). Thread-safe.
public final class SqlImage {
    private final ImageSchema schema;

    /// @throws SqlException if the engine reserves the name of the schema
    SqlImage(String schema, ArenaImage image, BooleanSupplier cancelled) throws IOException {
        this.schema = new ImageSchema(schema, image::file, number -> open(image.base(), number), cancelled);
        try (Stream<Allocation> all = image.allocations()) {
            this.schema.addAll(all.filter(Allocation::isLive), image::type,
                    allocation -> isStructure(image, allocation));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// Opens a structure with a reader of the image of its own, because this image may be closed.
    private static EntryTable.Opened open(Path base, long allocation) throws IOException {
        ArenaImage image = ArenaImage.open(base);
        try {
            ImageEntries entries = image.entries(image.allocation(allocation)
                    .filter(Allocation::isLive)
                    .orElseThrow(() -> new IOException("Structure was freed: number=" + allocation)))
                    .orElseThrow(() -> new IOException("No structure: number=" + allocation));
            if (entries.state() == StructureState.LOST) {
                throw new IOException(
                        "Structure was open when the machine failed, or the image was moved without arena copy, and may"
                                + " be incomplete; repair it with arena repair, or"
                                + " InfiniteArena.repairStructure(name)");
            }
            return new EntryTable.Opened(new CheckedCursor(entries, entries.cursor()), image);
        } catch (Throwable t) {
            image.close();
            throw t;
        }
    }

    /// A cursor that fails at its end if entries are damaged.
    private record CheckedCursor(ImageEntries from, ImageEntries.Cursor cursor) implements ImageEntries.Cursor {
        @Override
        public boolean next() throws IOException {
            if (cursor.next()) {
                return true;
            }
            if (from.hasReadDamage()) {
                throw new IOException("Structure has entries whose check is wrong, because their bytes were changed;"
                        + " arena verify names them, and arena repair or InfiniteArena.repairStructure(name) drops them");
            }
            return false;
        }

        @Override
        public int count() {
            return cursor.count();
        }

        @Override
        public MemorySegment entries() {
            return cursor.entries();
        }

        @Override
        public long position(int index) {
            return cursor.position(index);
        }
    }

    private static boolean isStructure(ArenaImage image, Allocation allocation) {
        try {
            return image.entries(allocation).isPresent();
        } catch (IOException _) {
            // A query of its table says what is wrong.
            return true;
        }
    }

    ImageSchema imageSchema() {
        return schema;
    }

    /// {@return the name of the schema}
    public String schema() {
        return schema.name();
    }

    /// Returns the names of the tables. A table has the name of its allocation, or a name such as `#27` if the
    /// allocation has no name, or a name with a NUL. SQL does not distinguish upper from lower case in ASCII:
    /// if two names differ only in case, the second table has the suffix `_1`. A statement that has either name,
    /// exactly as it is written, reads the table of this allocation.
    ///
    /// @return the names, in the order of the allocations
    public List<String> tables() {
        return List.copyOf(schema.columns().keySet());
    }

    /// Returns the names of the columns of each table, which no query needs to find.
    ///
    /// @return the names of the columns, by the names of the tables, in the order of the allocations
    public Map<String, List<String>> columns() {
        return Collections.unmodifiableMap(schema.columns());
    }

    /// Returns the tables that have a suffix, because the names of two allocations differ only in case.
    ///
    /// @return the names of the allocations, by the names of their tables
    public Map<String, String> renamedTables() {
        return Collections.unmodifiableMap(schema.renamed());
    }

    /// Returns the allocations that have a type but no table, with the reason: the type cannot be parsed, has no size,
    /// or is larger than 64 MiB.
    ///
    /// @return a line for each allocation
    public List<String> leftOut() {
        return List.copyOf(schema.leftOut());
    }

    /// Includes the structs whose bytes are all zero, written or not, in all queries that begin from now on.
    ///
    /// @return this image
    public SqlImage withZeroRows() {
        schema.includeZeroRows();
        return this;
    }
}
