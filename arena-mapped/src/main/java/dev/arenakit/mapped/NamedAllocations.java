package dev.arenakit.mapped;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The allocations of an arena that have names. For use by several threads.
final class NamedAllocations {
    /// Enough for a path, and a listing stays readable.
    private static final int LONGEST_NAME = 1024;

    private final ConcurrentHashMap<String, Named> names = new ConcurrentHashMap<>();

    /// Refuses what cannot stand in a listing, or would be taken for an index.
    ///
    /// @throws IllegalArgumentException with the name
    static void check(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.startsWith("#") || !isText(name)) {
            throw new IllegalArgumentException("Not a name of an allocation: name=" + name + ", length=" + name.length()
                    + ", longest=" + LONGEST_NAME
                    + "; pass 1 or more characters, none of them a control character, the first of them no #");
        }
    }

    private static boolean isText(String name) {
        return name.codePoints()
                .noneMatch(character -> Character.isISOControl(character)
                        || Character.getType(character) == Character.SURROGATE);
    }

    /// The size of so many structs.
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

    /// What stands in memory of a layout: what is no struct is the only member of one.
    static StructType structOf(MemoryLayout layout) {
        if (layout instanceof StructLayout struct) {
            return StructType.of(struct);
        }
        MemoryType type = MemoryType.of(layout);
        return new StructType("", List.of(new Member("value", 0, type)), type.byteSize(), type.byteAlignment());
    }

    /// Takes a name, before its memory is allocated.
    ///
    /// @throws IllegalArgumentException when it is in use
    Named claim(String name, String type) {
        Named claimed = new Named(type);
        if (names.putIfAbsent(name, claimed) != null) {
            throw new IllegalArgumentException("Name is in use: name=" + name
                    + "; pass another, free the allocation that has it, or find it");
        }
        return claimed;
    }

    /// Gives a name up.
    ///
    /// @return false when another thread has done so
    boolean giveUp(String name, Named named) {
        return names.remove(name, named);
    }

    /// What has a name.
    Optional<Named> find(String name) {
        return Optional.ofNullable(names.get(name)).filter(Named::isAllocated);
    }

    /// Tells of an allocation of an earlier owner. Of two with one name, which only damage can bring about, the later one is found.
    void know(CatalogEntry.Allocated entry) {
        if (entry.name().line() != 0 && entry.state() != CatalogFormat.STATE_ENDED) {
            Named named = new Named(entry.type().text());
            named.line = entry.line();
            named.place = new Place(entry.file(), entry.byteOffset(), entry.byteSize(), entry.byteAlignment());
            names.put(entry.name().text(), named);
        }
    }

    /// Where an allocation of an earlier owner is.
    record Place(int file, long byteOffset, long byteSize, long byteAlignment) {
        long end() {
            return byteOffset + byteSize;
        }
    }

    /// An allocation with a name: from when the name is claimed, with a line once it is recorded, and with a segment once that is
    /// mapped.
    static final class Named {
        private final String type;
        private @Nullable Place place;
        private int line;
        private volatile @Nullable MemorySegment segment;

        private Named(String type) {
            this.type = type;
        }

        private boolean isAllocated() {
            return segment != null || place != null;
        }

        String type() {
            return type;
        }

        int line() {
            return line;
        }

        /// The memory, which is mapped if an earlier owner has taken it and nobody has asked for it before.
        MemorySegment segment(ChunkSequence memory) {
            MemorySegment mapped = segment;
            if (mapped == null) {
                mapped = memory.existing(Objects.requireNonNull(place));
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
