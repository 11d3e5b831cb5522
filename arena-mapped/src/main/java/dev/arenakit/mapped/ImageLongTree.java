package dev.arenakit.mapped;

import dev.arenakit.collection.LongLongConsumer;
import dev.arenakit.collection.LongLongPredicate;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.TreeCursor;
import dev.arenakit.mapped.internal.structure.TreeKey;
import dev.arenakit.mapped.internal.structure.TreeReader;
import dev.arenakit.mapped.internal.structure.TreeStore;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An ordered map from longs to longs in an image.
public final class ImageLongTree {
    static final StructType TYPE = type();

    private final TreeReader reader;
    /// Null if the tree is read-only.
    private final @Nullable TreeStore store;

    ImageLongTree(TreeStore store) {
        this.store = store;
        reader = store.reader();
    }

    ImageLongTree(TreeReader reader) {
        this.reader = reader;
        store = null;
    }

    private static StructType type() {
        MemoryType number = ValueType.of(long.class, ByteOrder.LITTLE_ENDIAN);
        return StructureKind.TREE.recordedType(number, number);
    }

    public long get(long key, long missing) {
        return reader.get(key, missing);
    }

    public boolean containsKey(long key) {
        return reader.get(key, 0) != 0 || reader.get(key, 1) != 1;
    }

    public boolean put(long key, long value) {
        return store().put(key, value);
    }

    public long addTo(long key, long delta) {
        return store().addTo(key, delta);
    }

    public boolean remove(long key) {
        return store().remove(key);
    }

    public void clear() {
        store().clear();
    }

    public long size() {
        return reader.size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public void forEach(LongLongConsumer action) {
        Objects.requireNonNull(action, "action");
        ascend(Long.MIN_VALUE, Long.MAX_VALUE, (key, value) -> {
            action.accept(key, value);
            return true;
        });
    }

    public boolean ascend(long least, long most, LongLongPredicate action) {
        Objects.requireNonNull(action, "action");
        TreeCursor cursor = new TreeCursor(reader);
        return !cursor.ceiling(new TreeKey.OfLong(least)) || cursor.ascend(most, action);
    }

    public boolean descend(long least, long most, LongLongPredicate action) {
        Objects.requireNonNull(action, "action");
        TreeCursor cursor = new TreeCursor(reader);
        return !cursor.floor(new TreeKey.OfLong(most)) || cursor.descend(least, action);
    }

    public Cursor cursor() {
        return new Cursor(reader);
    }

    public ImageLongTree asReadOnly() {
        return new ImageLongTree(reader);
    }

    public boolean isReadOnly() {
        return store == null;
    }

    private TreeStore store() {
        if (store == null) {
            throw new UnsupportedOperationException(
                    "Tree is read-only; open it by InfiniteArena.longTree, in the process that owns the image");
        }
        return store;
    }

    /// A position in a tree.
    public static final class Cursor {
        private final TreeCursor cursor;
        private final TreeKey.OfLong sought = new TreeKey.OfLong(0);

        private Cursor(TreeReader reader) {
            cursor = new TreeCursor(reader);
        }

        public boolean first() {
            return cursor.first();
        }

        public boolean last() {
            return cursor.last();
        }

        public boolean floor(long key) {
            return cursor.floor(sought.with(key));
        }

        public boolean lower(long key) {
            return cursor.lower(sought.with(key));
        }

        public boolean ceiling(long key) {
            return cursor.ceiling(sought.with(key));
        }

        public boolean higher(long key) {
            return cursor.higher(sought.with(key));
        }

        public boolean next() {
            return cursor.next();
        }

        public boolean previous() {
            return cursor.previous();
        }

        public long key() {
            return cursor.longKey();
        }

        public long value() {
            return cursor.longValue();
        }
    }
}
