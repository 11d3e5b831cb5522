package dev.arenakit.collection;

import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.bytes.BytesHash;
import dev.arenakit.internal.collection.bytes.KeyText;
import dev.arenakit.internal.collection.bytes.LruIndex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A cache from bytes, text or longs to bytes, in off-heap memory of a fixed size. It evicts the least recently used
/// entries.
///
/// ```java
/// try (LruMap pages = LruMap.owning(MallocArena::ofConfined, 256 << 20)) {
///     pages.put(4711, bytes); // byte[] bytes
///     LruMap.Value page = pages.newValue(); // used again for each look-up: no garbage
///     if (pages.find(4711, page)) {
///         channel.write(page.slice().asByteBuffer());
///     }
/// }
/// ```
///
/// `find`, `get` and `put` make an entry the most recently used one. `containsKey` and `forEach` do not. A `put` without
/// room evicts entries in the order of their last use, without an exception.
///
/// A value can be a struct: write it with [dev.arenakit.layout.RecordMapper#set], pass its segment to `put`, and read
/// it with `mapper.get(value.bytes(), value.offset())`. Values begin at multiples of 8.
///
/// The key of a long consists of its 8 bytes. Other keys are as those of a [BytesLongMap]. **A key and a value must not
/// be in the memory of this map.** Together they may take a quarter of the limit: `put` stores nothing that is larger.
/// Each has at most 2^31 - 65 bytes.
///
/// ## Memory
///
/// The map allocates its limit at once, and never more for entries. Any allocator will do, because the map itself
/// uses the memory of evicted and replaced entries again. An entry takes 16 bytes besides its key and its value, each
/// rounded up to a multiple of 8. Live entries take at most 7/8 of the limit; the rest is what the map needs to keep
/// free memory together. The slots of the hash table come in addition, 12 to 24 bytes for an entry: they double when
/// they are full. If the allocator has no memory for more slots, the map evicts instead. The memory must be aligned
/// to 8 bytes.
///
/// If an Error interrupts a change, such as a [StackOverflowError], the map can be
/// [unusable][dev.arenakit.collection].
///
/// ## Complexity
///
/// `find`, `get`, `put` and `remove` take constant time on average, and time proportional to the size of key and value. A `put`
/// may move entries: on average up to seven bytes for each byte that it stores, and nothing if entries leave the map in
/// the order in which they came. A single `put` may have to move many entries, or to double the slots. `find`
/// and `put` create no garbage, except for text of more than 20 thousand chars.
///
/// ## Threads
///
/// A map is for one thread at a time, also for look-ups, since they change the order of the entries.
///
/// A closed map throws an [IllegalStateException] from every operation except [#close()] and [#toString()].
///
/// The ring of entries is cleaned as a log-structured file system is (M. Rosenblum and J. K. Ousterhout, 1992). The
/// slots are those of a [BytesLongMap].
public final class LruMap extends EntryMap {
    private static final BytesMap.EntryAction NO_ACTION = (_, _, _, _, _) -> {};

    private final LruIndex index;
    private final KeyText texts = new KeyText();
    private final byte[] number = new byte[Long.BYTES];
    private final MemorySegment numberSegment = MemorySegment.ofArray(number);

    private LruMap(TableMemory memory, long byteLimit, BytesMap.EntryAction onEviction) {
        Objects.requireNonNull(onEviction, "onEviction");
        LruIndex entries = new LruIndex(memory, "LruMap", BytesHash.random(), byteLimit, 0, 1, onEviction::accept);
        super(entries);
        index = entries;
    }

    /// Creates an empty map in memory of an allocator.
    ///
    /// @param allocator the allocator of the memory
    /// @param byteLimit the size of the memory for entries, from 1 KiB to 32 GiB
    /// @return the map
    /// @throws IllegalArgumentException if the limit is out of this range
    public static LruMap create(SegmentAllocator allocator, long byteLimit) {
        return create(allocator, byteLimit, NO_ACTION);
    }

