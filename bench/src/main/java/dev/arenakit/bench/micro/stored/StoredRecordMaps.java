package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.stored.ChronicleStores;
import dev.arenakit.bench.candidate.stored.ImageStores;
import dev.arenakit.bench.candidate.stored.LmdbStores;
import dev.arenakit.bench.candidate.stored.MapDbStores;
import dev.arenakit.bench.candidate.stored.MemoryStores;
import dev.arenakit.bench.candidate.stored.RecordsByNumber;
import dev.arenakit.bench.candidate.stored.SqliteStores;
import dev.arenakit.bench.candidate.stored.StoreFactory;
import dev.arenakit.bench.candidate.stored.StoredLongMap;
import dev.arenakit.bench.candidate.stored.StoredRecordMap;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/// Measures maps from records of 16 bytes to records of 40 bytes that survive the end of the process, beside a map in
/// memory. Each operation creates its key; a look-up also creates the value.
@BenchmarkName(value = "stored record map", baseline = "ImageTree",
        measures = "Adds, updates or looks up a record of 16 bytes in a map to records of 40 bytes that survives the "
                + "end of the process.")
public class StoredRecordMaps extends StoredOperations<StoredLongMap> {
    /// The operation. A put has a new key.
    @Param({"put", "update", "hit", "miss"})
    public String operation = "";

    /// `ImageTree` in an image, whose keys are the bytes of the records.
    @Benchmark
    @CandidateName("ImageTree")
    public long imageTree() {
        return run(ImageStores::records);
    }

    /// `RecordMap` in slab arenas.
    @Benchmark
    @CandidateName("RecordMap in memory")
    public long recordMap() {
        return run(MemoryStores::records);
    }

    /// `ChronicleMap`, with marshallers for the records.
    @Benchmark
    @CandidateName("Chronicle Map")
    public long chronicle() {
        return run(ChronicleStores::records);
    }

    /// `HTreeMap` of MapDB, with serializers for the records.
    @Benchmark
    @CandidateName("MapDB")
    public long mapDb() {
        return run(MapDbStores::records);
    }

    /// A B+ tree of LMDB.
    @Benchmark
    @CandidateName("LMDB")
    public long lmdb() {
        return run(LmdbStores::records);
    }

    /// A table of SQLite with a column for each component.
    @Benchmark
    @CandidateName("SQLite")
    public long sqlite() {
        return run(SqliteStores::records);
    }

    private long run(StoreFactory<StoredRecordMap> candidate) {
        return run(operation, RecordsByNumber.factory(candidate));
    }
}
