package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.candidate.stored.ChronicleStores;
import dev.arenakit.bench.candidate.stored.ImageStores;
import dev.arenakit.bench.candidate.stored.LmdbStores;
import dev.arenakit.bench.candidate.stored.SqliteStores;
import dev.arenakit.bench.candidate.stored.StoreDirectory;
import dev.arenakit.bench.candidate.stored.StoreFactory;
import dev.arenakit.bench.candidate.stored.StoredLongMap;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// Measures opening a store that was closed cleanly, and one look-up.
///
/// Each iteration opens the store once. The first one also creates it, when the candidate is known, and belongs to the
/// warm-up.
@BenchmarkName(value = "opening of a store", baseline = "ImageLongMap",
        measures = "Opens a map from numbers to numbers that was closed cleanly, and looks one number up.")
@BenchmarkMode(Mode.SingleShotTime)
public class StoredOpening extends StoredBenchmark {
    /// The number of entries. The keys are successive numbers, which trees add fast.
    // The tests run the first one and the last one.
    @Param({"2000", "1000000", "10000000", "10000"})
    public int size;

    private @Nullable StoreDirectory directory;
    private @Nullable StoredLongMap store;

    /// Closes the store, outside of the measurement.
    @TearDown(Level.Invocation)
    public void close() {
        SetupTime.run(() -> Objects.requireNonNull(store).close());
    }

    /// Deletes the files.
    @TearDown
    public void delete() {
        if (directory != null) {
            directory.close();
        }
    }

    /// `ImageLongMap` in an image.
    @Benchmark
    @CandidateName("ImageLongMap")
    public long imageLongMap() {
        return run(ImageStores::longs);
    }

    /// `ImageLongTree` in an image.
    @Benchmark
    @CandidateName("ImageLongTree")
    public long imageLongTree() {
        return run(ImageStores::tree);
    }

    /// A table of SQLite.
    @Benchmark
    @CandidateName("SQLite")
    public long sqlite() {
        return run(SqliteStores::longs);
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

    private long run(StoreFactory<? extends StoredLongMap> candidate) {
        if (directory == null) {
            directory = StoreDirectory.create(files);
            try (StoredLongMap created = candidate.open(directory.path(), size)) {
                created.putAll(LongStream.range(0, size).toArray(), 0, size);
            }
        }
        StoredLongMap opened = candidate.open(directory.path(), size);
        store = opened;
        return opened.get(size / 2);
    }
}
