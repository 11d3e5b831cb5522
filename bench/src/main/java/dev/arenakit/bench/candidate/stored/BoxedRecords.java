package dev.arenakit.bench.candidate.stored;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A map from records to records whose library offers it as a [Map].
///
/// @param map        the map
/// @param committing makes the changes last
/// @param closing    closes the store
record BoxedRecords(Map<AccountKey, Position> map, Runnable committing, Runnable closing) implements StoredRecordMap {
    @Override
    public @Nullable Position get(AccountKey key) {
        return map.get(key);
    }

    @Override
    public void put(AccountKey key, Position value) {
        map.put(key, value);
    }

    @Override
    public boolean remove(AccountKey key) {
        return map.remove(key) != null;
    }

    @Override
    public long sum() {
        long sum = 0;
        for (Position value : map.values()) {
            sum += value.quantity();
        }
        return sum;
    }

    @Override
    public void commit() {
        committing.run();
    }

    @Override
    public void close() {
        closing.run();
    }
}
