package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.stored.ImageStores;
import dev.arenakit.bench.candidate.stored.LmdbStores;
import dev.arenakit.bench.candidate.stored.SqliteStores;
import dev.arenakit.bench.candidate.stored.StoreFactory;
import dev.arenakit.bench.candidate.stored.StoredTree;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/// Measures ordered maps from longs to longs that survive the end of the process, beside structures in memory.
@BenchmarkName(value = "stored tree", baseline = "ImageLongTree",
        measures = "Adds or looks up a random number in an ordered map to numbers that survives the end of the "
                + "process, or takes a step of a scan of 1,000 entries.")
public class StoredTrees extends StoredOperations<StoredTree> {
    /// The operation. A put has a new key. A step is a part of a scan.
    @Param({"put", "step", "hit"})
    public String operation = "";

    private final Random random = new Random(1);

    /// `ImageLongTree` in an image.
    @Benchmark
    @CandidateName("ImageLongTree")
    public long imageLongTree() {
        return run(ImageStores::tree);
    }

    /// `ImageLongTree` in an image that each commit forces to the disk.
    @Benchmark
    @CandidateName("ImageLongTree, forced")
    public long imageLongTreeForced() {
        return run(ImageStores::forcedTree);
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

    private long run(StoreFactory<? extends StoredTree> candidate) {
        // A scan from one of the largest keys ends early, which is less than a thousandth of a million scans.
        return operation.equals("step")
                ? store(operation, candidate).scan(random.nextLong(), OPERATIONS)
                : run(operation, candidate);
    }
}
