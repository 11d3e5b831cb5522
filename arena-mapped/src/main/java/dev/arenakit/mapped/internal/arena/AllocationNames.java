package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.internal.arena.DataFileWriter.ExistingRange;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The names of the live allocations of an arena, each with its allocation. Thread-safe.
public final class AllocationNames {
    /// The largest length of a name: long enough for a path, and short enough for a listing.
    private static final int LONGEST_NAME = 1024;

    /// A number with the value 1 in each of its bytes.
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    /// The number of names in a message.
    private static final int LISTED_NAMES = 5;

    private final ConcurrentHashMap<String, Named> names = new ConcurrentHashMap<>();

    AllocationNames() {}

    /// Checks that a name can be printed in a listing, and cannot be confused with an index.
    ///
    /// @return the name in UTF-8
    /// @throws IllegalArgumentException if the name cannot be used
    public static byte[] check(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.startsWith("#")) {
            throw notAName(name);
        }
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        if (!isPlainText(utf8) && !isUnicodeText(name)) {
            throw notAName(name);
        }
        return utf8;
    }

    private static IllegalArgumentException notAName(String name) {
        return new IllegalArgumentException("Not a name of an allocation: name=" + name + ", length=" + name.length()
                + ", longest=" + LONGEST_NAME
                + "; a name has 1 or more characters, no control character, and no # at its beginning");
    }

    /// Whether a name in UTF-8 has printable characters of US-ASCII alone, as most names do. A question mark counts as
    /// another character: it also replaces characters that cannot be encoded.
    ///
    /// Eight characters are checked at a time. The sign of a byte is set if it is not ASCII, if it is less than a
    /// space, if it is a delete character, or if it becomes 0 when it is combined with a question mark.
    private static boolean isPlainText(byte[] utf8) {
        long signs = 0;
        int at = 0;
        for (; at <= utf8.length - Long.BYTES; at += Long.BYTES) {
            long characters = (long) LONG.get(utf8, at);
            long zeros = characters ^ EACH_BYTE * '?';
            signs |= characters | (characters - EACH_BYTE * ' ') | (characters + EACH_BYTE) | (zeros - EACH_BYTE);
        }
        for (; at < utf8.length; at++) {
            signs |= utf8[at] | (utf8[at] - ' ') | (utf8[at] + 1) | (utf8[at] ^ '?') - 1;
        }
        return (signs & EACH_BYTE << (Byte.SIZE - 1)) == 0;
    }

    private static boolean isUnicodeText(String name) {
        return name.codePoints()
                .noneMatch(character -> Character.isISOControl(character)
                        || Character.getType(character) == Character.SURROGATE);
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

    /// The allocation of a name, or null if there is none.
    @Nullable
    Named find(String name) {
        Named named = names.get(name);
        return named != null && named.isAllocated() ? named : null;
    }

    /// The allocation of a name.
    ///
    /// @throws NoSuchElementException if there is no such allocation; the message has some of the existing names
    Named get(String name) {
        Named named = find(name);
        if (named == null) {
            throw new NoSuchElementException("No live allocation has the name: name=" + name + ", names="
                    + describeNames() + "; pass one of these, or allocate it first");
        }
        return named;
    }

    /// The first names in alphabetical order, and the number of the others.
    private String describeNames() {
        TreeSet<String> first = new TreeSet<>();
        int count = 0;
        for (Map.Entry<String, Named> entry : names.entrySet()) {
            if (entry.getValue().isAllocated()) {
                count++;
                first.add(entry.getKey());
                if (first.size() > LISTED_NAMES) {
                    first.removeLast();
                }
            }
        }
        return first + (count > first.size() ? " and " + (count - first.size()) + " more" : "");
    }

    /// Adds an allocation of a previous owner. If a damaged catalog has two allocations with the same name, the later
    /// allocation is found.
    void add(CatalogEntry.Allocated entry) {
        if (entry.name().line() != 0 && entry.state() != CatalogFormat.STATE_ENDED) {
            Named named = new Named(entry.type().text());
            named.line = entry.line();
            named.range = new ExistingRange(entry.file(), entry.byteOffset(), entry.byteSize(), entry.partByteSize(),
                    entry.byteAlignment());
            names.put(entry.name().text(), named);
        }
    }

    /// An allocation with a name. It has a line when it is recorded, and a segment when it is mapped.
    static final class Named {
        private final String type;
        private @Nullable ExistingRange range;
        private int line;
        private volatile @Nullable MemorySegment segment;
        private volatile @Nullable GrowableMemory growable;

        private Named(String type) {
            this.type = type;
        }

        private boolean isAllocated() {
            return segment != null || range != null || growable != null;
        }

        String type() {
            return type;
        }

        int line() {
            return line;
        }

        /// The memory. An allocation of a previous owner is mapped when it is first requested.
        MemorySegment segment(ChunkAllocator memory) {
            GrowableMemory grows = growable;
            if (grows != null) {
                return grows.segment();
            }
            MemorySegment mapped = segment;
            return mapped == null ? firstSegment(memory) : mapped;
        }

        /// Maps the memory unless another thread has mapped it. The monitor is held, because this must not undo the
        /// growth by another thread.
        private synchronized MemorySegment firstSegment(ChunkAllocator memory) {
            MemorySegment mapped = segment;
            if (mapped == null) {
                mapped = memory.existing(Objects.requireNonNull(range));
                segment = mapped;
            }
            return mapped;
        }

        /// Grows the memory, unless it has the new size already.
        synchronized MemorySegment grow(String name, long newByteSize, ChunkAllocator memory) {
            GrowableMemory grows = growable;
            if (grows != null) {
                return grows.grow(newByteSize);
            }
            MemorySegment present = segment(memory);
            if (newByteSize > present.byteSize()) {
                present = memory.grow(name, line, newByteSize);
                segment = present;
            }
            return present;
        }

        void reserved(int line, GrowableMemory growable) {
            this.line = line;
            this.growable = growable;
        }

        void allocated(int line, MemorySegment segment) {
            this.line = line;
            this.segment = segment;
        }
    }
}
