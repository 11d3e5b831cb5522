package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.RecordMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of reading one of eight components, and whole records, from six million records in a table of
/// columns and in an array of structs.
///
/// The figure is for one record.
@BenchmarkName(value = "columns", baseline = "one field of structs",
        measures = "Adds up one component, or reads whole records, of six million records of seven longs and a double.")
@OperationsPerInvocation(ColumnReads.COUNT)
public class ColumnReads extends MicroBenchmark {
    static final int COUNT = 6_000_000;
    private static final RecordMapper<Eight> STRUCTS = RecordMapper.of(Eight.class);
    private static final ColumnMapper<Eight> COLUMNS = ColumnMapper.of(Eight.class);
    private static final DoubleField THIRD = STRUCTS.doubleField("c");

    private final Arena arena = Arena.ofConfined();
    private MemorySegment structs = MemorySegment.NULL;
    private ColumnTable<Eight> columns = COLUMNS.create(Arena.ofAuto(), 1);

    private record Eight(long a, long b, double c, long d, long e, long f, long g, long h) {
        static Eight of(long i) {
            return new Eight(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7);
        }

        double sum() {
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

    /// A `DoubleField` of the structs.
    @Benchmark
    @CandidateName("one field of structs")
    public double field() {
        MemorySegment segment = structs;
        double sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += THIRD.getAtIndex(segment, i);
        }
        return sum;
    }

    /// The segment of a column.
    @Benchmark
    @CandidateName("one column")
    public double column() {
        MemorySegment column = columns.column("c");
        double sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += column.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        }
        return sum;
    }

    /// The segment of a column, in vectors.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JvmArgs.VECTORS})
    @CandidateName("one column, Vector API")
    public double vectors() throws Throwable {
        MemorySegment column = columns.column("c");
        Object sum = (Object) Vectors.READ.invokeExact(column, 0L);
        for (long at = Vectors.BYTE_SIZE; at < column.byteSize(); at += Vectors.BYTE_SIZE) {
            Object next = (Object) Vectors.READ.invokeExact(column, at);
            sum = (Object) Vectors.ADD.invokeExact(sum, next);
        }
        return (double) Vectors.REDUCE.invokeExact(sum);
    }

    /// Records of the table. One component is used.
    @Benchmark
    @CandidateName("one component of records in columns")
    public double component() {
        ColumnTable<Eight> table = columns;
        double sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += table.get(i).c();
        }
        return sum;
    }

    /// Whole records of the structs.
    @Benchmark
    @CandidateName("records of structs")
    public double records() {
        MemorySegment segment = structs;
        double sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += STRUCTS.getAtIndex(segment, i).sum();
        }
        return sum;
    }

    /// Whole records of the table.
    @Benchmark
    @CandidateName("records in columns")
    public double recordsInColumns() {
        ColumnTable<Eight> table = columns;
        double sum = 0;
        for (long i = 0; i < COUNT; i++) {
            sum += table.get(i).sum();
        }
        return sum;
    }

    /// The methods of the Vector API that add up doubles. Compilers warn about code that names its classes.
    private static final class Vectors {
        private static final MethodHandle READ;
        private static final MethodHandle ADD;
        private static final MethodHandle REDUCE;
        private static final long BYTE_SIZE;

        static {
            try {
                Class<?> vector = type("DoubleVector");
                Object species = vector.getField("SPECIES_PREFERRED").get(null);
                BYTE_SIZE = (int) type("VectorSpecies").getMethod("vectorByteSize").invoke(species);
                MethodHandle read = method("fromMemorySegment", type("VectorSpecies"), MemorySegment.class, long.class,
                        ByteOrder.class).bindTo(species);
                READ = MethodHandles.insertArguments(read, 2, ByteOrder.nativeOrder())
                        .asType(MethodType.methodType(Object.class, MemorySegment.class, long.class));
                ADD = method("add", type("Vector")).asType(MethodType.genericMethodType(2));
                MethodHandle reduce = method("reduceLanes", type("VectorOperators$Associative"));
                REDUCE = MethodHandles.insertArguments(reduce, 1, type("VectorOperators").getField("ADD").get(null))
                        .asType(MethodType.methodType(double.class, Object.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private static Class<?> type(String name) throws ClassNotFoundException {
            return Class.forName("jdk.incubator.vector." + name);
        }

        private static MethodHandle method(String name, Class<?>... types) throws ReflectiveOperationException {
            return MethodHandles.publicLookup().unreflect(type("DoubleVector").getMethod(name, types));
        }
    }
}
