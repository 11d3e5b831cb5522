package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.stored.StoredRecordMap.AccountKey;
import dev.arenakit.bench.candidate.stored.StoredRecordMap.Position;

/// A map from records to records that is used like a map from longs to longs: each number stands for a key or a value.
///
/// @param records the map
public record RecordsByNumber(StoredRecordMap records) implements StoredLongMap {
    /// {@return a factory of such maps}
    ///
    /// @param factory the factory of the maps from records to records
    public static StoreFactory<StoredLongMap> factory(StoreFactory<StoredRecordMap> factory) {
        return (directory, maxEntries) -> new RecordsByNumber(factory.open(directory, maxEntries));
    }

    @Override
    public long get(long key) {
        Position value = records.get(AccountKey.of(key));
        return value == null ? MISSING : value.quantity();
    }

    @Override
    public void put(long key, long value) {
        records.put(AccountKey.of(key), Position.of(value));
    }

    @Override
    public boolean remove(long key) {
        return records.remove(AccountKey.of(key));
    }

    @Override
    public long sum() {
        return records.sum();
    }

    @Override
    public void commit() {
        records.commit();
    }

    @Override
    public void close() {
        records.close();
    }
}
