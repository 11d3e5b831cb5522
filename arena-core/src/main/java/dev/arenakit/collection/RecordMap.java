package dev.arenakit.collection;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.StructFields;
import dev.arenakit.internal.collection.StructScratch;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.bytes.BytesIndex;
import dev.arenakit.internal.collection.bytes.EntryHeap;
import dev.arenakit.internal.collection.bytes.EntryWalk;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A map from records to records, in off-heap memory.
///
/// ```java
/// record Key(int venue, long account) {}
/// record Position(long quantity, double price) {}
///
/// static final RecordMapper<Key> KEYS = RecordMapper.of(Key.class);
/// static final RecordMapper<Position> POSITIONS = RecordMapper.of(Position.class);
/// static final ViewMapper<PositionView> VIEWS = ViewMapper.of(PositionView.class);
///
/// try (RecordMap<Key, Position> map = RecordMap.owning(MallocArena::ofConfined, KEYS, POSITIONS)) {
///     map.put(new Key(1, 42), new Position(3, 9.5));
///     map.view(VIEWS, new Key(1, 42)).price(9.6); // in place: no Position is created
/// }
/// ```
///
/// **Keys are equal if their bytes are equal,** as [RecordMapper] writes them into zeroed memory: -0.0 and 0.0 are
/// different keys, each bit pattern of NaN is a different key, and data that a mapper does not store, such as text
/// after a NUL, does not distinguish keys. Padding is 0.
///
/// **A key that does not fit into its struct,** such as a text that is longer than its
/// [Length][dev.arenakit.layout.annotation.Length], is never in the map: a look-up finds nothing, and `remove` removes
/// nothing, at the cost of an exception inside. Methods that could add such a key throw an [IllegalArgumentException].
///
/// ## Memory
///
/// An entry consists of 4 bytes, the value and the key, with padding for their alignments. [BytesLongMap] describes the
/// slots of the hash table, the sources of memory, removed entries and exhausted memory; they apply to this map too. The
/// memory must support the alignment of both structs.
///
/// **A view of an entry is valid until a key is added or removed.** Entries may move then. If the map owns its arenas,
/// a later access through the view throws an [IllegalStateException]. Otherwise the access reads an old copy, or freed
/// memory, as the allocator's description says.
///
/// ## Complexity
///
/// All operations take constant time on average. An operation that makes a table grow takes time proportional to the
/// number of entries. A look-up writes the key to memory, hashes its bytes and compares them. Views, fields, and
/// look-ups that return no record create no garbage if the record of the key does not escape.
///
/// ## Threads
///
/// A map is not synchronized. Several threads can read it at the same time if all of them can access its memory and no
/// thread changes the map. Records are created directly from the memory of the map. Therefore the constructors of a
/// record and of its nested records must not change the map.
///
/// A closed map throws an [IllegalStateException] from every operation except [#close()] and [#toString()].
///
/// @param <K> the record class of the keys
/// @param <V> the record class of the values
public final class RecordMap<K extends Record, V extends Record> extends EntryMap {
    private final RecordMapper<K> keys;
    private final RecordMapper<V> values;
    private final StructFields fields;
    private final BytesIndex index;
    private final StructScratch keyScratch;
    private final StructScratch valueScratch;
    private final long keyByteSize;
    private final long valueByteSize;
    private final long valueOffset;

    private RecordMap(TableMemory memory, RecordMapper<K> keys, RecordMapper<V> values, long expectedSize) {
        long keySize = Objects.requireNonNull(keys, "keys").byteSize();
        EntryHeap.checkByteSize("key", keySize);
        StructLayout keyLayout = keys.layout();
        StructLayout valueLayout = Objects.requireNonNull(values, "values").layout();
        long offset = Sizes.alignUp(4, valueLayout.byteAlignment());
        EntryHeap.Format format = new EntryHeap.Format(offset,
                Sizes.alignUp(offset + values.byteSize(), keyLayout.byteAlignment()),
                Math.max(4, Math.max(keyLayout.byteAlignment(), valueLayout.byteAlignment())), false);
        BytesIndex entries = new BytesIndex(memory, "RecordMap", format, expectedSize,
                Math.min(expectedSize, Sizes.ADDRESSABLE / keySize) * keySize);
        super(entries);
        index = entries;
        this.keys = keys;
        this.values = values;
        fields = new StructFields(values.type(),
                () -> values.field(values.type().members().getFirst().name()).struct());
        keyByteSize = keySize;
        valueByteSize = values.byteSize();
        valueOffset = offset;
        keyScratch = new StructScratch(keyLayout);
        valueScratch = new StructScratch(valueLayout);
    }

