package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of reading 8,192 big-endian longs.
///
/// The figure is for all longs, and the benchmark returns their sum. The accessors are constants, so the loop over them
/// is vectorised in either byte order; the loop that shifts bytes into place is not.
@BenchmarkName(value = "big-endian", baseline = "native order",
        measures = "Reads 8,192 big-endian longs and adds them up; the figure is for all of them.")
public class BigEndian extends MicroBenchmark {
    // An operation on each long: C2 does not vectorise a plain sum, at least not in native order.
    private static final long MASK = 0x5555_5555_5555_5555L;
    private static final int LONGS = 8192;
    private static final VarHandle NATIVE = JAVA_LONG.arrayElementVarHandle().withInvokeExactBehavior();

    private static final RecordMapper<Big> MAPPER = RecordMapper.of(Big.class);

    /// A struct of one long.
    record Big(@Order(Order.Endian.BIG_ENDIAN) long value) {}

    private final byte[] bytes = new byte[LONGS * Long.BYTES];
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment segment = arena.allocate(JAVA_LONG, LONGS);

    /// Fills the array and the segment with the same bytes.
    @Setup
    public void fill() {
        new Random(42).nextBytes(bytes); // Any seed works.
        MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, 0, bytes.length);
    }

    /// Frees the segment.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A segment in native order, for reference.
    @Benchmark
    @CandidateName("native order")
    public long nativeOrder() {
        long sum = 0;
        for (long i = 0; i < LONGS; i++) {
            sum += (long) NATIVE.get(segment, 0L, i) ^ MASK;
        }
        return sum;
    }

    /// A record with one component.
    @Benchmark
    @CandidateName("RecordMapper")
    public long mapper() {
        long sum = 0;
        for (long i = 0; i < LONGS; i++) {
            sum += MAPPER.getAtIndex(segment, i).value() ^ MASK;
        }
        return sum;
    }

}
