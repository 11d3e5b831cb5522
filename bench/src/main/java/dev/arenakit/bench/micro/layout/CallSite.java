package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.RecordMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of a record where one call site serves mappers of several types, so that each call is dispatched
/// at run time.
///
/// The figure is for reading one record of 2,048. C2 inlines up to two types that it has seen at a call site.
@BenchmarkName(value = "call site", baseline = "VarHandles",
        measures = "Reads a record where one call site serves mappers of several types.")
@OperationsPerInvocation(CallSite.COUNT)
public class CallSite extends MicroBenchmark {
    static final int COUNT = 2048;
    private static final long LARGEST = 32;
    private static final List<Reader> READERS = List.of(new OnesReader(), new TwosReader(), new ThreesReader(),
            new FoursReader());

    /// The number of types of mappers that the call site serves in turn.
    @Param({"1", "2", "4"})
    public int types;

    private final List<RecordMapper<? extends Summable>> mappers = List.of(RecordMapper.of(One.class),
            RecordMapper.of(Two.class), RecordMapper.of(Three.class), RecordMapper.of(Four.class));
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment segment = arena.allocate(COUNT * LARGEST, LARGEST);

    /// Frees the memory.
    @TearDown
    public void close() {
        arena.close();
    }

    /// Records of alternating types.
    @Benchmark
    @CandidateName("records")
    public long records() {
        long sum = 0;
        for (int i = 0; i < types; i++) {
            sum += sum(mappers.get(i), segment, COUNT / types);
        }
        return sum;
    }

    /// The same records, read by hand through VarHandles.
    @Benchmark
    @CandidateName("VarHandles")
    public long handles() {
        long sum = 0;
        for (int i = 0; i < types; i++) {
            sum += sum(READERS.get(i), segment, COUNT / types);
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private static long sum(Reader reader, MemorySegment segment, int count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += reader.getAtIndex(segment, i).sum();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private static long sum(RecordMapper<? extends Summable> mapper, MemorySegment segment, int count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.getAtIndex(segment, i).sum();
        }
        return sum;
    }

    private static VarHandle handle(RecordMapper<?> mapper, String field) {
        return mapper.layout().arrayElementVarHandle(PathElement.groupElement(field)).withInvokeExactBehavior();
    }

    /// Reads records of one type.
    private interface Reader {
        Summable getAtIndex(MemorySegment segment, long index);
    }

    /// Reads the first type.
    private static final class OnesReader implements Reader {
        private static final VarHandle X = handle(RecordMapper.of(One.class), "x");
        private static final VarHandle Y = handle(RecordMapper.of(One.class), "y");

        @Override
        public One getAtIndex(MemorySegment segment, long index) {
            return new One((long) X.get(segment, 0L, index), (long) Y.get(segment, 0L, index));
        }
    }

    /// Reads the second type.
    private static final class TwosReader implements Reader {
        private static final VarHandle X = handle(RecordMapper.of(Two.class), "x");
        private static final VarHandle Y = handle(RecordMapper.of(Two.class), "y");

        @Override
        public Two getAtIndex(MemorySegment segment, long index) {
            return new Two((int) X.get(segment, 0L, index), (long) Y.get(segment, 0L, index));
        }
    }

    /// Reads the third type.
    private static final class ThreesReader implements Reader {
        private static final VarHandle X = handle(RecordMapper.of(Three.class), "x");
        private static final VarHandle Y = handle(RecordMapper.of(Three.class), "y");
        private static final VarHandle Z = handle(RecordMapper.of(Three.class), "z");
        private static final VarHandle W = handle(RecordMapper.of(Three.class), "w");

        @Override
        public Three getAtIndex(MemorySegment segment, long index) {
            return new Three((long) X.get(segment, 0L, index), (long) Y.get(segment, 0L, index),
                    (int) Z.get(segment, 0L, index), (long) W.get(segment, 0L, index));
        }
    }

    /// Reads the fourth type.
    private static final class FoursReader implements Reader {
        private static final VarHandle X = handle(RecordMapper.of(Four.class), "x");
        private static final VarHandle Y = handle(RecordMapper.of(Four.class), "y");
        private static final VarHandle Z = handle(RecordMapper.of(Four.class), "z");

        @Override
        public Four getAtIndex(MemorySegment segment, long index) {
            return new Four((short) X.get(segment, 0L, index), (short) Y.get(segment, 0L, index),
                    (int) Z.get(segment, 0L, index));
        }
    }

    /// The common interface of the records.
    private interface Summable {
        long sum();
    }

    /// 16 bytes.
    private record One(long x, long y) implements Summable {
        @Override
        public long sum() {
            return x + y;
        }
    }

    /// 16 bytes, in another order.
    private record Two(int x, long y) implements Summable {
        @Override
        public long sum() {
            return x + y;
        }
    }

    /// 32 bytes.
    private record Three(long x, long y, int z, long w) implements Summable {
        @Override
        public long sum() {
            return x + y + z + w;
        }
    }

    /// 8 bytes.
    private record Four(short x, short y, int z) implements Summable {
        @Override
        public long sum() {
            return (long) x + y + z;
        }
    }
}
