package dev.arenakit.internal.collection;

import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The table of a map whose keys are longs. Its values are longs, or ints that are passed as longs.
///
/// If the table or its memory is closed, or an Error has interrupted a change, each operation that takes a key throws an
/// [IllegalStateException]. If an insertion fails because memory is exhausted, nothing has changed.
public abstract sealed class LongSlots implements AutoCloseable permits OrderedSlots, TaggedSlots {
    public static final long ABSENT = -1;
    /// A table is rehashed at most once for a quarter as many changes as it has entries.
    static final long CHANGES_DIVISOR = 4;

    final TableMemory memory;
    private final String name;
    Table table = new Table();
    MemorySegment segment = table.segment;
    /// The factor of the hash codes.
    long hashFactor;
    /// The number of entries at which the table must grow.
    long maxSize;
    long size;
    long changes;
    /// The number of changes from which on the factor may change again, so that hostile keys cost a constant time each.
    long nextRehash;

    /// @param name the name of the structure's class
    LongSlots(TableMemory memory, String name, long expectedSize) {
        CollectionMessages.checkExpectedSize(expectedSize);
        this.memory = memory;
        this.name = name;
    }

    /// Returns the offset of the entry of a key, or ABSENT. An offset is valid until the next insertion or removal.
    public abstract long find(long key);

    public abstract long key(long at);

    public abstract long value(long at);

    public abstract void setValue(long at, long value);

    /// Returns the value of a key, or the given number.
    public long get(long key, long missing) {
        long at = find(key);
        return at == ABSENT ? missing : value(at);
    }

    /// Adds an entry if the key is missing.
    ///
    /// @return whether the key is new
    public boolean putIfAbsent(long key, long value) {
        return find(key) == ABSENT && put(key, value);
    }

    /// Adds an entry or replaces its value, unless an addition would need a larger table.
    ///
    /// @return whether the key has the value
    public boolean tryPut(long key, long value) {
        if (find(key) == ABSENT && isFull()) {
            return false;
        }
        put(key, value);
        return true;
    }

    /// Adds an entry or replaces its value, and returns the value before, or the given number.
    public long getAndPut(long key, long value, long missing) {
        long at = find(key);
        if (at == ABSENT) {
            put(key, value);
            return missing;
        }
        long replaced = value(at);
        setValue(at, value);
        return replaced;
    }

    /// Adds a number to the value of a key, or adds the key with the number. The sum is a long.
    public abstract long addTo(long key, long delta);

    /// Adds an entry, or replaces its value.
    ///
    /// @return whether the key is new
    public abstract boolean put(long key, long value);

    /// Returns whether a new key needs a larger table.
    public boolean isFull() {
        return size >= maxSize;
    }

    /// Removes an entry.
    ///
    /// @return whether the key was present
    public boolean remove(long key) {
        long at = find(key);
        if (at == ABSENT) {
            return false;
        }
        removeAt(at);
        return true;
    }

    /// Removes an entry, and returns its value, or the given number.
    public long getAndRemove(long key, long missing) {
        long at = find(key);
        if (at == ABSENT) {
            return missing;
        }
        long removed = value(at);
        removeAt(at);
        return removed;
    }

    /// Removes the entry at an offset. No entry before the offset moves, and no entry moves to an offset before it.
    public abstract void removeAt(long at);

    public abstract void clear();

    /// Moves to the smallest table for the present entries, if the memory of the present table can be released.
    public abstract void shrink();

    /// Returns the offset of the first entry at an offset or after it, or ABSENT. The first offset is 0.
    public abstract long next(long from);

    /// Returns the offset after the entry at an offset, for [#next].
    public abstract long after(long at);

    public long size() {
        checkOpen();
        return size;
    }

    public long byteSize() {
        checkOpen();
        return segment.byteSize();
    }

    /// Returns a number that differs after each operation that changes the set of keys.
    public long changes() {
        return changes;
    }

    /// Moves the entries to a table of the same size.
    abstract void resize(long newFactor);

    /// Distributes the entries by another factor. If memory is exhausted, the entries remain where they are.
    ///
    /// @param leastChanges the number of changes until the factor may change again
    void rehash(long newFactor, long leastChanges) {
        nextRehash = changes + leastChanges;
        try {
            resize(newFactor);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (hashFactor == newFactor) {
                throw e;
            }
        }
    }

    /// Whether a change has not ended, because an Error has interrupted it.
    abstract boolean isChanging();

    /// Checks that the table is not closed, that no change was interrupted, and that this thread has access.
    public void checkOpen() {
        if (isChanging()) {
            throw interrupted();
        }
        segment.get(JAVA_LONG_UNALIGNED, 0);
    }

    IllegalStateException interrupted() {
        return CollectionMessages.interrupted(name);
    }

    /// Makes every search access a closed segment.
    abstract void clearBounds();

    @Override
    public void close() {
        memory.checkThread();
        segment = TableMemory.CLOSED;
        clearBounds();
        maxSize = 0;
        size = 0;
        memory.close();
    }
}
