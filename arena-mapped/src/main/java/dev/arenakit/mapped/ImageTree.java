package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.TreeCursor;
import dev.arenakit.mapped.internal.structure.TreeKey;
import dev.arenakit.mapped.internal.structure.TreeKeyForm;
import dev.arenakit.mapped.internal.structure.TreeReader;
import dev.arenakit.mapped.internal.structure.TreeStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An ordered map in an image.
///
/// @param <K> the class of the keys
/// @param <V> the class of the values
public final class ImageTree<K, V> {
    private final Form<K, V> form;
    private final TreeReader reader;
    /// Null if the tree is read-only.
    private final @Nullable TreeStore store;
    /// A cursor that no call uses, or null.
    private final AtomicReference<@Nullable TreeCursor> idle = new AtomicReference<>();

    ImageTree(Form<K, V> form, TreeStore store) {
        this.form = form;
        this.store = store;
        reader = store.reader();
    }

    ImageTree(Form<K, V> form, TreeReader reader) {
        this.form = form;
        this.reader = reader;
        store = null;
    }

    public V get(K key, V missing) {
        MemorySegment value = form.newValue();
        return reader.get(form.toKey(key), value) ? form.values.read(value, 0) : missing;
    }

    public boolean containsKey(K key) {
        return reader.get(form.toKey(key), form.newValue());
    }

    public boolean put(K key, V value) {
        TreeStore changed = store();
        TreeKey stored = form.toKey(key);
        MemorySegment words = form.newValue();
        form.values.write(words, value);
        return changed.put(stored, words);
    }

