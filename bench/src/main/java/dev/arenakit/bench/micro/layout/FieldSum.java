package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of adding up one field, a long, over an array of structs of 32 bytes each.
///
/// The figure is for the whole array. 64 KiB fit into a core's cache; 64 MiB do not.
@BenchmarkName(value = "field sum", baseline = "VarHandle",
        measures = "Adds up one field over an array of structs of 32 bytes each; the figure is for the whole "
                + "array.")
public class FieldSum extends MicroBenchmark {
    private static final LongField FIELD = Quote.RECORDS.longField("id");

    /// Size of the array in bytes; the smallest array is one struct.
    @Param({"65536", "67108864", "32"})
    public long byteSize;

    private final LongField fieldInField = FIELD;
    private final RecordMapper<Quote> recordsInField = Quote.RECORDS;
    private final ViewMapper<Quote.View> viewsInField = Quote.VIEWS;
    private final Arena arena = Arena.ofConfined();
    private MemorySegment quotes = MemorySegment.NULL;
    private long count;

    /// Fills the array.
    @Setup
    public void prepare() {
        count = byteSize / Quote.RECORDS.byteSize();
        quotes = Quote.RECORDS.allocate(arena, count).fill((byte) 1);
    }

    /// Frees the array.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A layout's VarHandle in a `static final` field.
    @Benchmark
    @CandidateName("VarHandle")
    public long handle() {
        return QuoteHandles.sumIds(quotes, count);
    }

    /// A `LongField` in a `static final` field.
    @Benchmark
    @CandidateName("LongField")
    public long field() {
        return sum(FIELD);
    }

    /// A `LongField` in an instance field.
    @Benchmark
    @CandidateName("LongField in a field")
    public long fieldInField() {
        return sum(fieldInField);
    }

    /// Records, with the mapper in a `static final` field.
    @Benchmark
    @CandidateName("records")
    public long records() {
        return QuoteLoops.sumIds(Quote.RECORDS, quotes, count);
    }

    /// Records, with the mapper in an instance field.
    @Benchmark
    @CandidateName("records, mapper in a field")
    public long recordsInField() {
        return QuoteLoops.sumIds(recordsInField, quotes, count);
    }

    /// Views, with the mapper in a `static final` field.
    @Benchmark
    @CandidateName("views")
    public long views() {
        return QuoteLoops.sumIds(Quote.VIEWS, quotes, count);
    }

    /// Views, with the mapper in an instance field.
    @Benchmark
    @CandidateName("views, mapper in a field")
    public long viewsInField() {
        return QuoteLoops.sumIds(viewsInField, quotes, count);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long sum(LongField field) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += field.getAtIndex(quotes, i);
        }
        return sum;
    }
}
