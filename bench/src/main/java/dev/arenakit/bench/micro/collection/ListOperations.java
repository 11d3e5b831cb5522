package dev.arenakit.bench.micro.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.IntList;
import dev.arenakit.collection.LongList;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures lists of longs and ints. Values are added one by one to a list with enough room, read in random order, or
/// visited in order. The figure is for the whole list.
@BenchmarkName(value = "list", baseline = "fastutil, long",
        measures = "Adds numbers to a list, reads them in random order, or visits them.")
public class ListOperations extends MicroBenchmark {
    /// The operation.
    @Param({"add", "get", "iterate"})
    public String operation = "";

    /// The number of values.
    @Param({"1000", "1000000", "10000"})
    public int size;

    private final LongList longs = LongList.owning(MallocArena::ofConfined);
    private final IntList ints = IntList.owning(MallocArena::ofConfined);
    private final LongArrayList fastutilLongs = new LongArrayList();
    private final IntArrayList fastutilInts = new IntArrayList();
    private int[] indexes = {};

    /// Fills the lists.
    @Setup
    public void fill() {
        indexes = new Random(1).ints(size, 0, size).toArray();
        for (int index : indexes) {
            longs.add(index);
            ints.add(index);
            fastutilLongs.add(index);
            fastutilInts.add(index);
        }
    }

    /// Releases the lists.
    @TearDown
    public void close() {
        longs.close();
        ints.close();
    }

    /// `LongArrayList`.
    @Benchmark
    @CandidateName("fastutil, long")
    public long fastutilLong() {
        long sum = 0;
        switch (operation) {
            case "add" -> {
                fastutilLongs.clear();
                for (int index : indexes) {
                    fastutilLongs.add(index);
                }
                sum = fastutilLongs.size();
            }
            case "get" -> {
                for (int index : indexes) {
                    sum += fastutilLongs.getLong(index);
                }
            }
            default -> {
                for (int i = 0; i < fastutilLongs.size(); i++) {
                    sum += fastutilLongs.getLong(i);
                }
            }
        }
        return sum;
    }

    /// `LongList`.
    @Benchmark
    @CandidateName("LongList")
    public long longList() {
        long sum = 0;
        switch (operation) {
            case "add" -> {
                longs.truncate(0);
                for (int index : indexes) {
                    longs.add(index);
                }
                sum = longs.size();
            }
            case "get" -> {
                for (int index : indexes) {
                    sum += longs.get(index);
                }
            }
            default -> {
                for (long i = 0; i < longs.size(); i++) {
                    sum += longs.get(i);
                }
            }
        }
        return sum;
    }

    /// `IntArrayList`.
    @Benchmark
    @CandidateName("fastutil, int")
    public long fastutilInt() {
        long sum = 0;
        switch (operation) {
            case "add" -> {
                fastutilInts.clear();
                for (int index : indexes) {
                    fastutilInts.add(index);
                }
                sum = fastutilInts.size();
            }
            case "get" -> {
                for (int index : indexes) {
                    sum += fastutilInts.getInt(index);
                }
            }
            default -> {
                for (int i = 0; i < fastutilInts.size(); i++) {
                    sum += fastutilInts.getInt(i);
                }
            }
        }
        return sum;
    }

    /// `IntList`.
    @Benchmark
    @CandidateName("IntList")
    public long intList() {
        long sum = 0;
        switch (operation) {
            case "add" -> {
                ints.truncate(0);
                for (int index : indexes) {
                    ints.add(index);
                }
                sum = ints.size();
            }
            case "get" -> {
                for (int index : indexes) {
                    sum += ints.get(index);
                }
            }
            default -> {
                for (long i = 0; i < ints.size(); i++) {
                    sum += ints.get(i);
                }
            }
        }
        return sum;
    }
}
