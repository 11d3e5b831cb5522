package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.tree.TreeCursor;
import dev.arenakit.mapped.internal.tree.TreeKey;
import dev.arenakit.mapped.internal.tree.TreeKeyForm;
import dev.arenakit.mapped.internal.tree.TreeReader;
import dev.arenakit.mapped.internal.tree.TreeStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// An ordered map in an image. It outlives its process, however the process ends, and after a failure of the machine it is
/// exactly what the last [InfiniteArena#force()] has written.
///
/// ```java
/// record Order(@Length(16) String customer, long amount) {}
///
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     ImageTree<String, Order> orders = arena.structures().tree("orders", String.class, Order.class); // or creates it
///     orders.put("2026-11-26/4711", new Order("Miller", 250));
///     orders.ascend("2026-11-26/", (key, order) -> key.startsWith("2026-11-26/") && print(order));
/// }
/// ```
///
/// | Class of the keys | Order | Stored as |
/// |---|---|---|
/// | `Long` | as numbers with a sign | 8 bytes |
/// | `String` | as the bytes, which is the order of code points | UTF-8, at most 512 bytes |
/// | `byte[]` | as unsigned bytes | at most 512 bytes |
/// | a record | by its components, in their order: numbers, booleans and enums as numbers, floating-point numbers as by [Double#compare], texts and arrays of fixed lengths as bytes and element by element, records by their components | its components without padding, at most 512 bytes |
///
/// Values are longs (`Long`), or records that a [RecordMapper] maps, with alignments of at most 8 bytes. An
/// [ImageLongTree] has longs as keys and values, and makes no garbage. A tree is opened with the classes that it was
/// created with. A tree from longs to longs can also be opened as an [ImageLongTree].
///
/// **Memory.** A page has 4,096 bytes, or more if four of the largest entries need more. An entry whose key is text or
/// bytes takes 8 bytes, the value, and the key. Key and value are rounded up to 8 bytes. Otherwise, memory, killed
/// processes, failures of the machine, threads, exhaustion and complexity are as described for [ImageLongTree]. Reading
/// an entry allocates its key and its value.
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

    /// Returns the value of a key.
    ///
    /// @param key     the key
    /// @param missing the result if the tree does not contain the key
    /// @return the value
    /// @throws IllegalArgumentException if the key is longer than 512 bytes, or has a surrogate without its pair; or if
    ///                                  the mapper cannot read the value
    /// @throws IllegalStateException    if the arena is closed, or the tree is damaged
    public V get(K key, V missing) {
        MemorySegment value = form.newValue();
        return reader.get(form.toKey(key), value) ? form.read.apply(value, 0L) : missing;
    }

    /// Returns whether the tree contains a key.
    ///
    /// @param key the key
    /// @return whether there is a value for it
    /// @throws IllegalArgumentException if the key is not as described for [#get]
    /// @throws IllegalStateException    if the arena is closed, or the tree is damaged
    public boolean containsKey(K key) {
        return reader.get(form.toKey(key), form.newValue());
    }

    /// Associates a value with a key.
    ///
    /// @param key   the key
    /// @param value the value
    /// @return whether the key was added; otherwise, its value was replaced
    /// @throws IllegalArgumentException                 if the key is not as described for [#get], or the mapper refuses
    ///                                                  the value; nothing has changed
    /// @throws IllegalStateException                    if the arena is closed, or the tree is damaged
    /// @throws UnsupportedOperationException            if the tree is read-only
    /// @throws DiskFullException                        if the memory must grow and the disk is full
    /// @throws dev.arenakit.CapacityExceededException if the memory must grow and its largest size, or the limit of a
    ///                                                  budget, is reached
    /// @throws java.io.UncheckedIOException             if the device fails
    public boolean put(K key, V value) {
        TreeStore changed = store();
        TreeKey stored = form.toKey(key);
        MemorySegment words = form.newValue();
        form.write.accept(words, value);
        return changed.change(stored, words);
    }

    /// Removes a key.
    ///
    /// Otherwise, this method behaves as [#put] does.
    ///
    /// @param key the key
    /// @return whether the tree contained the key
    public boolean remove(K key) {
        return store().change(form.toKey(key), null);
    }

    /// Removes all entries.
    ///
    /// @throws IllegalStateException         if the arena is closed, or the tree is damaged
    /// @throws UnsupportedOperationException if the tree is read-only
    /// @throws java.io.UncheckedIOException  if the device fails
    public void clear() {
        store().clear();
    }

    /// Returns the number of entries. While another process changes the tree, or after such a process was killed, the
    /// number can differ by one.
    ///
    /// @return the number of entries
    /// @throws IllegalStateException if the arena is closed
    public long size() {
        return reader.size();
    }

    /// {@return whether the tree has no entries}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// {@return the entry with the smallest key, or empty if the tree is empty}
    ///
    /// @throws IllegalStateException if the arena is closed, or the tree is damaged
    public Optional<Map.Entry<K, V>> first() {
        return entry(true, null, true);
    }

    /// {@return the entry with the largest key, or empty if the tree is empty}
    ///
    /// @throws IllegalStateException if the arena is closed, or the tree is damaged
    public Optional<Map.Entry<K, V>> last() {
        return entry(false, null, true);
    }

    /// Returns the entry with the largest key that is not larger than a key.
    ///
    /// @param key the key
    /// @return the entry, or empty if there is none
    /// @throws IllegalArgumentException if the key is not as described for [#get]
    /// @throws IllegalStateException    if the arena is closed, or the tree is damaged
    public Optional<Map.Entry<K, V>> floor(K key) {
        return entry(false, form.toKey(key), true);
    }

    /// Returns the entry with the largest key that is smaller than a key.
    ///
    /// @param key the key
    /// @return the entry, or empty if there is none
    /// @throws IllegalArgumentException if the key is not as described for [#get]
    /// @throws IllegalStateException    if the arena is closed, or the tree is damaged
    public Optional<Map.Entry<K, V>> lower(K key) {
        return entry(false, form.toKey(key), false);
    }

    /// Returns the entry with the smallest key that is not smaller than a key.
    ///
    /// @param key the key
    /// @return the entry, or empty if there is none
    /// @throws IllegalArgumentException if the key is not as described for [#get]
    /// @throws IllegalStateException    if the arena is closed, or the tree is damaged
    public Optional<Map.Entry<K, V>> ceiling(K key) {
        return entry(true, form.toKey(key), true);
    }

    /// Returns the entry with the smallest key that is larger than a key.
    ///
    /// @param key the key
    /// @return the entry, or empty if there is none
    /// @throws IllegalArgumentException if the key is not as described for [#get]
    /// @throws IllegalStateException    if the arena is closed, or the tree is damaged
    public Optional<Map.Entry<K, V>> higher(K key) {
        return entry(true, form.toKey(key), false);
    }

    /// Passes each entry to an action, in ascending order. The action may change the tree.
    ///
    /// @param action the action
    /// @throws IllegalStateException if the arena is closed, or the tree is damaged
    public void forEach(BiConsumer<? super K, ? super V> action) {
        Objects.requireNonNull(action, "action");
        scan(true, null, null, (key, value) -> {
            action.accept(key, value);
            return true;
        });
    }

    /// Passes the entries from a key on to an action, in ascending order, until the action returns false. The action may
    /// change the tree.
    ///
    /// @param least  the smallest key
    /// @param action the action
    /// @return false if the action has returned false
    /// @throws IllegalArgumentException if the key is not as described for [#get]
    /// @throws IllegalStateException    if the arena is closed, or the tree is damaged
    public boolean ascend(K least, BiPredicate<? super K, ? super V> action) {
        return scan(true, form.toKey(least), null, action);
    }

    /// Passes the entries of a range to an action, in ascending order, until the action returns false.
    ///
    /// Otherwise, this method behaves as [#ascend(Object, BiPredicate)] does.
    ///
    /// @param least  the smallest key of the range
    /// @param most   the largest key of the range
    /// @param action the action
    /// @return false if the action has returned false
    /// @throws IllegalArgumentException if a key is not as described for [#get]
    public boolean ascend(K least, K most, BiPredicate<? super K, ? super V> action) {
        return scan(true, form.toKey(least), form.toKey(most), action);
    }

    /// Passes the entries up to a key to an action, in descending order, until the action returns false.
    ///
    /// Otherwise, this method behaves as [#ascend(Object, BiPredicate)] does.
    ///
    /// @param most   the largest key
    /// @param action the action
    /// @return false if the action has returned false
    /// @throws IllegalArgumentException if the key is not as described for [#get]
    public boolean descend(K most, BiPredicate<? super K, ? super V> action) {
        return scan(false, form.toKey(most), null, action);
    }

    /// Passes the entries of a range to an action, in descending order, until the action returns false.
    ///
    /// Otherwise, this method behaves as [#ascend(Object, BiPredicate)] does.
    ///
    /// @param least  the smallest key of the range
    /// @param most   the largest key of the range
    /// @param action the action
    /// @return false if the action has returned false
    /// @throws IllegalArgumentException if a key is not as described for [#get]
    public boolean descend(K least, K most, BiPredicate<? super K, ? super V> action) {
        return scan(false, form.toKey(most), form.toKey(least), action);
    }

    /// Passes the entries from one key to another one to an action.
    ///
    /// @param from the first key, or null
    /// @param to   the last key, or null
    private boolean scan(boolean isAscending, @Nullable TreeKey from, @Nullable TreeKey to,
            BiPredicate<? super K, ? super V> action) {
        Objects.requireNonNull(action, "action");
        int sign = isAscending ? 1 : -1;
        TreeCursor cursor = takeCursor();
        boolean isFound = cursor.seek(isAscending, from, true);
        while (isFound && (to == null || sign * cursor.key().compareTo(to) <= 0)) {
            if (!action.test(key(cursor), value(cursor))) {
                return false;
            }
            isFound = cursor.step(isAscending);
        }
        idle.set(cursor);
        return true;
    }

    private K key(TreeCursor cursor) {
        return form.keys.ofKey().apply(cursor.key());
    }

    private V value(TreeCursor cursor) {
        return form.read.apply(cursor.contents(), cursor.value());
    }

    /// Returns a view of this tree that cannot change it.
    ///
    /// @return a read-only tree, which any number of threads may use while one thread changes this tree
    public ImageTree<K, V> asReadOnly() {
        return new ImageTree<>(form, reader);
    }

    /// Returns a read-only view of this tree that compares the check of each page that it reads, which costs some
    /// microsecond a page. Pages that were written since the last [InfiniteArena#force()] have no checks.
    ///
    /// @return a read-only tree whose methods throw an [IllegalStateException] instead of reading a damaged page
    public ImageTree<K, V> asChecked() {
        return new ImageTree<>(form, reader.checked());
    }

    private Optional<Map.Entry<K, V>> entry(boolean isAscending, @Nullable TreeKey key, boolean isInclusive) {
        TreeCursor cursor = takeCursor();
        Optional<Map.Entry<K, V>> entry = cursor.seek(isAscending, key, isInclusive)
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
        return StructureFormat.changing(store);
    }

    /// The classes of keys and values.
    ///
    /// @param values the type of the values
    /// @param read   reads a value at an offset
    /// @param write  writes a value at the beginning of a segment
    record Form<K, V>(TreeKeyForm<K> keys, MemoryType values, BiFunction<MemorySegment, Long, V> read,
            BiConsumer<MemorySegment, V> write) {
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

        @SuppressWarnings("unchecked") // The values of the class Long are longs.
        static <K, V> Form<K, V> of(TreeKeyForm<K> keys, Class<V> values) {
            return values == Long.class
                    ? (Form<K, V>) new Form<>(keys, ValueType.of(long.class, ByteOrder.LITTLE_ENDIAN),
                            (memory, at) -> memory.get(LONG, at), (memory, value) -> memory.set(LONG, 0, value))
                    : of(keys, RecordMapper.of(values));
        }

        static <K, V> Form<K, V> of(TreeKeyForm<K> keys, RecordMapper<V> values) {
            if (values.type().byteAlignment() > Long.BYTES) {
                throw new IllegalArgumentException("Values of a tree have too large an alignment: byteAlignment="
                        + values.type().byteAlignment() + ", largest=" + Long.BYTES);
            }
            return new Form<>(keys, values.type(), values::get, (memory, value) -> values.set(memory, 0, value));
        }

        StructType type() {
            return StructureKind.TREE.recordedType(keys.type(), values);
        }

        private TreeKey toKey(K key) {
            return keys.toKey().apply(Objects.requireNonNull(key, "key"));
        }

        private MemorySegment newValue() {
            return MemorySegment.ofArray(new long[(int) Math.ceilDiv(values.byteSize(), Long.BYTES)]);
        }
    }
}
