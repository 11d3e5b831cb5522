package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of reading one of eight components, and whole records, from six million records in a table of
/// columns and in an array of structs.
///
/// The figure is for one record.
@BenchmarkName(value = "columns", baseline = "one field of structs",
        measures = "Adds up one component, or reads whole records, of six million records of eight longs.")
@OperationsPerInvocation(ColumnReads.COUNT)
public class ColumnReads extends MicroBenchmark {
    static final int COUNT = 6_000_000;
    private static final RecordMapper<Eight> STRUCTS = RecordMapper.of(Eight.class);
    private static final ColumnMapper<Eight> COLUMNS = ColumnMapper.of(Eight.class);
    private static final LongField THIRD = STRUCTS.longField("c");

    private final Arena arena = Arena.ofConfined();
    private MemorySegment structs = MemorySegment.NULL;
    private ColumnTable<Eight> columns = COLUMNS.create(Arena.ofAuto(), 1);

    private record Eight(long a, long b, long c, long d, long e, long f, long g, long h) {
        static Eight of(long i) {
            return new Eight(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7);
        }

        long sum() {
            return a + b + c + d + e + f + g + h;
        }
    }

    /// Writes the records.
    @Setup
    public void prepare() {
        structs = STRUCTS.allocate(arena, COUNT);
        ColumnTable<Eight> table = COLUMNS.create(arena, COUNT);
        for (int i = 0; i < COUNT; i++) {
            STRUCTS.setAtIndex(structs, i, Eight.of(i));
            table.append(Eight.of(i));
        }
        columns = COLUMNS.columns(table.segment());
    }

    /// Frees the memory.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A `LongField` of the structs.
    @Benchmark
    @CandidateName("one field of structs")
    public long field() {
        MemorySegment segment = structs;
        long sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += THIRD.getAtIndex(segment, i);
        }
        return sum;
    }

    /// The segment of a column.
    @Benchmark
    @CandidateName("one column")
    public long column() {
        MemorySegment column = columns.column("c");
        long sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += column.getAtIndex(ValueLayout.JAVA_LONG, i);
        }
        return sum;
    }

    /// Records of the table. One component is used.
    @Benchmark
    @CandidateName("one component of records in columns")
    public long component() {
        ColumnTable<Eight> table = columns;
        long sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += table.get(i).c();
        }
        return sum;
    }

    /// Whole records of the structs.
    @Benchmark
    @CandidateName("records of structs")
    public long records() {
        MemorySegment segment = structs;
        long sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += STRUCTS.getAtIndex(segment, i).sum();
        }
        return sum;
    }

    /// Whole records of the table.
    @Benchmark
    @CandidateName("records in columns")
    public long recordsInColumns() {
        ColumnTable<Eight> table = columns;
        long sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += table.get(i).sum();
        }
        return sum;
    }
}
