package dev.arenakit.mapped;

import dev.arenakit.collection.LongLongConsumer;
import dev.arenakit.mapped.internal.structure.LongTable;
import dev.arenakit.mapped.internal.structure.LongTableReader;
import org.jspecify.annotations.Nullable;

/// A hash map from longs to longs in an image, which outlives the process.
///
/// ```java
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     ImageLongMap stock = arena.longMap("stock"); // opens it, or creates it
///     stock.put(4711, 10);
///     stock.addTo(4711, -3);
///     stock.get(4711, 0); // 7
/// }
/// ```
public final class ImageLongMap {
    private final LongTableReader reader;
    private final @Nullable LongTable table;

    ImageLongMap(LongTable table) {
        this.table = table;
        reader = table.reader();
    }

    ImageLongMap(LongTableReader reader) {
        this.reader = reader;
        table = null;
    }

    public long get(long key, long missing) {
        return reader.get(key, missing);
    }

    public boolean put(long key, long value) {
        return table().put(key, value);
    }

    public long addTo(long key, long delta) {
        return table().addTo(key, delta);
    }

    public boolean remove(long key) {
        return table().remove(key);
    }

    public void clear() {
        table().clear();
    }

    public long size() {
        return reader.size();
    }

    public void forEach(LongLongConsumer action) {
        reader.forEach(action);
    }

    private LongTable table() {
        if (table == null) {
            throw new UnsupportedOperationException("Map is read-only: another process owns the image");
        }
        return table;
    }
}
