package dev.arenakit.collection;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.collection.BytesIndex;
import dev.arenakit.internal.collection.Descriptions;
import dev.arenakit.internal.collection.ElementArray;
import dev.arenakit.internal.collection.EntryHeap;
import dev.arenakit.internal.collection.EntryWalk;
import dev.arenakit.internal.collection.KeyText;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A table that gives each distinct string a number, from 0 on, in off-heap memory.
///
/// ```java
/// try (StringTable symbols = StringTable.owning(MallocArena::ofConfined)) {
///     int id = symbols.intern("ARNA");
///     String symbol = symbols.get(id);
///     int unknown = symbols.find("XYZ"); // -1
/// }
/// ```
///
/// Strings are stored as UTF-8. Strings that are passed as bytes are not checked; [#get] replaces bytes that are not
/// UTF-8. Strings are never removed, so that an id remains valid until the table is closed, and the ids have no gaps.
/// Where strings become unused, create a new table from time to time, [#intern] the strings that are still used, and
/// replace their ids; or use a [BytesLongMap], whose keys can be removed.
///
/// [BytesLongMap] describes valid strings, memory, complexity, threads, exhausted memory, and operations after
/// [#close()]; all of this applies to this table too. A string takes 8 bytes and its UTF-8 bytes, 8 bytes in the array
/// of the ids, and a slot. [#find] creates no garbage, nor does [#intern] for a string that is present.
public final class StringTable implements AutoCloseable {
    private static final EntryHeap.Format FORMAT = EntryHeap.Format.INT_VALUE;
    private static final long ID = FORMAT.valueOffset();
    private static final long TEXT = FORMAT.keyOffset();

    private final BytesIndex index;
    private final KeyText texts = new KeyText();
    /// The offset of each entry, by id.
    private final ElementArray entries;

    private StringTable(TableMemory memory, int expectedSize, long expectedByteSize) {
        index = new BytesIndex(memory, "StringTable", FORMAT, expectedSize, expectedByteSize);
        try {
            entries = new ElementArray(memory, "StringTable", Long.BYTES, 1, expectedSize);
        } catch (Throwable t) {
            memory.close();
            throw t;
        }
    }

    /// Creates an empty table in memory of an allocator.
    ///
    /// @param allocator the allocator of the memory
    /// @return the table
    public static StringTable create(SegmentAllocator allocator) {
        return create(allocator, 0, 0);
    }

    /// Creates an empty table with a capacity, in memory of an allocator.
    ///
    /// @param allocator        the allocator of the memory
    /// @param expectedSize     the number of strings for which the table need not grow
    /// @param expectedByteSize the total size of these strings in bytes of UTF-8
    /// @return the table
    /// @throws IllegalArgumentException if a size is negative
    public static StringTable create(SegmentAllocator allocator, int expectedSize, long expectedByteSize) {
        return new StringTable(CollectionMemory.of(allocator), expectedSize, expectedByteSize);
    }

