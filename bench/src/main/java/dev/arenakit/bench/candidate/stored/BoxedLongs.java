package dev.arenakit.bench.candidate.stored;

import java.util.Map;

/// A map from longs to longs whose library offers it as a [Map].
class BoxedLongs implements StoredLongMap {
    private final Map<Long, Long> map;
    private final Runnable committing;
    private final Runnable closing;

    BoxedLongs(Map<Long, Long> map, Runnable committing, Runnable closing) {
        this.map = map;
        this.committing = committing;
        this.closing = closing;
    }

    static long sum(Iterable<Long> values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public long get(long key) {
        Long value = map.get(key);
        return value == null ? MISSING : value;
    }

    @Override
    public void put(long key, long value) {
        map.put(key, value);
    }

    @Override
    public boolean remove(long key) {
        return map.remove(key) != null;
    }

    @Override
    public long sum() {
        return sum(map.values());
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
