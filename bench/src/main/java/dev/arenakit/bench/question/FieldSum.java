package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to add up one field, a long, over an array of structs of 32 bytes each?
///
/// The figure is for the whole array. 64 KiB stay in a core's cache; 64 MiB do not.
@Question(value = "field sum", baseline = "VarHandle")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class FieldSum {
    private static final LongField FIELD = Quote.RECORDS.longField("id");

    /// The size of the array; the smallest is one struct.
    @Param({"65536", "67108864", "32"})
    public long byteSize;

    private final VarHandle handleInField = QuoteHandles.handle("id");
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

    /// A `static final` handle of a layout.
    @Benchmark
    @Label("VarHandle")
    public long handle() {
        return QuoteHandles.sumIds(quotes, count);
    }

    /// The handle in a field of an object, which no compiler takes for a constant.
    @Benchmark
    @Label("VarHandle in a field")
    public long handleInField() {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += (long) handleInField.get(quotes, 0L, i);
        }
        return sum;
    }

    /// A field in a `static final` field.
    @Benchmark
    @Label("LongField")
    public long field() {
        return sum(FIELD);
    }

    /// A field in a field of an object.
    @Benchmark
    @Label("LongField in a field")
    public long fieldInField() {
        return sum(fieldInField);
    }

    /// Records, the mapper in a `static final` field.
    @Benchmark
    @Label("records")
    public long records() {
        return QuoteLoops.sumIds(Quote.RECORDS, quotes, count);
    }

    /// Records, the mapper in a field of an object.
    @Benchmark
    @Label("records, mapper in a field")
    public long recordsInField() {
        return QuoteLoops.sumIds(recordsInField, quotes, count);
    }

    /// Views, the mapper in a `static final` field.
    @Benchmark
    @Label("views")
    public long views() {
        return QuoteLoops.sumIds(Quote.VIEWS, quotes, count);
    }

    /// Views, the mapper in a field of an object.
    @Benchmark
    @Label("views, mapper in a field")
    public long viewsInField() {
        return QuoteLoops.sumIds(viewsInField, quotes, count);
    }

    /// One view that moves, of a mapper in a field of an object.
    @Benchmark
    @Label("cursor")
    public long cursor() {
        return QuoteLoops.sumIds(viewsInField.cursor(quotes));
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long sum(LongField field) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += field.get(quotes, i);
        }
        return sum;
    }
}