    /// Creates an empty map in memory of an allocator.
    ///
    /// @param allocator the allocator of the tables
    /// @param keys      the mapper of the keys
    /// @param values    the mapper of the values
    /// @param <K>       the record class of the keys
    /// @param <V>       the record class of the values
    /// @return the map
    public static <K extends Record, V extends Record> RecordMap<K, V> create(SegmentAllocator allocator,
            RecordMapper<K> keys, RecordMapper<V> values) {
        return create(allocator, keys, values, 0);
    }

    /// Creates an empty map with a capacity, in memory of an allocator.
    ///
    /// @param allocator    the allocator of the tables
    /// @param keys         the mapper of the keys
    /// @param values       the mapper of the values
    /// @param expectedSize the number of entries for which the map need not grow
    /// @param <K>          the record class of the keys
    /// @param <V>          the record class of the values
    /// @return the map
    /// @throws IllegalArgumentException if the size is negative
    public static <K extends Record, V extends Record> RecordMap<K, V> create(SegmentAllocator allocator,
            RecordMapper<K> keys, RecordMapper<V> values, long expectedSize) {
        return new RecordMap<>(TableMemory.of(allocator), keys, values, expectedSize);
    }

    /// Creates an empty map that has an arena for each table.
    ///
    /// @param arenas creates the arenas, for example `MallocArena::ofConfined`
    /// @param keys   the mapper of the keys
    /// @param values the mapper of the values
    /// @param <K>    the record class of the keys
    /// @param <V>    the record class of the values
    /// @return the map
    public static <K extends Record, V extends Record> RecordMap<K, V> owning(Supplier<? extends Arena> arenas,
            RecordMapper<K> keys, RecordMapper<V> values) {
        return owning(arenas, keys, values, 0);
    }

    /// Creates an empty map with a capacity, which has an arena for each table.
    ///
    /// @param arenas       creates the arenas, for example `MallocArena::ofConfined`
    /// @param keys         the mapper of the keys
    /// @param values       the mapper of the values
    /// @param expectedSize the number of entries for which the map need not grow
    /// @param <K>          the record class of the keys
    /// @param <V>          the record class of the values
    /// @return the map
    /// @throws IllegalArgumentException if the size is negative
    public static <K extends Record, V extends Record> RecordMap<K, V> owning(Supplier<? extends Arena> arenas,
            RecordMapper<K> keys, RecordMapper<V> values, long expectedSize) {
        return new RecordMap<>(TableMemory.owning(arenas), keys, values, expectedSize);
    }

    /// Sets the value of a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new
    /// @throws IllegalArgumentException if a component does not fit
    public boolean put(K key, V value) {
        Objects.requireNonNull(value, "value");
        MemorySegment struct = write(key);
        MemorySegment valueStruct = valueScratch.takeForChange();
        values.set(valueStruct, 0, value);
        long hash = index.hash(struct, 0, keyByteSize);
        long present = index.find(hash, struct, 0, keyByteSize);
        if (present < 0) {
            long entry = index.reserve(struct, 0, keyByteSize, 0);
            MemorySegment.copy(valueStruct, 0, index.heap.segment, entry + valueOffset, valueByteSize);
            index.add(hash, present, entry);
        } else {
            index.startOverwrite();
            MemorySegment.copy(valueStruct, 0, index.heap.segment, present + valueOffset, valueByteSize);
            index.endOverwrite();
        }
        valueScratch.giveBackAfterChange(valueStruct);
        keyScratch.giveBack(struct);
        return present < 0;
    }

    /// Sets the value of a key that is missing.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key is new; otherwise its value has not changed
    /// @throws IllegalArgumentException if a component does not fit
    public boolean putIfAbsent(K key, V value) {
        return !containsKey(key) && put(key, value);
    }

    /// Sets the value of a key, and returns the value before.
    ///
    /// @param key     the key
    /// @param value   the value
    /// @param missing the value to return if the key is new
    /// @return the value before
    /// @throws IllegalArgumentException if a component does not fit
    public V getAndPut(K key, V value, V missing) {
        V replaced = get(key, missing);
        put(key, value);
        return replaced;
    }

