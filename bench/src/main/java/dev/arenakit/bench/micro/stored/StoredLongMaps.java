package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.stored.ChronicleStores;
import dev.arenakit.bench.candidate.stored.ImageStores;
import dev.arenakit.bench.candidate.stored.LmdbStores;
import dev.arenakit.bench.candidate.stored.MemoryStores;
import dev.arenakit.bench.candidate.stored.SqliteStores;
import dev.arenakit.bench.candidate.stored.StoreFactory;
import dev.arenakit.bench.candidate.stored.StoredLongMap;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/// Measures maps from longs to longs that survive the end of the process, beside a map in memory.
@BenchmarkName(value = "stored long map", baseline = "ImageLongMap",
        measures = "Adds, updates or looks up a random number in a map to numbers that survives the end of the "
                + "process.")
public class StoredLongMaps extends StoredOperations<StoredLongMap> {
    /// The operation. A put has a new key.
    @Param({"put", "update", "hit", "miss"})
    public String operation = "";

    /// `ImageLongMap` in an image.
    @Benchmark
    @CandidateName("ImageLongMap")
    public long imageLongMap() {
        return run(ImageStores::longs);
    }

    /// `LongLongMap` in slab arenas.
    @Benchmark
    @CandidateName("LongLongMap in memory")
    public long longLongMap() {
        return run(MemoryStores::longs);
    }

    /// `ChronicleMap`.
    @Benchmark
    @CandidateName("Chronicle Map")
    public long chronicle() {
        return run(ChronicleStores::longs);
    }

    /// A B+ tree of LMDB.
    @Benchmark
    @CandidateName("LMDB")
    public long lmdb() {
        return run(LmdbStores::longs);
    }

    /// A table of SQLite.
    @Benchmark
    @CandidateName("SQLite")
    public long sqlite() {
        return run(SqliteStores::longs);
    }

    private long run(StoreFactory<? extends StoredLongMap> candidate) {
        return run(operation, candidate);
    }
}