    /// Creates an empty map in memory of an allocator, which passes each entry to an action before it is evicted.
    ///
    /// @param allocator  the allocator of the memory
    /// @param byteLimit  the size of the memory for entries, from 1 KiB to 32 GiB
    /// @param onEviction the action, which must not use the map: each operation throws a
    ///                   [java.util.ConcurrentModificationException] meanwhile. If the action throws an exception, `put`
    ///                   throws it, and neither evicts the entry nor stores its own. Removed, replaced and cleared
    ///                   entries are not passed
    /// @return the map
    /// @throws IllegalArgumentException if the limit is out of this range
    public static LruMap create(SegmentAllocator allocator, long byteLimit, BytesMap.EntryAction onEviction) {
        return new LruMap(TableMemory.of(allocator), byteLimit, onEviction);
    }

    /// Creates an empty map that has an arena for its entries, and one for its slots.
    ///
    /// @param arenas    creates the arenas, for example `MallocArena::ofConfined`
    /// @param byteLimit the size of the memory for entries, from 1 KiB to 32 GiB
    /// @return the map
    /// @throws IllegalArgumentException if the limit is out of this range
    public static LruMap owning(Supplier<? extends Arena> arenas, long byteLimit) {
        return owning(arenas, byteLimit, NO_ACTION);
    }

    /// Creates an empty map that has an arena for its entries, and one for its slots. It passes each entry to an action
    /// before it is evicted.
    ///
    /// @param arenas     creates the arenas, for example `MallocArena::ofConfined`
    /// @param byteLimit  the size of the memory for entries, from 1 KiB to 32 GiB
    /// @param onEviction the action, as in [#create(SegmentAllocator,long,BytesMap.EntryAction)]
    /// @return the map
    /// @throws IllegalArgumentException if the limit is out of this range
    public static LruMap owning(Supplier<? extends Arena> arenas, long byteLimit, BytesMap.EntryAction onEviction) {
        return new LruMap(TableMemory.owning(arenas), byteLimit, onEviction);
    }

    /// {@return how many bytes of the memory for entries the present entries take}
    public long usedByteSize() {
        return index.usedByteSize();
    }

    /// {@return how many entries have been evicted}
    public long evictions() {
        return index.evictions();
    }

    /// {@return a value without content, for look-ups in this map}
    public Value newValue() {
        return new Value();
    }

    /// Looks up a key.
    ///
    /// @param key   the key
    /// @param value receives the value, if there is such a key
    /// @return whether there is such a key
    /// @throws IllegalArgumentException if the value belongs to another map
    public boolean find(byte[] key, Value value) {
        return read(value, index.find(key, 0, key.length));
    }

    /// Looks up a key.
    ///
    /// @param key      a segment with the key; an array of bytes can be wrapped once and used again
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

    /// Looks up a key.
    ///
    /// @param key   the key
    /// @param value receives the value, if there is such a key
    /// @return whether there is such a key
    /// @throws IllegalArgumentException if the value belongs to another map
    public boolean find(long key, Value value) {
        return find(bytes(key), value);
    }

