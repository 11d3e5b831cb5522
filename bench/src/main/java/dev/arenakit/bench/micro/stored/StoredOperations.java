package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.candidate.stored.StoreDirectory;
import dev.arenakit.bench.candidate.stored.StoreFactory;
import dev.arenakit.bench.candidate.stored.StoredLongMap;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Operations on a store with random keys. The figure is for one operation.
///
/// New keys are added to a store with half of its entries, until it has all of them. Then a new store replaces it,
/// outside of the measurement.
@OperationsPerInvocation(StoredOperations.OPERATIONS)
public abstract class StoredOperations<S extends StoredLongMap> extends StoredBenchmark {
    static final int OPERATIONS = 1_000;

    private static final int KEYS = 1;
    private static final int ORDER = 2;
    private static final int MISSES = 3;

    /// The number of entries.
    // A multiple of 2,000. The tests run the first one and the last one.
    @Param({"2000", "1000000", "10000"})
    public int size;

    /// The number of puts between two commits.
    @Param({"1", "1000"})
    public int commit;

    private @Nullable StoreDirectory directory;
    private @Nullable StoreFactory<? extends S> factory;
    private @Nullable S store;
    private boolean isGrowing;
    private long[] keys = {};
    private long[] used = {};
    private int next;

    /// Starts again when all keys were used.
    @Setup(Level.Invocation)
    public void exchange() {
        if (store != null && next == used.length) {
            next = 0;
            if (isGrowing) {
                SetupTime.run(this::replace);
            }
        }
    }

    private void replace() {
        Objects.requireNonNull(store).close();
        Objects.requireNonNull(directory).clear();
        store = open();
    }

    private S open() {
        S opened = Objects.requireNonNull(factory).open(Objects.requireNonNull(directory).path(), size);
        opened.putAll(keys, 0, isGrowing ? size / 2 : size);
        return opened;
    }

    /// Closes the store, and deletes its files.
    @TearDown
    public void delete() {
        if (store != null) {
            store.close();
            Objects.requireNonNull(directory).close();
        }
    }

    /// Returns the store. The first invocation creates it, when the candidate is known.
    final S store(String operation, StoreFactory<? extends S> candidate) {
        if (store == null) {
            factory = candidate;
            directory = StoreDirectory.create(files);
            keys = new Random(KEYS).longs(size).toArray();
            isGrowing = operation.equals("put");
            used = switch (operation) {
                case "put" -> Arrays.copyOfRange(keys, size / 2, size);
                case "miss" -> new Random(MISSES).longs(size).toArray();
                default -> shuffled(keys);
            };
            store = open();
        }
        return store;
    }

    private static long[] shuffled(long[] keys) {
        long[] order = keys.clone();
        Random random = new Random(ORDER);
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            long key = order[i];
            order[i] = order[other];
            order[other] = key;
        }
        return order;
    }

    /// Performs 1,000 operations.
    ///
    /// @param operation `put` for new keys, `update`, `hit`, or `miss`
    final long run(String operation, StoreFactory<? extends S> candidate) {
        S map = store(operation, candidate);
        int from = next;
        next += OPERATIONS;
        return operation.equals("hit") || operation.equals("miss") ? get(map, from, next) : put(map, from, next);
    }

    private long get(S map, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += map.get(used[i]);
        }
        return sum;
    }

    private long put(S map, int from, int to) {
        for (int first = from; first < to; first += commit) {
            for (int i = first; i < first + commit; i++) {
                map.put(used[i], i);
            }
            map.commit();
        }
        return to;
    }
}
