package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of reading a struct of five fields into a record that escapes, so that it is allocated.
@BenchmarkName(value = "escaping read", baseline = "VarHandles",
        measures = "Reads a struct of five fields into a record that escapes, so that it is allocated.")
public class EscapingRead extends MicroBenchmark {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment quotes = Quote.RECORDS.allocate(arena, 1).fill((byte) 1);

    /// Frees the memory.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A layout's VarHandles in `static final` fields.
    @Benchmark
    @CandidateName("VarHandles")
    public Quote handles() {
        return QuoteHandles.get(quotes, 0);
    }

    /// A mapper in a `static final` field.
    @Benchmark
    @CandidateName("RecordMapper")
    public Quote mapper() {
        return Quote.RECORDS.getAtIndex(quotes, 0);
    }
}