    /// Returns a copy of the value of a key.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] get(byte[] key, byte[] missing) {
        return copy(index.find(key, 0, key.length), missing);
    }

    /// Returns a copy of the value of a key.
    ///
    /// @param key     the key as text
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] get(CharSequence key, byte[] missing) {
        return copy(texts.find(index, key), missing);
    }

    /// Returns a copy of the value of a key.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public byte[] get(long key, byte[] missing) {
        return get(bytes(key), missing);
    }

    /// Returns the value of a key as text, decoded from UTF-8.
    ///
    /// @param key     the key as text
    /// @param missing the text to return if there is no such key
    /// @return the value
    public String getText(CharSequence key, String missing) {
        long entry = texts.find(index, key);
        if (entry < 0) {
            return missing;
        }
        index.use(entry);
        return new String(index.entries.valueArray(entry), StandardCharsets.UTF_8);
    }

    /// Returns whether the map has a key. The order of the entries does not change.
    ///
    /// @param key the key
    /// @return whether there is such a key
    public boolean containsKey(byte[] key) {
        return index.find(key, 0, key.length) >= 0;
    }

    /// Returns whether the map has a key. The order of the entries does not change.
    ///
    /// @param key the key as text
    /// @return whether there is such a key
    public boolean containsKey(CharSequence key) {
        return texts.find(index, key) >= 0;
    }

    /// Returns whether the map has a key. The order of the entries does not change.
    ///
    /// @param key the key
    /// @return whether there is such a key
    public boolean containsKey(long key) {
        return containsKey(bytes(key));
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new. If key and value are larger than a quarter of the limit, it is false, **and the
    ///         key is missing**
    public boolean put(byte[] key, byte[] value) {
        return putOf(key, 0, key.length, value, 0, value.length);
    }

    /// Sets the value of a key.
    ///
    /// @param key           a segment with the key
    /// @param keyOffset     the offset of the key
    /// @param keyByteSize   the size of the key
    /// @param value         a segment with the value
    /// @param valueOffset   the offset of the value
    /// @param valueByteSize the size of the value
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
    /// @throws IndexOutOfBoundsException if a range is not within its segment
    public boolean put(MemorySegment key, long keyOffset, long keyByteSize, MemorySegment value, long valueOffset,
            long valueByteSize) {
        Objects.checkFromIndexSize(valueOffset, valueByteSize, value.byteSize());
        return putOf(key, keyOffset, keyByteSize, value, valueOffset, valueByteSize);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key as text
    /// @param value the value
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
    public boolean put(CharSequence key, byte[] value) {
        byte[] bytes = texts.take(key);
        boolean isNew = putOf(bytes, 0, KeyText.encode(key, bytes), value, 0, value.length);
        texts.giveBack(bytes);
        return isNew;
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key as text
    /// @param value the value as text, which is encoded as UTF-8; half of a surrogate pair becomes `?`
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
    public boolean put(CharSequence key, CharSequence value) {
        return put(key, value.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
    public boolean put(long key, byte[] value) {
        return put(bytes(key), value);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value, which is all of the segment
    /// @return whether the key is new, as in [#put(byte[],byte\[\])]
    public boolean put(long key, MemorySegment value) {
        return putOf(bytes(key), 0, Long.BYTES, value, 0, value.byteSize());
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether there was such a key
    public boolean remove(byte[] key) {
        return index.remove(key, 0, key.length);
    }

    /// Removes a key.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @return whether there was such a key
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public boolean remove(MemorySegment key, long offset, long byteSize) {
        return index.remove(key, offset, byteSize);
    }

    /// Removes a key.
    ///
    /// @param key the key as text
    /// @return whether there was such a key
    public boolean remove(CharSequence key) {
        return texts.remove(index, key);
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether there was such a key
    public boolean remove(long key) {
        return remove(bytes(key));
    }

    /// Performs an action with each entry, from the least to the most recently used one.
    ///
    /// @param action the action, which must not use the map
    /// @throws java.util.ConcurrentModificationException if the action has changed the entries or their order
    public void forEach(BytesMap.EntryAction action) {
        Objects.requireNonNull(action, "action");
        index.forEach(action::accept);
    }

    private boolean putOf(Object key, long keyOffset, long keyByteSize, Object value, long valueOffset,
            long valueByteSize) {
        long hash = index.hash(key, keyOffset, keyByteSize);
        long present = index.find(hash, key, keyOffset, keyByteSize);
        return index.put(hash, present, key, keyOffset, keyByteSize, value, valueOffset, valueByteSize) && present < 0;
    }

    /// Returns the bytes of a number, until the next call. Only one thread uses the map.
    private byte[] bytes(long key) {
        numberSegment.set(JAVA_LONG_UNALIGNED, 0, key);
        return number;
    }

    private byte[] copy(long entry, byte[] missing) {
        if (entry < 0) {
            return missing;
        }
        index.use(entry);
        return index.entries.valueArray(entry);
    }

    private boolean read(Value value, long entry) {
        checkOwn(value);
        if (entry < 0) {
            return false;
        }
        index.use(entry);
        value.offset = index.entries.valueOffsetAt(entry);
        value.byteSize = index.entries.valueByteSize(entry);
        return true;
    }

    /// The value that a look-up has found. The object can be used for any number of look-ups. The value is valid until
    /// the next `put`, `remove`, `clear` or `close`; a later access to its bytes reads other data or throws an
    /// exception.
    public final class Value extends FoundValue {
        private Value() {
            super(LruMap.this, index.readOnly);
        }
    }
}