    /// Puts all entries of another map.
    ///
    /// @param entries the other map, which does not change; if memory is exhausted, some of its entries have been put
    public void putAll(RecordMap<? extends K, ? extends V> entries) {
        if (entries != this) {
            entries.forEach(this::put);
        }
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public V get(K key, V missing) {
        long entry = find(key);
        return entry < 0 ? missing : values.get(index.heap.segment, entry + valueOffset);
    }

    /// Returns whether there is a key.
    ///
    /// @param key the key
    /// @return whether there is such a key
    public boolean containsKey(K key) {
        return find(key) >= 0;
    }

    /// Returns a view of the value of a key, in place.
    ///
    /// @param views the mapper of the view, over the type of the values
    /// @param key   the key
    /// @param <T>   the interface of the view
    /// @return the view
    /// @throws java.util.NoSuchElementException if there is no such key: see [#containsKey]
    /// @throws IllegalArgumentException         if the structs of the view have another size
    public <T> T view(ViewMapper<T> views, K key) {
        return view(views, found(key));
    }

    /// Reads a field of the value of a key.
    ///
    /// @param field   a field of the values
    /// @param key     the key
    /// @param missing the number to return if there is no such key
    /// @return the number
    /// @throws IllegalArgumentException if the field does not belong to the values
    public long getLong(LongField field, K key, long missing) {
        fields.check(field.struct(), field);
        long entry = find(key);
        return entry < 0 ? missing : field.get(index.heap.segment, entry + valueOffset);
    }

    /// Reads a field of the value of a key.
    ///
    /// @param field   a field of the values
    /// @param key     the key
    /// @param missing the number to return if there is no such key
    /// @return the number
    /// @throws IllegalArgumentException if the field does not belong to the values
    public double getDouble(DoubleField field, K key, double missing) {
        fields.check(field.struct(), field);
        long entry = find(key);
        return entry < 0 ? missing : field.get(index.heap.segment, entry + valueOffset);
    }

    /// Writes a field of the value of a key. If there is no such key, it is added first with a value of zero bytes.
    ///
    /// @param field  a field of the values
    /// @param key    the key
    /// @param number the number
    /// @return whether the key is new
    /// @throws IllegalArgumentException if the field does not belong to the values, or if the number or a component of
    ///                                  the key does not fit
    public boolean setLong(LongField field, K key, long number) {
        fields.check(field.struct(), field);
        MemorySegment struct = write(key);
        long hash = index.hash(struct, 0, keyByteSize);
        long present = index.find(hash, struct, 0, keyByteSize);
        long entry = present >= 0 ? present : reserve(struct);
        field.set(index.heap.segment, entry + valueOffset, number);
        return finish(struct, hash, present, entry);
    }

    /// Writes a field of the value of a key. If there is no such key, it is added first with a value of zero bytes.
    ///
    /// @param field  a field of the values
    /// @param key    the key
    /// @param number the number
    /// @return whether the key is new
    /// @throws IllegalArgumentException if the field does not belong to the values, or if a component of the key does
    ///                                  not fit
    public boolean setDouble(DoubleField field, K key, double number) {
        fields.check(field.struct(), field);
        MemorySegment struct = write(key);
        long hash = index.hash(struct, 0, keyByteSize);
        long present = index.find(hash, struct, 0, keyByteSize);
        long entry = present >= 0 ? present : reserve(struct);
        field.set(index.heap.segment, entry + valueOffset, number);
        return finish(struct, hash, present, entry);
    }

    /// Adds to a field of the value of a key. If there is no such key, it is added first with a value of zero bytes.
    ///
    /// @param field a field of the values
    /// @param key   the key
    /// @param delta the number to add
    /// @return the new number
    /// @throws IllegalArgumentException if the field does not belong to the values, or if a component of the key does
    ///                                  not fit
    public long addTo(LongField field, K key, long delta) {
        fields.check(field.struct(), field);
        MemorySegment struct = write(key);
        long hash = index.hash(struct, 0, keyByteSize);
        long present = index.find(hash, struct, 0, keyByteSize);
        long entry = present >= 0 ? present : reserve(struct);
        MemorySegment entries = index.heap.segment;
        long number = field.get(entries, entry + valueOffset) + delta;
        field.set(entries, entry + valueOffset, number);
        finish(struct, hash, present, entry);
        return number;
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether there was such a key
    public boolean remove(K key) {
        MemorySegment struct = tryWrite(key);
        if (struct == null) {
            return false;
        }
        boolean isRemoved = index.remove(struct, 0, keyByteSize);
        keyScratch.giveBack(struct);
        return isRemoved;
    }

    /// Removes a key, and returns its value.
    ///
    /// @param key     the key
    /// @param missing the value to return if there is no such key
    /// @return the value
    public V getAndRemove(K key, V missing) {
        V removed = get(key, missing);
        remove(key);
        return removed;
    }

    /// Removes all entries that a filter selects.
    ///
    /// @param filter selects entries; it must not add or remove keys
    /// @return the number of removed entries
    /// @throws java.util.ConcurrentModificationException if the filter has added or removed a key
    public long removeIf(BiPredicate<? super K, ? super V> filter) {
        long removed = 0;
        for (Cursor cursor = cursor(); cursor.moveNext();) {
            if (filter.test(cursor.key(), cursor.value())) {
                cursor.remove();
                removed++;
            }
        }
        return removed;
    }

    /// Moves to the smallest tables for the present entries, as in [BytesLongMap#shrink()].
    public void shrink() {
        index.shrink();
    }

    /// Performs an action with the records of each entry, in the order in which the keys were added. [#cursor()] does
    /// not create records.
    ///
    /// @param action the action, which must not add or remove keys
    /// @throws java.util.ConcurrentModificationException if the action has added or removed a key
    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (Cursor cursor = cursor(); cursor.moveNext();) {
            action.accept(cursor.key(), cursor.value());
        }
    }

    /// {@return a cursor before the first entry}
    public Cursor cursor() {
        return new Cursor();
    }

    private MemorySegment write(K key) {
        index.checkOpen();
        Objects.requireNonNull(key, "key");
        MemorySegment struct = keyScratch.take();
        try {
            keys.set(struct, 0, key);
        } catch (IllegalArgumentException e) {
            keyScratch.giveBack(struct);
            throw e;
        }
        return struct;
    }

    /// Writes a key to look it up, or returns null if it does not fit: no such key was ever put.
    private @Nullable MemorySegment tryWrite(K key) {
        try {
            return write(key);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private long find(K key) {
        MemorySegment struct = tryWrite(key);
        if (struct == null) {
            return -1;
        }
        long entry = index.find(index.hash(struct, 0, keyByteSize), struct, 0, keyByteSize);
        keyScratch.giveBack(struct);
        return entry;
    }

    /// Writes an entry with a key and a value of zero bytes. The entry is not part of the map yet.
    private long reserve(MemorySegment key) {
        long entry = index.reserve(key, 0, keyByteSize, 0);
        index.heap.segment.asSlice(entry + valueOffset, valueByteSize).fill((byte) 0);
        return entry;
    }

    /// Adds an entry to the map if its key was not present.
    ///
    /// @return whether the key is new
    private boolean finish(MemorySegment key, long hash, long present, long entry) {
        if (present < 0) {
            index.add(hash, present, entry);
        }
        keyScratch.giveBack(key);
        return present < 0;
    }

    private long found(K key) {
        long entry = find(key);
        if (entry < 0) {
            throw new java.util.NoSuchElementException("No such key: " + key);
        }
        return entry;
    }

    private <T> T view(ViewMapper<T> views, long entry) {
        if (views.byteSize() != values.byteSize()) {
            throw new IllegalArgumentException("View has another size than the value: view=" + views.type().name()
                    + ", view.byteSize=" + views.byteSize() + ", value=" + values.type().name()
                    + ", value.byteSize=" + values.byteSize());
        }
        return views.view(index.heap.segment, entry + valueOffset);
    }

    /// Moves over the entries of a map, in the order in which the keys were added.
    ///
    /// The methods throw a [java.util.ConcurrentModificationException] if a key was added, or removed other than by the
    /// cursor, after the cursor was created. Values can be changed.
    public final class Cursor extends EntryCursor {
        private Cursor() {
            super(new EntryWalk(index));
        }

        /// {@return the record of the key}
        public K key() {
            return keys.get(walk.bytes, walk.keyOffset());
        }

        /// {@return the record of the value}
        public V value() {
            return values.get(walk.bytes, walk.entry() + valueOffset);
        }

        /// {@return the offset of the value in [#bytes()]}
        public long valueOffset() {
            return walk.entry() + valueOffset;
        }

        /// Returns a view of the value, in place.
        ///
        /// @param views the mapper of the view, over the type of the values
        /// @param <T>   the interface of the view
        /// @return the view
        /// @throws IllegalArgumentException if the structs of the view have another size
        public <T> T view(ViewMapper<T> views) {
            return RecordMap.this.view(views, walk.entry());
        }
    }
}
