package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.table.EntryTable;
import dev.arenakit.mapped.internal.table.EntryTableReader;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// A hash map from records to records in an image. It outlives its process, however the process ends.
///
/// ```java
/// record OrderId(long id) {}
/// record Order(@Length(16) String customer, long amount) {}
///
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     ImageMap<OrderId, Order> orders = arena.map("orders", OrderId.class, Order.class); // opens it, or creates it
///     orders.put(new OrderId(4711), new Order("Miller", 250));
/// }
/// ```
///
/// **Keys are equal if their bytes are equal,** as [RecordMapper] writes them into zeroed memory: -0.0 and 0.0 are
/// different keys, each bit pattern of NaN is a different key, and data that a mapper does not store, such as text
/// after a NUL, does not distinguish keys. Padding is 0.
///
/// **A key that does not fit into its struct,** such as a text that is longer than its
/// [Length][dev.arenakit.layout.annotation.Length], is never in the map: a look-up finds nothing, and [#remove] removes
/// nothing, at the cost of an exception inside. Methods that could add such a key throw an [IllegalArgumentException].
///
/// **The types of the records** are recorded with the map. A map cannot be opened with records that have another type;
/// the exception names the member that differs.
///
/// **Memory.** The map is an allocation of its arena, which grows. It reserves 256 GiB of addresses. An entry takes 8
/// bytes, the struct of its key and the struct of its value, with padding for their alignments: the value begins at a
/// multiple of 8, and so does the next entry. Beside the entries is a table: 12 to 23 bytes for each entry, because
/// groups of 7 slots have 64 bytes, and the table doubles when 11/14 of the slots are used. While it doubles, the old
/// table exists, too, and its space is used again by later tables and entries only. A replaced value, or a removed
/// entry, leaves its memory to later entries.
///
/// **A killed process** loses no change that has returned. A change that was in progress has happened or has not:
/// [#put], [#putIfAbsent], [#remove] and [#clear] happen wholly or not at all. [#removeIf] removes entries one by one.
/// Opening the map afterwards counts its entries, and finds the free memory between them.
///
/// **A failure of the machine** can lose changes since the arena was opened, because the kernel writes pages in any
/// order. Then the map cannot be opened until [InfiniteArena#repairStructure] was called, which keeps the entries whose
/// checks are right. [InfiniteArena#close()] writes the map to the device, so that it can be opened after that,
/// whatever happens.
///
/// **Threads and processes.** One thread at a time uses the map. Other threads read it at the same time by
/// [#asReadOnly()], and other processes by [ArenaImage#map(String, Class, Class, java.lang.foreign.Arena)]: a record
/// that they get is whole, and was the value of the key at some time during the call. If the arena is confined, only
/// its thread may use the map.
///
/// Readers create records directly from memory that may change meanwhile, and create a record again if it has.
/// Therefore the constructors of records must have no effects, and must not change the map.
///
/// **Exhaustion.** A change for which there is no space throws, and nothing has changed.
///
/// **Complexity.** All operations take constant time on average, except for [#forEach] and [#removeIf], and for a
/// change that doubles the table and writes it to the device. Methods that return no record create no garbage if their
/// arguments do not escape. Each map has a random seed, so that keys that are chosen without knowledge of the seed
/// rarely collide.
///
/// **Algorithm.** Open addressing by groups whose tags are compared at once, after boost::unordered_flat_map (J. M.
/// López Muñoz, 2022). The slots of a group refer to entries, which never change: a new value is a new entry.
///
/// @param <K> the record class of the keys
/// @param <V> the record class of the values
public final class ImageMap<K extends Record, V extends Record> {
    private final RecordMapper<K> keys;
    private final RecordMapper<V> values;
    private final EntryTableReader reader;
    /// Null if the map is read-only.
    private final @Nullable EntryTable table;

    ImageMap(RecordMapper<K> keys, RecordMapper<V> values, EntryTable table) {
        this.keys = keys;
        this.values = values;
        this.table = table;
        reader = table.newReader();
    }

    ImageMap(RecordMapper<K> keys, RecordMapper<V> values, EntryTableReader reader) {
        this.keys = keys;
        this.values = values;
        this.reader = reader;
        table = null;
    }

