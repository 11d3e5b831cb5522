package dev.arenakit.collection;

import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.bytes.BytesHash;
import dev.arenakit.internal.collection.bytes.BytesIndex;
import dev.arenakit.internal.collection.bytes.EntryHeap;
import dev.arenakit.internal.collection.bytes.EntryWalk;
import dev.arenakit.internal.collection.bytes.KeyText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// A map from bytes to bytes, in off-heap memory.
///
/// ```java
/// try (BytesMap map = BytesMap.owning(MallocArena::ofConfined)) {
///     map.put("de", "Deutschland");
///     String name = map.get("de", "");
///     BytesMap.Value value = map.newValue(); // used again for each look-up: no garbage
///     if (map.find(line, from, to - from, value)) { // byte[] line
///         channel.write(value.bytes().asSlice(value.offset(), value.byteSize()).asByteBuffer());
///     }
/// }
/// ```
///
/// [BytesLongMap] describes keys, memory, complexity, threads, exhausted memory, and operations after [#close()]; all
/// of this applies to this map too. Values have at most 2^31 - 65 bytes, and must not be in the memory of this map
/// either.
///
/// An entry takes 12 bytes, the key, and a capacity for its value. A new value that fits the capacity is written in
/// place. A larger value gets a new entry, and the old entry counts as removed. A shorter value does not reduce the
/// capacity.
public final class BytesMap extends BytesKeyMap {
    private static final EntryHeap.Format FORMAT = EntryHeap.Format.BYTES_VALUE;
    private static final long SIZE = FORMAT.valueOffset();
    private static final long ROOM = SIZE + 4;
    private static final long KEY = FORMAT.keyOffset();

    private BytesMap(TableMemory memory, long expectedSize, long expectedByteSize) {
        super(new BytesIndex(memory, "BytesMap", FORMAT, expectedSize, expectedByteSize));
    }

    /// Creates an empty map in memory of an allocator.
    ///
    /// @param allocator the allocator of the tables
    /// @return the map
    public static BytesMap create(SegmentAllocator allocator) {
        return create(allocator, 0, 0);
    }

    /// Creates an empty map with a capacity, in memory of an allocator.
    ///
    /// @param allocator        the allocator of the tables
    /// @param expectedSize     the number of entries for which the map need not grow
    /// @param expectedByteSize the total size of their keys and values in bytes
    /// @return the map
    /// @throws IllegalArgumentException if a size is negative
    public static BytesMap create(SegmentAllocator allocator, long expectedSize, long expectedByteSize) {
        return new BytesMap(TableMemory.of(allocator), expectedSize, expectedByteSize);
    }

