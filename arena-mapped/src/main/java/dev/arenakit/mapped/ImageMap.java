package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.structure.EntryTable;
import dev.arenakit.mapped.internal.structure.EntryTableReader;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// A hash map from records to records in an image, which outlives the process.
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
/// @param <K> the record class of the keys
/// @param <V> the record class of the values
public final class ImageMap<K extends Record, V extends Record> {
    private final RecordMapper<K> keys;
    private final RecordMapper<V> values;
    private final EntryTableReader reader;
    private final @Nullable EntryTable table;

    ImageMap(RecordMapper<K> keys, RecordMapper<V> values, EntryTable table) {
        this.keys = keys;
        this.values = values;
        this.table = table;
        reader = table.reader();
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

    public boolean put(K key, V value) {
        return table().put(keys, key, values, value);
    }

    public boolean putIfAbsent(K key, V value) {
        return table().putIfAbsent(keys, key, values, value);
    }

    public V get(K key, V missing) {
        return reader.get(keys, key, values, missing);
    }

    public boolean containsKey(K key) {
        return reader.containsKey(keys, key);
    }

    public boolean remove(K key) {
        return table().remove(keys, key);
    }

    public long removeIf(BiPredicate<? super K, ? super V> filter) {
        return table().removeIf(keys, values, Objects.requireNonNull(filter, "filter"));
    }

    public void clear() {
        table().clear();
    }

    public long size() {
        return reader.size();
    }

    public void forEach(BiConsumer<? super K, ? super V> action) {
        reader.forEach(keys, values, Objects.requireNonNull(action, "action"));
    }

    private EntryTable table() {
        if (table == null) {
            throw new UnsupportedOperationException("Map is read-only: another process owns the image");
        }
        return table;
    }
}
