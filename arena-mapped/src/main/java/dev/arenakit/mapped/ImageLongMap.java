package dev.arenakit.mapped;

import dev.arenakit.collection.LongLongConsumer;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.table.LongTable;
import dev.arenakit.mapped.internal.table.LongTableReader;
import org.jspecify.annotations.Nullable;

/// A hash map from longs to longs in an image. It outlives its process, however the process ends.
///
/// ```java
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     ImageLongMap stock = arena.structures().longMap("stock"); // opens it, or creates it
///     stock.put(4711, 10);
///     stock.addTo(4711, -3);
///     stock.get(4711, 0); // 7
/// }
/// ```
///
/// **Memory.** The map is an allocation of its arena, which grows. It reserves 256 GiB of addresses, unless the builder
/// of the arena [sets another size][InfiniteArenaBuilder#maxStructureByteSize(long)]. A pair takes 27 to 54 bytes of
/// disk space: groups of 3 pairs have 64 bytes, and the table doubles when 19/24 of it are used. While it doubles, the
/// old table exists, too, and its space is used again by later tables only.
///
/// **A killed process** loses no change that has returned. A change that was in progress has happened or has not:
/// [#put], [#addTo], [#remove] and [#clear] happen wholly or not at all. Opening the map afterwards reads
/// all groups of the table, to count the pairs.
///
/// **A failure of the machine** can lose changes since the arena was opened, because the kernel writes pages in any
/// order. Then the map cannot be opened until [ImageStructures#repair] was called, which keeps the pairs that it
/// can verify. [InfiniteArena#close()] writes the map to the device, so that it can be opened after that, whatever
/// happens.
///
/// **Threads and processes.** One thread at a time uses the map. Other threads read it at the same time by
/// [#asReadOnly()], and other processes by [ArenaImage#structures]: a value that they get was the value of the key at some
/// time during the call. If the arena is confined, only its thread may use the map.
///
/// **Exhaustion.** A change for which there is no space throws, and nothing has changed.
///
/// **Complexity.** All operations take constant time on average, except for [#forEach], and for a change that doubles
/// the table and writes it to the device. Each map has a random seed, so that keys that are chosen without knowledge of
/// the seed rarely collide.
///
/// **Algorithm.** Open addressing by groups whose tags are compared at once, after boost::unordered_flat_map (J. M. López
/// Muñoz, 2022).
public final class ImageLongMap {
    static final StructType TYPE = StructureKind.LONG_MAP.ofLongs();

    private final LongTableReader reader;
    /// Null if the map is read-only.
    private final @Nullable LongTable table;

    ImageLongMap(LongTable table) {
        this.table = table;
        reader = table.newReader();
    }

    ImageLongMap(LongTableReader reader) {
        this.reader = reader;
        table = null;
    }

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the result if the map does not contain the key
    /// @return the value
    /// @throws IllegalStateException if the arena is closed, or the map is damaged
    public long get(long key, long missing) {
        return table == null ? reader.get(key, missing) : table.get(key, missing);
    }

    /// Returns whether the map contains a key.
    ///
    /// @param key the key
    /// @return whether there is a value for it
    /// @throws IllegalStateException if the arena is closed, or the map is damaged
    public boolean containsKey(long key) {
        return table == null ? reader.contains(key) : table.contains(key);
    }

    /// Associates a value with a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key was added; otherwise, its value was replaced
    /// @throws IllegalStateException         if the arena is closed, or the map is damaged
    /// @throws UnsupportedOperationException if the map is read-only
    /// @throws DiskFullException             if the table must grow and the disk is full
    /// @throws java.io.UncheckedIOException  if the device fails
    public boolean put(long key, long value) {
        return table().put(key, value);
    }

    /// Adds a number to the value of a key. If the map does not contain the key, the number becomes its value.
    ///
    /// Otherwise, this method behaves as [#put] does.
    ///
    /// @param key   the key
    /// @param delta the number to add
    /// @return the new value
    public long addTo(long key, long delta) {
        return table().addTo(key, delta);
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether the map contained the key
    /// @throws IllegalStateException         if the arena is closed, or the map is damaged
    /// @throws UnsupportedOperationException if the map is read-only
    public boolean remove(long key) {
        return table().remove(key);
    }

    /// Removes all pairs. The map gets a new table of the smallest size.
    ///
    /// Otherwise, this method behaves as [#put] does.
    public void clear() {
        table().clear();
    }

    /// Returns the number of pairs. While another process changes the map, or after such a process was killed, the
    /// number can differ by one.
    ///
    /// @return the number of pairs
    /// @throws IllegalStateException if the arena is closed
    public long size() {
        return table == null ? reader.size() : table.size();
    }

    /// {@return whether the map has no pairs}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// Passes each pair to an action, in no particular order. Pairs that are added, removed or changed meanwhile, also
    /// by the action, may or may not be seen.
    ///
    /// @param action the action
    /// @throws java.util.ConcurrentModificationException if the map gets another table meanwhile; the action has seen a
    ///                                                   part of the pairs
    /// @throws IllegalStateException                     if the arena is closed, or the map is damaged
    public void forEach(LongLongConsumer action) {
        reader.forEach(action);
    }

    /// Returns a view of this map for other threads, which may read while one thread changes this map.
    ///
    /// @return a read-only map, which any number of threads may use
    public ImageLongMap asReadOnly() {
        return new ImageLongMap(reader);
    }

    private LongTable table() {
        return StructureFormat.changing(table);
    }
}
