package dev.arenakit.bench.micro.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.LongList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures a sort of random longs. They are copied into the list first.
@BenchmarkName(value = "long sort", baseline = "fastutil",
        measures = "Copies random longs into a list, and sorts them.")
public class LongSort extends MicroBenchmark {
    /// The number of values.
    @Param({"1000", "1000000", "10000"})
    public int size;

    private final LongList list = LongList.owning(MallocArena::ofConfined);
    private final LongArrayList fastutilList = new LongArrayList();
    private long[] values = {};

    /// Creates the values.
    @Setup
    public void prepare() {
        values = new Random(1).longs(size).toArray();
    }

    /// Releases the list.
    @TearDown
    public void close() {
        list.close();
    }

    /// `LongArrayList.sort(null)`.
    @Benchmark
    @CandidateName("fastutil")
    public long fastutil() {
        fastutilList.clear();
        fastutilList.addElements(0, values);
        fastutilList.sort(null);
        return fastutilList.getLong(size / 2);
    }

    /// The list of this library.
    @Benchmark
    @CandidateName("LongList")
    public long longList() {
        list.truncate(0);
        list.addAll(values);
        list.sort();
        return list.get(size / 2);
    }

    /// `Arrays.sort` of an array.
    @Benchmark
    @CandidateName("Arrays.sort")
    public long array() {
        long[] copy = values.clone();
        Arrays.sort(copy);
        return copy[size / 2];
    }
}
