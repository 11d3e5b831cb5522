package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.EnumField;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.Length;
import dev.arenakit.layout.LongElements;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of one operation on a field of each of 1,024 structs.
///
/// The figure is for all of them. The VarHandles are written by hand, with the conversion that the field makes.
@BenchmarkName(value = "field operations", baseline = "VarHandle")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class FieldOperations {
    private static final long COUNT = 1024;
    private static final RecordMapper<Entry> ENTRIES = RecordMapper.of(Entry.class);
    private static final DoubleField PRICE = ENTRIES.doubleField("price");
    private static final LongField VERSION = ENTRIES.longField("version");
    private static final IntField QUANTITY = ENTRIES.intField("quantity");
    private static final EnumField<Side> SIDE = ENTRIES.enumField("side", Side.class);
    private static final LongElements COUNTS = ENTRIES.longElements("counts");

    private static final VarHandle PRICES = handle(PathElement.groupElement("price"));
    private static final VarHandle VERSIONS = handle(PathElement.groupElement("version"));
    private static final VarHandle QUANTITIES = handle(PathElement.groupElement("quantity"));
    private static final VarHandle SIDES = handle(PathElement.groupElement("side"));
    private static final VarHandle COUNT_OF = handle(PathElement.groupElement("counts"),
            PathElement.sequenceElement());
    private static final Side[] ALL_SIDES = Side.values();

    /// The side of an entry.
    enum Side {
        BUY, SELL
    }

    /// A struct of 64 bytes.
    @SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
    record Entry(long version, double price, int quantity, Side side, @Length(5) long[] counts) {}

    /// The operation.
    @Param({"double get", "double set", "int getAndAdd", "long getAcquire", "long compareAndSet", "element get",
            "element getAndAdd", "enum get", "enum set"})
    public String operation = "";

    private final Arena arena = Arena.ofConfined();
    private MemorySegment entries = MemorySegment.NULL;

    private static VarHandle handle(PathElement... path) {
        VarHandle handle = ENTRIES.layout().arrayElementVarHandle(path);
        return MethodHandles.insertCoordinates(handle, 1, 0L).withInvokeExactBehavior();
    }

    /// Fills the array with zeros.
    @Setup
    public void prepare() {
        entries = ENTRIES.allocate(arena, COUNT);
    }

    /// Frees the array.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A layout's VarHandles in `static final` fields.
    @Benchmark
    @CandidateName("VarHandle")
    public double handle() {
        double sum = 0;
        switch (operation) {
            case "double get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += (double) PRICES.get(entries, i);
                }
            }
            case "double set" -> {
                for (long i = 0; i < COUNT; i++) {
                    PRICES.set(entries, i, 1.5);
                }
            }
            case "int getAndAdd" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += (int) QUANTITIES.getAndAdd(entries, i, 1);
                }
            }
            case "long getAcquire" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += (long) VERSIONS.getAcquire(entries, i);
                }
            }
            case "long compareAndSet" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += VERSIONS.compareAndSet(entries, i, 0L, 0L) ? 1 : 0;
                }
            }
            case "element get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += (long) COUNT_OF.get(entries, i, i & 3);
                }
            }
            case "element getAndAdd" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += (long) COUNT_OF.getAndAdd(entries, i, i & 3, 1L);
                }
            }
            case "enum get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += ALL_SIDES[(int) SIDES.get(entries, i)] == Side.BUY ? 1 : 0;
                }
            }
            default -> {
                for (long i = 0; i < COUNT; i++) {
                    SIDES.set(entries, i, 0);
                }
            }
        }
        return sum;
    }

    /// Fields in `static final` fields.
    @Benchmark
    @CandidateName("field")
    public double field() {
        double sum = 0;
        switch (operation) {
            case "double get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += PRICE.getAtIndex(entries, i);
                }
            }
            case "double set" -> {
                for (long i = 0; i < COUNT; i++) {
                    PRICE.setAtIndex(entries, i, 1.5);
                }
            }
            case "int getAndAdd" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += QUANTITY.getAndAddAtIndex(entries, i, 1);
                }
            }
            case "long getAcquire" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += VERSION.getAcquireAtIndex(entries, i);
                }
            }
            case "long compareAndSet" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += VERSION.compareAndSetAtIndex(entries, i, 0, 0) ? 1 : 0;
                }
            }
            case "element get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += COUNTS.getAtIndex(entries, i, i & 3);
                }
            }
            case "element getAndAdd" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += COUNTS.getAndAddAtIndex(entries, i, i & 3, 1);
                }
            }
            case "enum get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += SIDE.getAtIndex(entries, i) == Side.BUY ? 1 : 0;
                }
            }
            default -> {
                for (long i = 0; i < COUNT; i++) {
                    SIDE.setAtIndex(entries, i, Side.BUY);
                }
            }
        }
        return sum;
    }
}
