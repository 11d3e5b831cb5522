package dev.arenakit.bench.micro.collection;

import dev.arenakit.bench.candidate.peer.LongMapPeer;
import dev.arenakit.bench.candidate.peer.LongMapPeers;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// Measures maps from longs to longs with random keys: a search for a key that is present or missing, an addition to a
/// value, and an insertion into a map that grows from its default size.
///
/// The figure is for one operation. Keys are not searched in the order in which they were added.
@BenchmarkName(value = "long map", baseline = "fastutil",
        measures = "Looks random numbers up in a map to numbers, updates them, or adds them to a map that grows.")
@OperationsPerInvocation(LongMaps.OPERATIONS)
public class LongMaps extends MicroBenchmark {
    static final int OPERATIONS = 1_000;

    /// The operation.
    @Param({"hit", "miss", "update", "fill"})
    public String operation = "";

    /// The number of entries, a multiple of 1,000. The tests run the first value and the last value.
    @Param({"1000", "1000000", "10000"})
    public int size;

    private @Nullable LongMapPeers kind;
    private @Nullable LongMapPeer map;
    private long[] keys = {};
    private int next;

    /// Closes the map.
    @TearDown
    public void close() {
        if (map != null) {
            map.close();
        }
    }

    /// `Long2LongOpenHashMap`.
    @Benchmark
    @CandidateName("fastutil")
    public long fastutil() {
        return run(LongMapPeers.FASTUTIL);
    }

    /// The ordered table of this library.
    @Benchmark
    @CandidateName("LongLongMap")
    public long longLongMap() {
        return run(LongMapPeers.LONG_LONG_MAP);
    }

    /// The table with tags of this library.
    @Benchmark
    @CandidateName("LongLongMap.tagged()")
    public long tagged() {
        return run(LongMapPeers.TAGGED);
    }

    /// The map of the JDK.
    @Benchmark
    @CandidateName("HashMap")
    public long hashMap() {
        return run(LongMapPeers.HASH_MAP);
    }

    private long run(LongMapPeers peer) {
        LongMapPeer peerMap = map == null ? prepare(peer) : map;
        int from = next;
        int to = from + OPERATIONS;
        next = to == keys.length ? 0 : to;
        return switch (operation) {
            case "hit", "miss" -> get(peerMap, from, to);
            case "update" -> update(peerMap, from, to);
            default -> fill(peerMap, from, to);
        };
    }

    private long get(LongMapPeer peerMap, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += peerMap.get(keys[i]);
        }
        return sum;
    }

    private long update(LongMapPeer peerMap, int from, int to) {
        for (int i = from; i < to; i++) {
            peerMap.addTo(keys[i], i);
        }
        return to;
    }

    private long fill(LongMapPeer full, int from, int to) {
        LongMapPeer peerMap = full;
        if (from == 0 && kind != null) {
            full.close();
            peerMap = kind.open(size);
            map = peerMap;
        }
        for (int i = from; i < to; i++) {
            peerMap.put(keys[i], i);
        }
        return to;
    }

    /// Creates the map in the first invocation, when the candidate is known.
    private LongMapPeer prepare(LongMapPeers peer) {
        LongMapPeer created = peer.open(size);
        long[] added = new Random(1).longs(size).toArray();
        for (long key : added) {
            created.put(key, key >>> 1);
        }
        List<Long> order = new ArrayList<>(LongStream.of(added).boxed().toList());
        Collections.shuffle(order, new Random(2));
        keys = operation.equals("miss")
                ? new Random(3).longs(size).toArray()
                : order.stream().mapToLong(Long::longValue).toArray();
        kind = peer;
        map = created;
        return created;
    }
}
