package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.image.TypeNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A new image with one allocation, which gets the rows. The image is removed if it is not completed.
abstract class ImportTarget implements Closeable {
    private static final Set<String> KINDS = Set.of("ImageLongMap", "ImageMap", "ImageTree");

    final InfiniteArena arena;
    private final Path base;
    private boolean isComplete;
    /// The number of rows so far. It is the index of the next row, unless the row has one.
    long rows;

    ImportTarget(Path base, InfiniteArena arena) {
        this.base = base;
        this.arena = arena;
    }

    /// Makes the image. If the type is the type of a structure from longs to longs, the rows are its entries.
    ///
    /// @param builder builds the arena
    /// @param type    a type whose size is above 0
    /// @throws IOException if the image cannot be made, or such a structure cannot be imported
    static ImportTarget create(Path base, InfiniteArenaBuilder builder, String name, StructType type)
            throws IOException {
        boolean isMap = type.equals(entry("ImageLongMap"));
        boolean isTree = type.equals(entry("ImageTree"));
        if (!isMap && !isTree && KINDS.contains(type.name())
                && type.members().stream().map(Member::name).toList().equals(List.of("key", "value"))) {
            throw new IOException("entries of this " + type.name() + " cannot be imported: its program puts them."
                    + " Import them as structs by another name in --type");
        }
        InfiniteArena arena = builder.build();
        @Nullable
        ImportTarget target = null;
        try {
            if (isMap || isTree) {
                target = new Structure(base, arena,
                        isMap ? arena.structures().longMap(name)::put : arena.structures().longTree(name)::put);
            } else {
                target = new AllocationTarget(base, arena, name, type);
            }
            return target;
        } finally {
            if (target == null) {
                arena.close();
                ArenaImage.delete(base);
            }
        }
    }

    /// The type that an image records for a structure from longs to longs.
    private static StructType entry(String kind) {
        ValueType number = ValueType.of(long.class, ByteOrder.LITTLE_ENDIAN);
        return StructType.builder(kind).add("key", number).add("value", number).build();
    }

    /// Adds a row.
    abstract void add(long index, byte[] struct) throws IOException, ImportException;

    /// Adds rows that are zero.
    ///
    /// @param first the index of the first row
    abstract void addZeros(long first, long count) throws ImportException;

    /// Completes the image, and writes it to the device.
    void complete() throws IOException {
        arena.force();
        isComplete = true;
    }

    /// The number of rows and the word for them: structs or entries.
    String counted() {
        return Counts.of(rows, "struct");
    }

    @Override
    public void close() throws IOException {
        try {
            arena.close();
        } finally {
            if (!isComplete) {
                ArenaImage.delete(base);
            }
        }
    }

    /// Adds an entry.
    @FunctionalInterface
    private interface Entries {
        /// @return false if there is an entry with the key
        boolean put(long key, long value);
    }

    /// A map or a tree. An index has no meaning for an entry.
    private static final class Structure extends ImportTarget {
        private final Entries entries;

        Structure(Path base, InfiniteArena arena, Entries entries) {
            super(base, arena);
            this.entries = entries;
        }

        @Override
        void add(long index, byte[] struct) throws ImportException {
            ByteBuffer entry = ByteBuffer.wrap(struct).order(ByteOrder.LITTLE_ENDIAN);
            long key = entry.getLong();
            if (!entries.put(key, entry.getLong())) {
                throw new ImportException("key " + key + " is used twice");
            }
            rows++;
        }

        @Override
        void addZeros(long first, long count) throws ImportException {
            throw new ImportException("zeros are no entries");
        }

        @Override
        String counted() {
            return TypeNames.entries(rows);
        }
    }
}
