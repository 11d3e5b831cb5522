package dev.arenakit.bench.micro;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.RecordMap;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures maps from records to records: for a random key, a number is added to a field of the value.
@BenchmarkName(value = "record to record", baseline = "HashMap",
        measures = "Adds to one number of the value of a random key, where keys and values are records.")
@OperationsPerInvocation(RecordMaps.BATCH)
public class RecordMaps extends MicroBenchmark {
    static final int BATCH = 1000;

    private static final RecordMapper<Key> KEYS = RecordMapper.of(Key.class);
    private static final RecordMapper<Position> POSITIONS = RecordMapper.of(Position.class);
    private static final LongField QUANTITY = POSITIONS.longField("quantity");

    /// The number of keys.
    // The tests run the first one and the last one.
    @Param({"1000", "1000000", "10000"})
    public int size;

    private final SplittableRandom random = new SplittableRandom(42);
    private final Map<Key, Position> objects = new HashMap<>();
    private final RecordMap<Key, Position> structs = RecordMap.owning(MallocArena::ofConfined, KEYS, POSITIONS);

    /// Adds the keys to both maps.
    @Setup
    public void fill() {
        for (int i = 0; i < size; i++) {
            objects.put(new Key(i & 7, i), new Position(i, 1.5));
            structs.put(new Key(i & 7, i), new Position(i, 1.5));
        }
    }

    /// Frees the memory.
    @TearDown
    public void close() {
        structs.close();
    }

    /// A `HashMap`, with a new record for each change.
    @Benchmark
    @CandidateName("HashMap")
    public long hashMap() {
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            int number = random.nextInt(size);
            Key key = new Key(number & 7, number);
            sum += objects.computeIfPresent(key, (_, p) -> new Position(p.quantity + 1, p.price)).quantity;
        }
        return sum;
    }

    /// A `RecordMap`, whose value is changed in place.
    @Benchmark
    @CandidateName("RecordMap")
    public long recordMap() {
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            int number = random.nextInt(size);
            sum += structs.addTo(QUANTITY, new Key(number & 7, number), 1);
        }
        return sum;
    }

    /// A key.
    record Key(int venue, long account) {}

    /// A value.
    record Position(long quantity, double price) {}
}
