package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.image.TypeNames;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// A new image with one allocation, which grows with its rows, or with one map or tree, whose entries are the rows. The
/// image is removed if it is not completed.
abstract class ImportTarget implements Closeable {
    private static final Set<String> KINDS = Set.of("ImageLongMap", "ImageMap", "ImageTree");

    private final Path base;
    final InfiniteArena arena;
    private boolean isComplete;
    /// The number of rows so far. It is the index of the next row, unless the row has one.
    long rows;

    private ImportTarget(Path base, InfiniteArena arena) {
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
        boolean isMade = false;
        try {
            ImportTarget target = isMap
                    ? new Structure(base, arena, arena.structures().longMap(name)::put)
                    : isTree
                            ? new Structure(base, arena, arena.structures().longTree(name)::put)
                            : new Structs(base, arena, name, type);
            isMade = true;
            return target;
        } finally {
            if (!isMade) {
                arena.close();
                ImageFiles.delete(base);
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
                ImageFiles.delete(base);
            }
        }
    }

    /// An allocation.
    private static final class Structs extends ImportTarget {
        /*
         * The rows are written to the file, not to mapped memory: on a full disk, a store to mapped memory would kill
         * the process.
         */

        private static final long LARGEST = 1L << 43;
        private static final long LEAST = 1L << 30;
        private static final int BUFFER = 1 << 20;
        /// A shorter gap between rows does not contain a whole page, so it cannot become a hole.
        private static final int SMALLEST_HOLE = 1 << 12;

        private final long structByteSize;
        private final GrowableSegment memory;
        private final FileIdentity identity;
        private final FileChannel file;
        private final BufferedOutputStream out;
        /// The end of the last row in the file.
        private long end;

        Structs(Path base, InfiniteArena arena, String name, StructType type) throws IOException {
            super(base, arena);
            structByteSize = type.byteSize();
            memory = growable(name, LARGEST / structByteSize, type);
            try (ArenaImage image = ArenaImage.open(base)) {
                identity = FileIdentity.of(image.file(image.find(name).orElseThrow().file()));
                file = identity.open();
            }
            out = new BufferedOutputStream(Channels.newOutputStream(file), BUFFER);
        }

        /// Reserves as large a range of addresses as the system gives.
        private GrowableSegment growable(String name, long count, StructType type) throws IOException {
            try {
                return arena.names().growable(name, type, count);
            } catch (OutOfMemoryError e) {
                if (count <= LEAST / structByteSize) {
                    throw new IOException(e.getMessage(), e);
                }
                return growable(name, count / 2, type);
            }
        }

        private void check(long first, long count) throws ImportException {
            if (first < rows) {
                throw new ImportException("index " + first + " after " + (rows - 1)
                        + ": rows must be in the order of their indexes");
            }
            long largest = memory.maxByteSize() / structByteSize;
            if (count < 1 || first > largest - count) {
                throw new ImportException("index " + Long.toUnsignedString(first + count - 1)
                        + " is too large: the allocation can have " + largest + " structs");
            }
        }

        /// Adds a struct. Structs between the previous struct and this struct are zero.
        @Override
        void add(long index, byte[] struct) throws IOException, ImportException {
            check(index, 1);
            long gap = index * structByteSize - end;
            if (gap < SMALLEST_HOLE) {
                out.write(new byte[(int) gap]);
            } else {
                out.flush();
                file.position(end + gap);
            }
            out.write(struct);
            end += gap + structByteSize;
            rows = index + 1;
        }

        @Override
        void addZeros(long first, long count) throws ImportException {
            check(first, count);
            rows = first + count;
        }

        /// Until the image is complete, its catalog does not record the rows, and the writes extend the file.
        @Override
        void complete() throws IOException {
            out.flush();
            // The rows are on the device before the catalog records them, even after a power loss.
            file.force(true);
            identity.check();
            try {
                memory.grow(rows * structByteSize);
                memory.elementCount(rows);
                super.complete();
            } catch (UncheckedIOException e) {
                throw new IOException(e.getMessage(), e);
            }
        }

        @Override
        public void close() throws IOException {
            try (file) {
                super.close();
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
