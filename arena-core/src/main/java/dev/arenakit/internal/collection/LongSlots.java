package dev.arenakit.internal.collection;

/// The table of a map whose keys are longs. Its values are longs, or ints that are passed as longs.
///
/// If the table or its memory is closed, or an Error has interrupted a change, each operation that takes a key throws an
/// [IllegalStateException]. If an insertion fails because memory is exhausted, nothing has changed.
public sealed interface LongSlots extends AutoCloseable permits OrderedSlots, TaggedSlots {
    long ABSENT = -1;

    /// Returns the offset of the entry of a key, or ABSENT. An offset is valid until the next insertion or removal.
    long find(long key);

    long key(long at);

    long value(long at);

    void setValue(long at, long value);

    /// Returns the value of a key, or the given number.
    default long get(long key, long missing) {
        long at = find(key);
        return at == ABSENT ? missing : value(at);
    }

    /// Adds an entry if the key is missing.
    ///
    /// @return whether the key is new
    default boolean putIfAbsent(long key, long value) {
        return find(key) == ABSENT && put(key, value);
    }

    /// Adds an entry or replaces its value, unless an addition would need a larger table.
    ///
    /// @return whether the key has the value
    default boolean tryPut(long key, long value) {
        if (find(key) == ABSENT && isFull()) {
            return false;
        }
        put(key, value);
        return true;
    }

    /// Adds an entry or replaces its value, and returns the value before, or the given number.
    default long getAndPut(long key, long value, long missing) {
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
    long addTo(long key, long delta);

    /// Adds an entry, or replaces its value.
    ///
    /// @return whether the key is new
    boolean put(long key, long value);

    /// Returns whether a new key needs a larger table.
    boolean isFull();

    /// Removes an entry.
    ///
    /// @return whether the key was present
    default boolean remove(long key) {
        long at = find(key);
        if (at == ABSENT) {
            return false;
        }
        removeAt(at);
        return true;
    }

    /// Removes an entry, and returns its value, or the given number.
    default long getAndRemove(long key, long missing) {
        long at = find(key);
        if (at == ABSENT) {
            return missing;
        }
        long removed = value(at);
        removeAt(at);
        return removed;
    }

    /// Removes the entry at an offset. No entry before the offset moves, and no entry moves to an offset before it.
    void removeAt(long at);

    void clear();

    /// Moves to the smallest table for the present entries, if the memory of the present table can be released.
    void shrink();

    /// Returns the offset of the first entry at an offset or after it, or ABSENT. The first offset is 0.
    long next(long from);

    /// Returns the offset after the entry at an offset, for [#next].
    long after(long at);

    long size();

    long byteSize();

    /// Returns a number that differs after each operation that changes the set of keys.
    long changes();

    /// Checks that the table is not closed, that no change was interrupted, and that this thread has access.
    void checkOpen();

    @Override
    void close();
}