    public boolean remove(K key) {
        return store().remove(form.toKey(key));
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

    public Optional<Map.Entry<K, V>> first() {
        return entry(TreeCursor::first);
    }

    public Optional<Map.Entry<K, V>> last() {
        return entry(TreeCursor::last);
    }

    public Optional<Map.Entry<K, V>> floor(K key) {
        TreeKey sought = form.toKey(key);
        return entry(cursor -> cursor.floor(sought));
    }

    public Optional<Map.Entry<K, V>> lower(K key) {
        TreeKey sought = form.toKey(key);
        return entry(cursor -> cursor.lower(sought));
    }

    public Optional<Map.Entry<K, V>> ceiling(K key) {
        TreeKey sought = form.toKey(key);
        return entry(cursor -> cursor.ceiling(sought));
    }

    public Optional<Map.Entry<K, V>> higher(K key) {
        TreeKey sought = form.toKey(key);
        return entry(cursor -> cursor.higher(sought));
    }

    public void forEach(BiConsumer<? super K, ? super V> action) {
        Objects.requireNonNull(action, "action");
        ascend((key, value) -> {
            action.accept(key, value);
            return true;
        });
    }

    public boolean ascend(BiPredicate<? super K, ? super V> action) {
        return ascend((TreeKey) null, null, action);
    }

    public boolean ascend(K least, BiPredicate<? super K, ? super V> action) {
        return ascend(form.toKey(least), null, action);
    }

    public boolean ascend(K least, K most, BiPredicate<? super K, ? super V> action) {
        return ascend(form.toKey(least), form.toKey(most), action);
    }

    public boolean descend(BiPredicate<? super K, ? super V> action) {
        return descend((TreeKey) null, null, action);
    }

    public boolean descend(K most, BiPredicate<? super K, ? super V> action) {
        return descend(null, form.toKey(most), action);
    }

    public boolean descend(K least, K most, BiPredicate<? super K, ? super V> action) {
        return descend(form.toKey(least), form.toKey(most), action);
    }

    private boolean ascend(@Nullable TreeKey least, @Nullable TreeKey most,
            BiPredicate<? super K, ? super V> action) {
        Objects.requireNonNull(action, "action");
        TreeCursor cursor = takeCursor();
        boolean found = least == null ? cursor.first() : cursor.ceiling(least);
        while (found && (most == null || cursor.compareTo(most) <= 0)) {
            if (!action.test(key(cursor), value(cursor))) {
                return false;
            }
            found = cursor.next();
        }
        idle.set(cursor);
        return true;
    }

    private boolean descend(@Nullable TreeKey least, @Nullable TreeKey most,
            BiPredicate<? super K, ? super V> action) {
        Objects.requireNonNull(action, "action");
        TreeCursor cursor = takeCursor();
        boolean found = most == null ? cursor.last() : cursor.floor(most);
        while (found && (least == null || cursor.compareTo(least) >= 0)) {
            if (!action.test(key(cursor), value(cursor))) {
                return false;
            }
            found = cursor.previous();
        }
        idle.set(cursor);
        return true;
    }

    private K key(TreeCursor cursor) {
        return form.keys.ofKey().apply(cursor.key());
    }

    private V value(TreeCursor cursor) {
        return form.values.read(cursor.contents(), cursor.value());
    }

    public ImageTree<K, V> asReadOnly() {
        return new ImageTree<>(form, reader);
    }

    public boolean isReadOnly() {
        return store == null;
    }

    private Optional<Map.Entry<K, V>> entry(Predicate<TreeCursor> move) {
        TreeCursor cursor = takeCursor();
        Optional<Map.Entry<K, V>> entry = move.test(cursor)
                ? Optional.of(Map.entry(key(cursor), value(cursor)))
                : Optional.empty();
        idle.set(cursor);
        return entry;
    }

    private TreeCursor takeCursor() {
        TreeCursor cursor = idle.getAndSet(null);
        return cursor == null ? new TreeCursor(reader) : cursor;
    }

    private TreeStore store() {
        if (store == null) {
            throw new UnsupportedOperationException(
                    "Tree is read-only; open it by InfiniteArena.tree, in the process that owns the image");
        }
        return store;
    }

    /// The classes of keys and values.
    static final class Form<K, V> {
        private final TreeKeyForm<K> keys;
        private final Values<V> values;
        private final StructType type;

        private Form(TreeKeyForm<K> keys, Values<V> values) {
            this.keys = keys;
            this.values = values;
            type = StructureKind.TREE.recordedType(keys.type(), values.type());
        }

        @SuppressWarnings("unchecked") // The values of the class Long are longs.
        static <K, V> Form<K, V> of(Class<K> keys, Class<V> values) {
            TreeKeyForm<K> keyForm = TreeKeyForm.of(keys);
            return values == Long.class
                    ? new Form<>(keyForm, (Values<V>) new Longs())
                    : of(keys, RecordMapper.of(values));
        }

        static <K, V> Form<K, V> of(Class<K> keys, RecordMapper<V> values) {
            if (values.type().byteAlignment() > Long.BYTES) {
                throw new IllegalArgumentException("Values of a tree have too large an alignment: byteAlignment="
                        + values.type().byteAlignment() + ", largest=" + Long.BYTES);
            }
            return new Form<>(TreeKeyForm.of(keys), new Records<>(values));
        }

        StructType type() {
            return type;
        }

        long keyByteSize() {
            return keys.keyByteSize();
        }

        long valueByteSize() {
            return values.byteSize();
        }

        private TreeKey toKey(K key) {
            return keys.toKey().apply(Objects.requireNonNull(key, "key"));
        }

        private MemorySegment newValue() {
            return MemorySegment.ofArray(new long[(int) (values.byteSize() + 7 >> 3)]);
        }
    }

    /// Reads and writes values.
    private sealed interface Values<V> {
        MemoryType type();

        long byteSize();

        V read(MemorySegment memory, long byteOffset);

        void write(MemorySegment memory, V value);
    }

    private record Longs() implements Values<Long> {
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

        @Override
        public MemoryType type() {
            return ValueType.of(long.class, ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public long byteSize() {
            return Long.BYTES;
        }

        @Override
        public Long read(MemorySegment memory, long byteOffset) {
            return memory.get(LONG, byteOffset);
        }

        @Override
        public void write(MemorySegment memory, Long value) {
            memory.set(LONG, 0, value);
        }
    }

    private record Records<V>(RecordMapper<V> mapper) implements Values<V> {
        @Override
        public MemoryType type() {
            return mapper.type();
        }

        @Override
        public long byteSize() {
            return mapper.byteSize();
        }

        @Override
        public V read(MemorySegment memory, long byteOffset) {
            return mapper.get(memory, byteOffset);
        }

        @Override
        public void write(MemorySegment memory, V value) {
            mapper.set(memory, 0, value);
        }
    }
}
