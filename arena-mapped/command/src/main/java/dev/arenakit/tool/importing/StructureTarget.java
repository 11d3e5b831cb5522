package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A new image with a structure from longs to longs, which gets the rows as entries.
final class StructureTarget implements ImportTarget {
    private static final Set<String> KINDS = Set.of("ImageLongMap", "ImageMap", "ImageTree");
    private static final ValueType NUMBER = ValueType.of(long.class, ByteOrder.LITTLE_ENDIAN);

    private final Path base;
    private final InfiniteArena arena;
    private final Entries entries;
    private long rows;
    private boolean isComplete;

    private StructureTarget(Path base, InfiniteArena arena, Entries entries) {
        this.base = base;
        this.arena = arena;
        this.entries = entries;
    }

    /// Adds an entry.
    @FunctionalInterface
    private interface Entries {
        /// @return false if there is an entry with the key
        boolean put(long key, long value);
    }

    /// Makes the image if the type is the type of a structure.
    ///
    /// @param builder builds the arena
    /// @return the image, or empty if the type is not the type of a structure
    /// @throws IOException if such a structure cannot be imported
    static Optional<ImportTarget> create(Path base, InfiniteArena.Builder builder, String name, StructType type)
            throws IOException {
        boolean isMap = type.equals(entry("ImageLongMap"));
        if (!isMap && !type.equals(entry("ImageTree"))) {
            if (KINDS.contains(type.name())
                    && type.members().stream().map(Member::name).toList().equals(List.of("key", "value"))) {
                throw new IOException("entries of this " + type.name() + " cannot be imported: its program puts them."
                        + " Import them as structs by another name in --type");
            }
            return Optional.empty();
        }
        InfiniteArena arena = builder.build();
        boolean made = false;
        try {
            Entries entries = isMap ? arena.longMap(name)::put : arena.longTree(name)::put;
            made = true;
            return Optional.of(new StructureTarget(base, arena, entries));
        } finally {
            if (!made) {
                arena.close();
                ArenaImage.delete(base);
            }
        }
    }

    /// The type that an image records for a structure from longs to longs.
    private static StructType entry(String kind) {
        return StructType.builder(kind).add("key", NUMBER).add("value", NUMBER).build();
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public void check(long first, long count) {
        // An index has no meaning for an entry.
    }

    @Override
    public void add(long index, byte[] struct) throws ImportException {
        ByteBuffer entry = ByteBuffer.wrap(struct).order(ByteOrder.LITTLE_ENDIAN);
        long key = entry.getLong();
        if (!entries.put(key, entry.getLong())) {
            throw ImportException.row("key " + key + " is used twice");
        }
        rows++;
    }

    @Override
    public void addZeros(long first, long count) throws ImportException {
        throw ImportException.row("zeros are no entries");
    }

    @Override
    public void complete() {
        arena.force();
        isComplete = true;
    }

    @Override
    public String counted(long number) {
        return TypeNames.entries(number);
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
}
