package dev.arenakit.mapped;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The live allocations of an arena by their names. Thread-safe.
final class NamedAllocations {
    /// Long enough for a path, and short enough for a listing.
    private static final int LONGEST_NAME = 1024;

    private final ConcurrentHashMap<String, Named> names = new ConcurrentHashMap<>();

    /// Checks that a name can be printed in a listing, and cannot be confused with an index.
    ///
    /// @throws IllegalArgumentException if it is not such a name
    static void check(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.startsWith("#") || !isText(name)) {
            throw new IllegalArgumentException("Not a name of an allocation: name=" + name + ", length=" + name.length()
                    + ", longest=" + LONGEST_NAME
                    + "; a name has 1 or more characters, no control character, and no # at its beginning");
        }
    }

    private static boolean isText(String name) {
        return name.codePoints()
                .noneMatch(character -> Character.isISOControl(character)
                        || Character.getType(character) == Character.SURROGATE);
    }

    /// The size of an array of structs.
    static long byteSize(String name, StructType type, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Negative count: name=" + name + ", count=" + count);
        }
        if (type.byteSize() > 0 && count > Sizes.ADDRESSABLE / type.byteSize()) {
            throw new OutOfMemoryError("Allocation exceeds the address space: name=" + name + ", structByteSize="
                    + type.byteSize() + ", count=" + count + ", addressable=" + Sizes.ADDRESSABLE);
        }
        return type.byteSize() * count;
    }

    /// The struct type of a layout. A layout that is not a struct becomes the only member of one.
    static StructType structOf(MemoryLayout layout) {
        if (layout instanceof StructLayout struct) {
            return StructType.of(struct);
        }
        return StructType.wrapperOf(MemoryType.of(layout));
    }

    /// Reserves a name before its memory is allocated.
    ///
    /// @throws IllegalArgumentException if the name is in use
    Named reserve(String name, String type) {
        Named reserved = new Named(type);
        if (names.putIfAbsent(name, reserved) != null) {
            throw new IllegalArgumentException("Name is in use: name=" + name
                    + "; pass another name, or find or free the allocation that has it");
        }
        return reserved;
    }

    /// Removes a name.
    ///
    /// @return false if another thread has removed it
    boolean remove(String name, Named named) {
        return names.remove(name, named);
    }

    /// The allocation of a name.
    Optional<Named> find(String name) {
        return Optional.ofNullable(names.get(name)).filter(Named::isAllocated);
    }

    /// Adds an allocation of a previous owner. If a damaged catalog has two of the same name, the later one is found.
    void add(CatalogEntry.Allocated entry) {
        if (entry.name().line() != 0 && entry.state() != CatalogFormat.STATE_ENDED) {
            Named named = new Named(entry.type().text());
            named.line = entry.line();
            named.range = new FileRange(entry.file(), entry.byteOffset(), entry.byteSize(), entry.byteAlignment());
            names.put(entry.name().text(), named);
        }
    }

    /// The range of a data file that an allocation of a previous owner occupies.
    record FileRange(int file, long byteOffset, long byteSize, long byteAlignment) {
        long end() {
            return byteOffset + byteSize;
        }
    }

    /// An allocation with a name. It has a line when it is recorded, and a segment when it is mapped.
    static final class Named {
        private final String type;
        private @Nullable FileRange range;
        private int line;
        private volatile @Nullable MemorySegment segment;

        private Named(String type) {
            this.type = type;
        }

        private boolean isAllocated() {
            return segment != null || range != null;
        }

        String type() {
            return type;
        }

        int line() {
            return line;
        }

        /// The memory. An allocation of a previous owner is mapped when it is first requested.
        MemorySegment segment(ChunkAllocator memory) {
            MemorySegment mapped = segment;
            if (mapped == null) {
                mapped = memory.existing(Objects.requireNonNull(range));
                segment = mapped;
            }
            return mapped;
        }

        void allocated(int line, MemorySegment segment) {
            this.line = line;
            this.segment = segment;
        }
    }
}
