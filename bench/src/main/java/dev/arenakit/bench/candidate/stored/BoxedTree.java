package dev.arenakit.bench.candidate.stored;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;

/// An ordered map from longs to longs whose library offers it as a [NavigableMap].
final class BoxedTree extends BoxedLongs implements StoredTree {
    private final NavigableMap<Long, Long> map;

    BoxedTree(NavigableMap<Long, Long> map, Runnable committing, Runnable closing) {
        super(map, committing, closing);
        this.map = map;
    }

    @Override
    public long scan(long first, int limit) {
        long sum = 0;
        Iterator<Map.Entry<Long, Long>> entries = map.tailMap(first, true).entrySet().iterator();
        for (int i = 0; i < limit && entries.hasNext(); i++) {
            sum += entries.next().getValue();
        }
        return sum;
    }
}
