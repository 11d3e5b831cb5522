package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of going through an array of structs of 32 bytes each: reading all of their fields and adding them
/// up, writing them, or copying them field by field into another array.
///
/// The figure is for the whole array. 64 KiB fit into a core's cache; 64 MiB do not. The methods are not inlined: C2
/// clones the head of JMH's loop and thereby doubles the code, and it stops inlining at 18,000 nodes.
@BenchmarkName(value = "structs", baseline = "VarHandles",
        measures = "Reads, writes or copies all fields of an array of structs of 32 bytes each; the figure is "
                + "for the whole array.")
public class Structs extends MicroBenchmark {
    /// The operation: `read`, `write` or `copy`.
    @Param({"read", "write", "copy"})
    public String operation = "";

    /// Size of the array in bytes; the smallest array is one struct.
    @Param({"65536", "67108864", "32"})
    public long byteSize;

    private final RecordMapper<Quote> recordsInField = Quote.RECORDS;
    private final ViewMapper<Quote.View> viewsInField = Quote.VIEWS;
    private final Arena arena = Arena.ofConfined();
    private MemorySegment from = MemorySegment.NULL;
    private MemorySegment to = MemorySegment.NULL;
    private long count;
    private boolean read;
    private boolean write;

    /// Fills the array with bytes that make finite doubles.
    @Setup
    public void prepare() {
        read = operation.equals("read");
        write = operation.equals("write");
        count = byteSize / Quote.RECORDS.byteSize();
        from = Quote.RECORDS.allocate(arena, count).fill((byte) 1);
        to = Quote.RECORDS.allocate(arena, count);
    }

    /// Frees both arrays.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A layout's VarHandles in `static final` fields.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("VarHandles")
    public double handles() {
        return read
                ? QuoteHandles.read(from, count)
                : write ? QuoteHandles.write(to, count) : QuoteHandles.copy(from, to, count);
    }

    /// Records, with the mapper in a `static final` field.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("records")
    public double records() {
        return run(Quote.RECORDS);
    }

    /// Records, with the mapper in an instance field.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("records, mapper in a field")
    public double recordsInField() {
        return run(recordsInField);
    }

    /// Records, with the mapper passed to a method that is not inlined.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("records, mapper as a parameter")
    public double recordsParameter() {
        return call(recordsInField);
    }

    /// Views, with the mapper in a `static final` field.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("views")
    public double views() {
        return run(Quote.VIEWS);
    }

    /// Views, with the mapper in an instance field.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("views, mapper in a field")
    public double viewsInField() {
        return run(viewsInField);
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private double call(RecordMapper<Quote> mapper) {
        return run(mapper);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private double run(RecordMapper<Quote> mapper) {
        return read
                ? QuoteLoops.read(mapper, from, count)
                : write ? QuoteLoops.write(mapper, to, count) : QuoteLoops.copy(mapper, from, to, count);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private double run(ViewMapper<Quote.View> mapper) {
        return read
                ? QuoteLoops.read(mapper, from, count)
                : write ? QuoteLoops.write(mapper, to, count) : QuoteLoops.copy(mapper, from, to, count);
    }
}