    /// Creates an empty table that has an arena for each part of its memory.
    ///
    /// @param arenas creates the arenas, for example `MallocArena::ofConfined`
    /// @return the table
    public static StringTable owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0, 0);
    }

    /// Creates an empty table with a capacity, which has an arena for each part of its memory.
    ///
    /// @param arenas           creates the arenas, for example `MallocArena::ofConfined`
    /// @param expectedSize     the number of strings for which the table need not grow
    /// @param expectedByteSize the total size of these strings in bytes of UTF-8
    /// @return the table
    /// @throws IllegalArgumentException if a size is negative
    public static StringTable owning(Supplier<? extends Arena> arenas, int expectedSize, long expectedByteSize) {
        return new StringTable(CollectionMemory.owning(arenas), expectedSize, expectedByteSize);
    }

    /// {@return the number of strings}
    public int size() {
        return (int) index.size();
    }

    /// {@return whether there are no strings}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// {@return the size of the memory in bytes}
    public long byteSize() {
        return index.byteSize() + entries.byteSize();
    }

    /// Returns the id of a string, which is added if it is not present.
    ///
    /// @param text the string
    /// @return the id
    /// @throws CapacityExceededException if there are 2^31 - 1 strings
    public int intern(CharSequence text) {
        byte[] bytes = texts.take(text);
        int id = intern(bytes, 0, KeyText.encode(text, bytes));
        texts.giveBack(bytes);
        return id;
    }

    /// Returns the id of a string, which is added if it is not present.
    ///
    /// @param text     an array with the string as UTF-8
    /// @param offset   the index of its first byte
    /// @param byteSize its size in bytes
    /// @return the id
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws CapacityExceededException if there are 2^31 - 1 strings
    public int intern(byte[] text, int offset, int byteSize) {
        return internOf(text, offset, byteSize);
    }

    /// Returns the id of a string, which is added if it is not present.
    ///
    /// @param text     a segment with the string as UTF-8
    /// @param offset   the offset of its first byte
    /// @param byteSize its size in bytes
    /// @return the id
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    /// @throws CapacityExceededException if there are 2^31 - 1 strings
    public int intern(MemorySegment text, long offset, long byteSize) {
        return internOf(text, offset, byteSize);
    }

    /// Returns the id of a string.
    ///
    /// @param text the string
    /// @return the id, or -1 if the string is not present
    public int find(CharSequence text) {
        byte[] bytes = texts.take(text);
        int id = find(bytes, 0, KeyText.encode(text, bytes));
        texts.giveBack(bytes);
        return id;
    }

    /// Returns the id of a string.
    ///
    /// @param text     an array with the string as UTF-8
    /// @param offset   the index of its first byte
    /// @param byteSize its size in bytes
    /// @return the id, or -1 if the string is not present
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public int find(byte[] text, int offset, int byteSize) {
        return findOf(text, offset, byteSize);
    }

    /// Returns the id of a string.
    ///
    /// @param text     a segment with the string as UTF-8
    /// @param offset   the offset of its first byte
    /// @param byteSize its size in bytes
    /// @return the id, or -1 if the string is not present
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public int find(MemorySegment text, long offset, long byteSize) {
        return findOf(text, offset, byteSize);
    }

    /// Returns the string of an id.
    ///
    /// @param id the id
    /// @return the string
    /// @throws IndexOutOfBoundsException if there is no such id
    public String get(int id) {
        long entry = entry(id);
        return KeyText.decode(index.heap.segment, entry + TEXT, EntryHeap.keyByteSize(index.heap.segment, entry));
    }

    /// Returns the size of a string in bytes of UTF-8.
    ///
    /// @param id the id
    /// @return the size
    /// @throws IndexOutOfBoundsException if there is no such id
    public int byteSize(int id) {
        return EntryHeap.keyByteSize(index.heap.segment, entry(id));
    }

    /// Copies the UTF-8 bytes of a string, without garbage.
    ///
    /// @param id     the id
    /// @param target the segment to write to
    /// @param offset the offset in the segment
    /// @return the number of bytes
    /// @throws IndexOutOfBoundsException if there is no such id, or too little room
    public int copy(int id, MemorySegment target, long offset) {
        long entry = entry(id);
        int byteSize = EntryHeap.keyByteSize(index.heap.segment, entry);
        MemorySegment.copy(index.heap.segment, entry + TEXT, target, offset, byteSize);
        return byteSize;
    }

    /// Performs an action with each string, in the order of the ids.
    ///
    /// @param action the action, which must not add strings
    /// @throws java.util.ConcurrentModificationException if the action has added a string
    public void forEach(StringAction action) {
        EntryWalk walk = new EntryWalk(index);
        while (walk.moveNext()) {
            action.accept(idAt(walk.entry()), walk.bytes, walk.keyOffset(), walk.keyByteSize());
        }
    }

    /// Moves to the smallest memory for the present strings, as in [BytesLongMap#shrink()].
    public void shrink() {
        index.shrink();
        // The entries may have moved, but nothing was removed, so that their offsets are the same.
        entries.shrink();
    }

    /// Frees the memory, as in [BytesLongMap#close()]. A second call has no effect.
    ///
    /// @throws IllegalStateException if memory is in use, for example by a native call; a further call tries again
    @Override
    public void close() {
        index.close();
        entries.close();
    }

    @Override
    public String toString() {
        return Descriptions.of(this, this::size, "strings", this::byteSize);
    }

    private int internOf(Object text, long offset, long byteSize) {
        long hash = index.hash(text, offset, byteSize);
        long present = index.find(hash, text, offset, byteSize);
        if (present >= 0) {
            return idAt(present);
        }
        long id = index.size();
        if (id == Integer.MAX_VALUE) {
            throw new CapacityExceededException("Ids of strings are exhausted", Integer.MAX_VALUE, id, 1,
                    "use several tables");
        }
        entries.ensureCapacity(id + 1);
        long entry = index.reserve(text, offset, byteSize, 0);
        index.heap.segment.set(JAVA_INT_UNALIGNED, entry + ID, (int) id);
        entries.segment().setAtIndex(JAVA_LONG_UNALIGNED, id, entry);
        entries.setSize(id + 1);
        index.add(hash, present, entry);
        return (int) id;
    }

    private int findOf(Object text, long offset, long byteSize) {
        long entry = index.find(index.hash(text, offset, byteSize), text, offset, byteSize);
        return entry < 0 ? -1 : idAt(entry);
    }

    private int idAt(long entry) {
        return index.heap.segment.get(JAVA_INT_UNALIGNED, entry + ID);
    }

    private long entry(int id) {
        Objects.checkIndex(id, size());
        return entries.segment().getAtIndex(JAVA_LONG_UNALIGNED, entries.check(id));
    }

    /// An action that is performed with each string of a table.
    @FunctionalInterface
    public interface StringAction {
        /// Receives a string.
        ///
        /// @param id       the id
        /// @param bytes    a read-only segment that contains the string
        /// @param offset   the offset of the string in it
        /// @param byteSize the size of the string in bytes of UTF-8
        void accept(int id, MemorySegment bytes, long offset, int byteSize);
    }
}
