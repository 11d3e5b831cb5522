package dev.arenakit.bench.micro.collection;

import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// Keys of 21 bytes in random order. They follow each other in an array, as in a text that is parsed.
@State(Scope.Thread)
public class BytesKeys {
    static final int KEY = 21;
    /// The number of keys of one invocation.
    static final int BATCH = 1000;
    static final String HIT = "get, present";
    static final String MISS = "get, absent";
    static final String COUNT = "count";

    /// The operation on each key.
    @Param({HIT, MISS, COUNT})
    public String operation = HIT;

    /// The number of keys.
    // The tests run the first one and the last one.
    @Param({"1000", "1000000", "10000"})
    public int size;

    byte[] present = {};
    byte[] queried = {};
    private int at;

    /// Creates the keys.
    @Setup
    public void create() {
        SplittableRandom random = new SplittableRandom(42);
        present = keys(random);
        queried = operation.equals(MISS) ? keys(random) : shuffled(random);
    }

    boolean isCount() {
        return operation.equals(COUNT);
    }

    /// Returns the offset of the first key of the next batch.
    int nextBatch() {
        int from = at;
        at = from + BATCH * KEY == queried.length ? 0 : from + BATCH * KEY;
        return from;
    }

    private byte[] keys(SplittableRandom random) {
        byte[] keys = new byte[size * KEY];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (byte) ('a' + random.nextInt(26));
        }
        return keys;
    }

    private byte[] shuffled(SplittableRandom random) {
        byte[] keys = present.clone();
        byte[] swap = new byte[KEY];
        for (int i = size - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            System.arraycopy(keys, i * KEY, swap, 0, KEY);
            System.arraycopy(keys, j * KEY, keys, i * KEY, KEY);
            System.arraycopy(swap, 0, keys, j * KEY, KEY);
        }
        return keys;
    }
}
