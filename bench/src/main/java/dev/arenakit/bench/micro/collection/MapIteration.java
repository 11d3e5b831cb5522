package dev.arenakit.bench.micro.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.LongLongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures a visit of all entries of a map from longs to longs. The figure is for the whole map.
@BenchmarkName(value = "long map iteration", baseline = "fastutil",
        measures = "Visits all entries of a map to numbers, and adds their keys and values.")
public class MapIteration extends MicroBenchmark {
    /// The number of entries.
    @Param({"1000", "1000000", "10000"})
    public int size;

    private final LongLongMap map = LongLongMap.owning(MallocArena::ofConfined);
    private final LongLongMap taggedMap = LongLongMap.tagged().owning(MallocArena::ofConfined);
    private final Long2LongOpenHashMap fastutilMap = new Long2LongOpenHashMap();

    /// Adds the entries.
    @Setup
    public void fill() {
        for (long key : new Random(1).longs(size).toArray()) {
            map.put(key, key >>> 1);
            taggedMap.put(key, key >>> 1);
            fastutilMap.put(key, key >>> 1);
        }
    }

    /// Releases the maps.
    @TearDown
    public void close() {
        map.close();
        taggedMap.close();
    }

    /// `Long2LongOpenHashMap` by its fast iterator.
    @Benchmark
    @CandidateName("fastutil")
    public long fastutil() {
        long sum = 0;
        for (var entries = fastutilMap.long2LongEntrySet().fastIterator(); entries.hasNext();) {
            var entry = entries.next();
            sum += entry.getLongKey() + entry.getLongValue();
        }
        return sum;
    }

    /// `LongLongMap.cursor()`.
    @Benchmark
    @CandidateName("cursor")
    public long cursor() {
        return sum(map);
    }

    /// The cursor of a map with tags.
    @Benchmark
    @CandidateName("cursor, tagged")
    public long taggedCursor() {
        return sum(taggedMap);
    }

    /// `LongLongMap.forEach`.
    @Benchmark
    @CandidateName("forEach")
    public long forEach() {
        long[] sum = {0};
        map.forEach((key, value) -> sum[0] += key + value);
        return sum[0];
    }

    private static long sum(LongLongMap visited) {
        long sum = 0;
        for (LongLongMap.Cursor cursor = visited.cursor(); cursor.moveNext();) {
            sum += cursor.key() + cursor.value();
        }
        return sum;
    }
}
