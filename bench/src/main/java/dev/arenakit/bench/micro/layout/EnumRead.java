package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of reading a record with a constant of an enum. Each of the 2,048 structs has a random one of four
/// constants.
///
/// The figure is for one record.
@BenchmarkName(value = "enum read", baseline = "switch",
        measures = "Reads a record with a constant of an enum from one of 2,048 structs.")
@OperationsPerInvocation(EnumRead.COUNT)
public class EnumRead extends MicroBenchmark {
    static final int COUNT = 2048;
    private static final RecordMapper<Close> CLOSE = RecordMapper.of(Close.class);
    private static final VarHandle SIDE = CLOSE.field("side").varHandle();

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment close = CLOSE.allocate(arena, COUNT);

    /// Writes the records.
    @Setup
    public void prepare() {
        Random random = new Random(1);
        for (int i = 0; i < COUNT; i++) {
            CLOSE.setAtIndex(close, i, new Close(i, Side.values()[random.nextInt(4)]));
        }
    }

    /// Frees the memory.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A VarHandle in a `static final` field and a switch.
    @Benchmark
    @CandidateName("switch")
    public long bySwitch() {
        long sum = 0;
        for (long i = 0; i < COUNT; i++) {
            Side side = switch ((int) SIDE.get(close, i * CLOSE.byteSize())) {
                case 10 -> Side.BUY;
                case 20 -> Side.SELL;
                case 40 -> Side.SHORT;
                case 80 -> Side.CROSS;
                default -> throw new IllegalArgumentException("" + i);
            };
            sum += side.weight();
        }
        return sum;
    }

    /// A record whose constants have numbers that are close to each other, with gaps.
    @Benchmark
    @CandidateName("RecordMapper, close numbers")
    public long closeNumbers() {
        long sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += CLOSE.getAtIndex(close, i).side().weight();
        }
        return sum;
    }

    private enum Side {
        @Value(10)
        BUY(1), @Value(20)
        SELL(2), @Value(40)
        SHORT(3), @Value(80)
        CROSS(4);

        private final int weight;

        Side(int weight) {
            this.weight = weight;
        }

        int weight() {
            return weight;
        }
    }

    private record Close(int id, Side side) {}

}
