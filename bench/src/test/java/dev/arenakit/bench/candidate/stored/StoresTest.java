package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.peer.UnavailableException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

/// The stores give the answers of a `TreeMap`, also after they were closed and opened again.
@Tag("full")
class StoresTest {
    private static final int OPERATIONS = 1_000;
    private static final int KEYS = 100;
    private static final int SCANNED = 20;

    @TempDir
    Path directory;

    static Stream<Named<StoreFactory<? extends StoredLongMap>>> inFiles() {
        return Stream.of(named("ImageLongMap", ImageStores::longs), named("ImageLongTree", ImageStores::tree),
                named("ImageLongTree, forced", ImageStores::forcedTree),
                named("Chronicle Map", ChronicleStores::longs), named("LMDB", LmdbStores::longs),
                named("SQLite", SqliteStores::longs));
    }

    static Stream<Named<StoreFactory<? extends StoredLongMap>>> all() {
        return Stream.concat(inFiles(), Stream.of(named("LongLongMap", MemoryStores::longs)));
    }

    static Stream<Named<StoreFactory<StoredTree>>> trees() {
        return Stream.of(named("ImageLongTree", ImageStores::tree), named("LMDB", LmdbStores::longs),
                named("SQLite", SqliteStores::longs));
    }

    @ParameterizedTest
    @MethodSource("all")
    void store_afterRandomChanges_hasTheEntriesOfATreeMap(StoreFactory<? extends StoredLongMap> factory) {
        Map<Long, Long> model = new TreeMap<>();
        try (StoredLongMap store = open(factory)) {
            change(store, model, new Random(1));

            assertThat(entries(store)).isEqualTo(model);
            assertThat(store.sum()).isEqualTo(sum(model));
        }
    }

    @ParameterizedTest
    @MethodSource("inFiles")
    void store_thatIsOpenedAgain_hasTheSameEntries(StoreFactory<? extends StoredLongMap> factory) {
        Map<Long, Long> model = new TreeMap<>();
        Random random = new Random(2);
        for (int i = 0; i < 3; i++) {
            try (StoredLongMap store = open(factory)) {
                assertThat(entries(store)).isEqualTo(model);
                change(store, model, random);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("inFiles")
    void putAll_commitsTheEntries(StoreFactory<? extends StoredLongMap> factory) {
        long[] keys = LongStream.range(-KEYS, KEYS).toArray();
        try (StoredLongMap store = open(factory)) {
            store.putAll(keys, 0, KEYS);
        }
        try (StoredLongMap store = open(factory)) {
            assertThat(store.get(keys[0])).isEqualTo(keys[0] >>> 1);
            assertThat(store.get(keys[KEYS - 1])).isEqualTo(keys[KEYS - 1] >>> 1);
            assertThat(store.get(keys[KEYS])).isEqualTo(StoredLongMap.MISSING);
        }
    }

    @ParameterizedTest
    @MethodSource("trees")
    void scan_ofATree_visitsTheEntriesInOrder(StoreFactory<StoredTree> factory) {
        TreeMap<Long, Long> model = new TreeMap<>();
        try (StoredTree tree = open(factory)) {
            change(tree, model, new Random(3));

            for (long first : new long[]{Long.MIN_VALUE, -KEYS, -1, 0, 1, KEYS / 2, Long.MAX_VALUE}) {
                assertThat(tree.scan(first, SCANNED)).as("first=%d", first)
                        .isEqualTo(model.tailMap(first)
                                .values()
                                .stream()
                                .limit(SCANNED)
                                .mapToLong(Long::longValue)
                                .sum());
            }
        }
    }

    private <S extends AutoCloseable> S open(StoreFactory<S> factory) {
        try {
            return factory.open(directory, 2 * KEYS);
        } catch (UnavailableException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }

    private static void change(StoredLongMap store, Map<Long, Long> model, Random random) {
        for (int i = 0; i < OPERATIONS; i++) {
            long key = random.nextInt(-KEYS, KEYS);
            if (random.nextInt(3) == 0) {
                assertThat(store.remove(key)).isEqualTo(model.remove(key) != null);
            } else {
                store.put(key, i);
                model.put(key, (long) i);
            }
            if (random.nextInt(200) == 0) {
                store.commit();
            }
        }
        store.commit();
    }

    private static Map<Long, Long> entries(StoredLongMap store) {
        Map<Long, Long> entries = new TreeMap<>();
        for (long key = -KEYS; key < KEYS; key++) {
            long value = store.get(key);
            if (value != StoredLongMap.MISSING) {
                entries.put(key, value);
            }
        }
        return entries;
    }

    private static long sum(Map<Long, Long> model) {
        return model.values().stream().mapToLong(Long::longValue).sum();
    }
}