    /// Creates an empty map that has an arena for each table.
    ///
    /// @param arenas creates the arenas, for example `MallocArena::ofConfined`
    /// @return the map
    public static BytesMap owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0, 0);
    }

    /// Creates an empty map with a capacity, which has an arena for each table.
    ///
    /// @param arenas           creates the arenas, for example `MallocArena::ofConfined`
    /// @param expectedSize     the number of entries for which the map need not grow
    /// @param expectedByteSize the total size of their keys and values in bytes
    /// @return the map
    /// @throws IllegalArgumentException if a size is negative
    public static BytesMap owning(Supplier<? extends Arena> arenas, long expectedSize, long expectedByteSize) {
        return new BytesMap(TableMemory.owning(arenas), expectedSize, expectedByteSize);
    }

    /// {@return a value without content, for look-ups in this map}
    public Value newValue() {
        return new Value();
    }

    /// Looks up a key.
    ///
    /// @param key      an array with the key
    /// @param offset   the index of the first byte of the key
    /// @param byteSize the size of the key
    /// @param value    receives the value, if there is such a key
    /// @return whether there is such a key
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if the value belongs to another map
    public boolean find(byte[] key, int offset, int byteSize, Value value) {
        return read(value, index.find(key, offset, byteSize));
    }

    /// Looks up a key.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @param value    receives the value, if there is such a key
    /// @return whether there is such a key
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    /// @throws IllegalArgumentException  if the value belongs to another map
    public boolean find(MemorySegment key, long offset, long byteSize, Value value) {
        return read(value, index.find(key, offset, byteSize));
    }

    /// Looks up a key.
    ///
    /// @param key   the key as text
    /// @param value receives the value, if there is such a key
    /// @return whether there is such a key
    /// @throws IllegalArgumentException if the value belongs to another map
    public boolean find(CharSequence key, Value value) {
        return read(value, texts.find(index, key));
    }

    /// Returns a copy of the value of a key.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] get(byte[] key, byte[] missing) {
        long entry = index.find(key, 0, key.length);
        return entry < 0
                ? missing
                : KeyText.toArray(index.heap.segment, valueOffset(entry), valueByteSize(entry));
    }

    /// Returns the value of a key as text, decoded from UTF-8.
    ///
    /// @param key     the key as text
    /// @param missing the text to return if there is no such key
    /// @return the value
    public String get(CharSequence key, String missing) {
        long entry = texts.find(index, key);
        return entry < 0
                ? missing
                : KeyText.decode(index.heap.segment, valueOffset(entry), valueByteSize(entry));
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new
    public boolean put(byte[] key, byte[] value) {
        return put(key, 0, key.length, value, 0, value.length);
    }

    /// Sets the value of a key.
    ///
    /// @param key           an array with the key
    /// @param keyOffset     the index of the first byte of the key
    /// @param keyByteSize   the size of the key
    /// @param value         an array with the value
    /// @param valueOffset   the index of the first byte of the value
    /// @param valueByteSize the size of the value
    /// @return whether the key is new
    /// @throws IndexOutOfBoundsException if a range is not within its array
    public boolean put(byte[] key, int keyOffset, int keyByteSize, byte[] value, int valueOffset,
            int valueByteSize) {
        Objects.checkFromIndexSize(valueOffset, valueByteSize, value.length);
        return putOf(key, keyOffset, keyByteSize, value, valueOffset, valueByteSize);
    }

    /// Sets the value of a key.
    ///
    /// @param key           a segment with the key
    /// @param keyOffset     the offset of the key
    /// @param keyByteSize   the size of the key
    /// @param value         a segment with the value
    /// @param valueOffset   the offset of the value
    /// @param valueByteSize the size of the value
    /// @return whether the key is new
    /// @throws IndexOutOfBoundsException if a range is not within its segment
    public boolean put(MemorySegment key, long keyOffset, long keyByteSize, MemorySegment value, long valueOffset,
            long valueByteSize) {
        Objects.checkFromIndexSize(valueOffset, valueByteSize, value.byteSize());
        return putOf(key, keyOffset, keyByteSize, value, valueOffset, valueByteSize);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key as text
    /// @param value the value as text, which is encoded as UTF-8; half of a surrogate pair becomes `?`
    /// @return whether the key is new
    public boolean put(CharSequence key, CharSequence value) {
        return put(key, value.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key as text
    /// @param value the value
    /// @return whether the key is new
    public boolean put(CharSequence key, byte[] value) {
        byte[] bytes = texts.take(key);
        boolean isNew = put(bytes, 0, KeyText.encode(key, bytes), value, 0, value.length);
        texts.giveBack(bytes);
        return isNew;
    }

    /// Sets the value of a key that is missing.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new; otherwise its value has not changed
    public boolean putIfAbsent(byte[] key, byte[] value) {
        return !containsKey(key) && put(key, value);
    }

    /// Sets the value of a key that is missing.
    ///
    /// @param key   the key as text
    /// @param value the value as text, as in [#put(CharSequence,CharSequence)]
    /// @return whether the key is new; otherwise its value has not changed
    public boolean putIfAbsent(CharSequence key, CharSequence value) {
        return !containsKey(key) && put(key, value);
    }

    /// Sets the value of a key, and returns a copy of the value before.
    ///
    /// @param key     the key
    /// @param value   the value
    /// @param missing the value to return if the key is new
    /// @return the value before
    public byte[] getAndPut(byte[] key, byte[] value, byte[] missing) {
        byte[] replaced = get(key, missing);
        put(key, value);
        return replaced;
    }

    /// Sets the value of a key, and returns the value before as text.
    ///
    /// @param key     the key as text
    /// @param value   the value as text, as in [#put(CharSequence,CharSequence)]
    /// @param missing the text to return if the key is new
    /// @return the value before
    public String getAndPut(CharSequence key, CharSequence value, String missing) {
        String replaced = get(key, missing);
        put(key, value);
        return replaced;
    }

    /// Puts all entries of another map.
    ///
    /// @param entries the other map, which does not change; if memory is exhausted, some of its entries have been put
    public void putAll(BytesMap entries) {
        if (entries != this) {
            entries.forEach((bytes, keyOffset, keyByteSize, valueOffset, valueByteSize) -> put(bytes, keyOffset,
                    keyByteSize, bytes, valueOffset, valueByteSize));
        }
    }

    /// Removes a key, and returns a copy of its value.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] getAndRemove(byte[] key, byte[] missing) {
        byte[] removed = get(key, missing);
        remove(key);
        return removed;
    }

    /// Removes a key, and returns its value as text.
    ///
    /// @param key     the key as text
    /// @param missing the text to return if there is no such key
    /// @return the value
    public String getAndRemove(CharSequence key, String missing) {
        String removed = get(key, missing);
        remove(key);
        return removed;
    }

    /// Removes all entries that a filter selects.
    ///
    /// @param filter selects entries; it must not make a change that ends a cursor
    /// @return the number of removed entries
    /// @throws java.util.ConcurrentModificationException if the filter has made such a change
    public long removeIf(EntryFilter filter) {
        long removed = 0;
        for (EntryWalk walk = new EntryWalk(index); walk.moveNext();) {
            long entry = walk.entry();
            if (filter.test(walk.bytes, walk.keyOffset(), walk.keyByteSize(), valueOffset(entry),
                    valueByteSize(entry))) {
                walk.remove();
                removed++;
            }
        }
        return removed;
    }

    /// Performs an action with each entry, in the order in which their keys or larger values were added.
    ///
    /// @param action the action, which must not add or remove keys, nor set a value that exceeds its capacity
    /// @throws java.util.ConcurrentModificationException if the action has made such a change
    public void forEach(EntryAction action) {
        EntryWalk walk = new EntryWalk(index);
        while (walk.moveNext()) {
            long entry = walk.entry();
            action.accept(walk.bytes, walk.keyOffset(), walk.keyByteSize(), valueOffset(entry), valueByteSize(entry));
        }
    }

    /// {@return a cursor before the first entry}
    public Cursor cursor() {
        return new Cursor();
    }

    private boolean putOf(Object key, long keyOffset, long keyByteSize, Object value, long valueOffset,
            long valueByteSize) {
        EntryHeap.checkByteSize("value", valueByteSize);
        long hash = index.hash(key, keyOffset, keyByteSize);
        long present = index.find(hash, key, keyOffset, keyByteSize);
        if (present >= 0 && valueByteSize <= index.heap.segment.get(JAVA_INT_UNALIGNED, present + ROOM)) {
            index.startOverwrite();
            try {
                write(present, value, valueOffset, valueByteSize);
            } catch (RuntimeException e) {
                // The value is not accessible.
                index.endOverwrite();
                throw e;
            }
            index.endOverwrite();
            return false;
        }
        long entry = index.reserve(key, keyOffset, keyByteSize, valueByteSize);
        index.heap.segment.set(JAVA_INT_UNALIGNED, entry + ROOM, (int) valueByteSize);
        write(entry, value, valueOffset, valueByteSize);
        if (present < 0) {
            index.add(hash, present, entry);
        } else {
            index.replace(hash, key, keyOffset, keyByteSize, entry);
        }
        return present < 0;
    }

    private boolean read(Value value, long entry) {
        checkOwn(value);
        return value.set(entry);
    }

    private void write(long entry, Object value, long offset, long byteSize) {
        MemorySegment entries = index.heap.segment;
        BytesHash.copy(value, offset, entries, valueOffset(entry), byteSize);
        entries.set(JAVA_INT_UNALIGNED, entry + SIZE, (int) byteSize);
    }

    private long valueOffset(long entry) {
        return entry + KEY + EntryHeap.keyByteSize(index.heap.segment, entry);
    }

    private int valueByteSize(long entry) {
        return index.heap.segment.get(JAVA_INT_UNALIGNED, entry + SIZE);
    }

    /// An action that is performed with each entry of a map.
    @FunctionalInterface
    public interface EntryAction {
        /// Receives an entry.
        ///
        /// @param bytes         a read-only segment that contains key and value
        /// @param keyOffset     the offset of the key in the segment
        /// @param keyByteSize   the size of the key
        /// @param valueOffset   the offset of the value in the segment
        /// @param valueByteSize the size of the value
        void accept(MemorySegment bytes, long keyOffset, int keyByteSize, long valueOffset, int valueByteSize);
    }

    /// A condition on the entries of a map.
    @FunctionalInterface
    public interface EntryFilter {
        /// Returns whether an entry meets the condition.
        ///
        /// @param bytes         a read-only segment that contains key and value
        /// @param keyOffset     the offset of the key in the segment
        /// @param keyByteSize   the size of the key
        /// @param valueOffset   the offset of the value in the segment
        /// @param valueByteSize the size of the value
        /// @return whether the entry meets the condition
        boolean test(MemorySegment bytes, long keyOffset, int keyByteSize, long valueOffset, int valueByteSize);
    }

    /// The value that a look-up has found. The object can be used for any number of look-ups. The value is valid until
    /// the map changes; a later access to its bytes reads other data or throws an exception.
    public final class Value extends FoundValue {
        private int moves = -1;

        private Value() {
            super(BytesMap.this, MemorySegment.NULL);
        }

        private boolean set(long entry) {
            if (entry < 0) {
                return false;
            }
            if (moves != index.heap.moves) {
                readOnly = index.heap.segment.asReadOnly();
                moves = index.heap.moves;
            }
            offset = valueOffset(entry);
            byteSize = valueByteSize(entry);
            return true;
        }
    }

    /// Moves over the entries of a map.
    ///
    /// The methods throw a [java.util.ConcurrentModificationException] if, after the cursor was created, a key was
    /// added, or removed other than by the cursor, or a value was set that exceeds its capacity.
    public final class Cursor extends KeyCursor {
        private Cursor() {
            super(BytesMap.this);
        }

        /// {@return the offset of the value in [#bytes()]}
        public long valueOffset() {
            return BytesMap.this.valueOffset(walk.entry());
        }

        /// {@return the size of the value in bytes}
        public int valueByteSize() {
            return BytesMap.this.valueByteSize(walk.entry());
        }

        /// {@return a copy of the value}
        public byte[] value() {
            return KeyText.toArray(walk.bytes, valueOffset(), valueByteSize());
        }

        /// {@return the value as text, decoded from UTF-8}
        public String valueText() {
            return KeyText.decode(walk.bytes, valueOffset(), valueByteSize());
        }
    }
}