    /// The recorded type of a map.
    static StructType type(RecordMapper<?> keys, RecordMapper<?> values) {
        return StructureKind.MAP.recordedType(keys.type(), values.type());
    }

    /// Associates a value with a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key was added; otherwise, its value was replaced
    /// @throws IllegalArgumentException      if a component does not fit
    /// @throws IllegalStateException         if the arena is closed, or the map is damaged
    /// @throws UnsupportedOperationException if the map is read-only
    /// @throws DiskFullException             if the memory must grow and the disk is full
    /// @throws java.io.UncheckedIOException  if the device fails
    public boolean put(K key, V value) {
        return table().put(keys, key, values, value);
    }

    /// Associates a value with a key that has none.
    ///
    /// Otherwise, this method behaves as [#put] does.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key was added; otherwise, its value has not changed
    public boolean putIfAbsent(K key, V value) {
        return table().putIfAbsent(keys, key, values, value);
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the result if the map does not contain the key
    /// @return the value
    /// @throws IllegalStateException if the arena is closed, or the map is damaged
    public V get(K key, V missing) {
        return table == null ? reader.get(keys, key, values, missing) : table.get(keys, key, values, missing);
    }

    /// Returns whether the map contains a key.
    ///
    /// @param key the key
    /// @return whether there is a value for it
    /// @throws IllegalStateException if the arena is closed, or the map is damaged
    public boolean containsKey(K key) {
        return table == null ? reader.containsKey(keys, key) : table.containsKey(keys, key);
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether the map contained the key
    /// @throws IllegalStateException         if the arena is closed, or the map is damaged
    /// @throws UnsupportedOperationException if the map is read-only
    public boolean remove(K key) {
        return table().remove(keys, key);
    }

    /// Removes the entries that a filter selects, one by one. An entry that the filter changes itself is not removed.
    ///
    /// @param filter selects entries
    /// @return the number of removed entries
    /// @throws java.util.ConcurrentModificationException if the map gets another table meanwhile; the filter has seen a
    ///                                                   part of the entries
    /// @throws IllegalStateException                     if the arena is closed, or the map is damaged
    /// @throws UnsupportedOperationException             if the map is read-only
    public long removeIf(BiPredicate<? super K, ? super V> filter) {
        return table().removeIf(keys, values, Objects.requireNonNull(filter, "filter"));
    }

    /// Removes all entries. The map gets a new table of the smallest size.
    ///
    /// Otherwise, this method behaves as [#put] does.
    public void clear() {
        table().clear();
    }

    /// Returns the number of entries. While another process changes the map, or after such a process was killed, the
    /// number can differ by one.
    ///
    /// @return the number of entries
    /// @throws IllegalStateException if the arena is closed
    public long size() {
        return reader.size();
    }

    /// {@return whether the map has no entries}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// Passes the records of each entry to an action, in no particular order. Entries that are added, removed or
    /// changed meanwhile, also by the action, may or may not be seen. The check of each entry is compared with its
    /// bytes.
    ///
    /// @param action the action
    /// @throws java.util.ConcurrentModificationException if the map gets another table meanwhile; the action has seen a
    ///                                                   part of the entries
    /// @throws IllegalStateException                     if the arena is closed, or the map is damaged
    public void forEach(BiConsumer<? super K, ? super V> action) {
        reader.forEach(keys, values, Objects.requireNonNull(action, "action"));
    }

    /// Returns a view of this map for other threads, which may read while one thread changes this map.
    ///
    /// @return a read-only map, which any number of threads may use
    public ImageMap<K, V> asReadOnly() {
        return new ImageMap<>(keys, values, reader);
    }

    /// Returns whether the map cannot be changed, because [#asReadOnly()] or an [ArenaImage] has returned it.
    ///
    /// @return whether the map is read-only
    public boolean isReadOnly() {
        return table == null;
    }

    private EntryTable table() {
        if (table == null) {
            throw new UnsupportedOperationException(
                    "Map is read-only; change the map that InfiniteArena.map returns, in the process that owns the "
                            + "image");
        }
        return table;
    }
}
