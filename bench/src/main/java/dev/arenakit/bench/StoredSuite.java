package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.StoreDirectory;
import dev.arenakit.bench.micro.stored.StoredLongMaps;
import dev.arenakit.bench.micro.stored.StoredOpening;
import dev.arenakit.bench.micro.stored.StoredRecordMaps;
import dev.arenakit.bench.micro.stored.StoredTrees;
import java.time.Duration;
import java.util.List;

/// The suite that measures structures which survive the end of the process.
///
/// Look-ups are measured on a tmpfs alone, since they read the page cache in any case.
final class StoredSuite {
    private static final String[] FILES = {StoreDirectory.TMPFS, StoreDirectory.DISK};
    private static final String[] LONGS = {"imageLongMap", "longLongMap", "chronicle", "mapDb", "lmdb", "sqlite"};
    private static final String[] RECORDS = {"imageTree", "recordMap", "chronicle", "mapDb", "lmdb", "sqlite"};
    private static final String[] STORED_TREES = {"imageLongTree", "imageLongTreeForced", "treeMap", "mapDb", "lmdb",
            "sqlite"};
    private static final String[] TREES = {"imageLongTree", "treeMap", "sortedArray", "mapDb", "lmdb", "sqlite"};
    private static final String MILLION = "1000000";
    private static final String[] EACH = {"1"};
    private static final String[] EACH_OR_MANY = {"1", "1000"};

    static final Suite SUITE = new Suite("stored", "Structures that survive the end of the process", 3,
            new Iterations(3, Duration.ofMillis(500)),
            new Iterations(6, Duration.ofMillis(300)),
            Suites.cells(
                    changes(StoredLongMaps.class, "put", EACH_OR_MANY).methods(LONGS),
                    changes(StoredLongMaps.class, "update", EACH).methods(LONGS),
                    reads(StoredLongMaps.class, "hit", "miss").methods(LONGS),
                    changes(StoredRecordMaps.class, "put", EACH).methods(RECORDS),
                    changes(StoredRecordMaps.class, "update", EACH).methods(RECORDS),
                    reads(StoredRecordMaps.class, "hit", "miss").methods(RECORDS),
                    changes(StoredTrees.class, "put", EACH_OR_MANY).methods(STORED_TREES),
                    reads(StoredTrees.class, "hit", "step").methods(TREES),
                    CellGrid.of(StoredOpening.class)
                            .with("size", MILLION)
                            .with("files", FILES)
                            .methods("imageLongMap", "imageLongTree", "sqlite", "chronicle", "mapDb", "lmdb"),
                    // MapDB takes several minutes to add 10 million entries.
                    CellGrid.of(StoredOpening.class)
                            .with("size", "10000000")
                            .with("files", StoreDirectory.TMPFS)
                            .methods("imageLongMap", "imageLongTree", "sqlite", "chronicle", "lmdb")),
            List.of());

    private StoredSuite() {}

    private static CellGrid changes(Class<?> benchmarkClass, String operation, String... commit) {
        return CellGrid.of(benchmarkClass)
                .with("operation", operation)
                .with("size", MILLION)
                .with("commit", commit)
                .with("files", FILES);
    }

    private static CellGrid reads(Class<?> benchmarkClass, String... operations) {
        return CellGrid.of(benchmarkClass)
                .with("operation", operations)
                .with("size", MILLION)
                .with("commit", "1")
                .with("files", StoreDirectory.TMPFS);
    }
}
