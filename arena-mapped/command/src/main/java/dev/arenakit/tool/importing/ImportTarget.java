package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.structs.StructColumns;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.stream.Collectors.joining;

/// A new image with one allocation, which grows with its rows. The image is removed if it is not completed.
final class ImportTarget implements Closeable {
    /*
     * The rows are written to the file, not to mapped memory: on a full disk, a store to mapped memory would kill the
     * process.
     */

    private static final Set<String> STRUCTURES = Set.of("ImageLongMap", "ImageMap", "ImageTree");
    private static final long LARGEST = 1L << 43;
    private static final long LEAST = 1L << 30;
    private static final int BUFFER = 1 << 20;
    private static final int SHOWN_NAMES = 10;
    /// A shorter gap between rows does not contain a whole page, so it cannot become a hole.
    private static final int SMALLEST_HOLE = 1 << 12;

    private final Path base;
    private final InfiniteArena arena;
    private final GrowableSegment memory;
    private final FileIdentity identity;
    private final FileChannel file;
    private final BufferedOutputStream out;
    private final byte[] bytes;
    final StructType type;
    /// The fields by their JSON pointers, such as `/levels/2/price`.
    private final Map<String, ImportField> fields = new LinkedHashMap<>();
    /// The struct that [#add] adds.
    final MemorySegment struct;
    /// The end of the last row in the file.
    private long end;
    /// The number of rows so far. It is the index of the next row, unless the row has one.
    long rows;
    private boolean isComplete;

    private ImportTarget(Path base, InfiniteArena arena, String name, StructType type) throws IOException {
        this.base = base;
        this.arena = arena;
        this.type = type;
        StructColumns.forEach(type,
                (path, leaf, byteOffset) -> fields.put(pointer(path), new ImportField(path, leaf, byteOffset)));
        bytes = new byte[Math.toIntExact(type.byteSize())];
        struct = MemorySegment.ofArray(bytes);
        memory = growable(name);
        try (ArenaImage image = ArenaImage.open(base)) {
            identity = FileIdentity.of(image.file(image.find(name).orElseThrow().file()));
            file = identity.open();
        }
        out = new BufferedOutputStream(Channels.newOutputStream(file), BUFFER);
    }

    /// Makes the image.
    ///
    /// @param builder builds the arena
    /// @param type    a type whose size is above 0
    /// @throws IOException if the image cannot be made, or the rows are entries of a structure
    static ImportTarget create(Path base, InfiniteArenaBuilder builder, String name, StructType type)
            throws IOException {
        if (ColumnTableFormat.recordedRow(type).isPresent() || (STRUCTURES.contains(type.name())
                && type.members().stream().map(Member::name).toList().equals(List.of("key", "value")))) {
            throw new IOException("entries of this " + type.name() + " cannot be imported: its program puts them."
                    + " Import them as structs by another name in --type");
        }
        if (new StructColumns().count(type) > StructColumns.MAX) {
            throw new IOException("the type has more than " + StructColumns.MAX + " fields");
        }
        InfiniteArena arena = builder.build();
        try {
            return new ImportTarget(base, arena, name, type);
        } catch (Throwable t) {
            arena.close();
            ImageFiles.delete(base);
            throw t;
        }
    }

    /// Reserves as large a range of addresses as the system gives.
    private GrowableSegment growable(String name) throws IOException {
        for (long byteSize = LARGEST;; byteSize /= 2) {
            try {
                return arena.names().growable(name, type, byteSize / type.byteSize());
            } catch (OutOfMemoryError e) {
                if (byteSize <= LEAST) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        }
    }

    /// Returns the JSON pointer for the path of a field: `/levels/2/price` for `levels[2].price`.
    static String pointer(String path) {
        return "/" + path.replaceAll("[.\\[]", "/").replace("]", "");
    }

    /// Returns the field at a JSON pointer.
    ImportField field(String pointer) throws IOException {
        ImportField field = fields.get(pointer);
        if (field == null) {
            throw new IOException("'" + PrintableText.shortened(pointer.substring(1))
                    + "' is no field of the type, whose fields are "
                    + fields.values().stream().limit(SHOWN_NAMES).map(ImportField::path).collect(joining(", "))
                    + (fields.size() > SHOWN_NAMES ? " ..." : ""));
        }
        return field;
    }

    private void check(long first, long count) throws IOException {
        if (first < rows) {
            throw new IOException("index " + first + " after " + (rows - 1)
                    + ": rows must be in the order of their indexes");
        }
        long largest = memory.maxByteSize() / type.byteSize();
        if (count < 1 || first > largest - count) {
            throw new IOException("index " + Long.toUnsignedString(first + count - 1)
                    + " is too large: the allocation can have " + largest + " structs");
        }
    }

    /// Adds the struct. Structs between the previous struct and this struct are zero.
    void add(long index) throws IOException {
        check(index, 1);
        long gap = index * type.byteSize() - end;
        if (gap < SMALLEST_HOLE) {
            out.write(new byte[(int) gap]);
        } else {
            out.flush();
            file.position(end + gap);
        }
        out.write(bytes);
        end += gap + type.byteSize();
        rows = index + 1;
    }

    /// Adds structs that are zero.
    ///
    /// @param first the index of the first struct
    void addZeros(long first, long count) throws IOException {
        check(first, count);
        rows = first + count;
    }

    /// Completes the image, and writes it to the device. Until then, its catalog does not record the rows, and the
    /// writes extend the file.
    void complete() throws IOException {
        out.flush();
        // The rows are on the device before the catalog records them, even after a power loss.
        file.force(true);
        identity.check();
        try {
            memory.grow(rows * type.byteSize());
            memory.elementCount(rows);
            arena.force();
            isComplete = true;
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            arena.close();
        } finally {
            if (!isComplete) {
                ImageFiles.delete(base);
            }
        }
    }
}
