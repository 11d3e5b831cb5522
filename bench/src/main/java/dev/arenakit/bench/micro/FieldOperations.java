package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.EnumField;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.LongElements;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Unsigned;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Measures the cost of one operation on a field of each of 1,024 structs.
///
/// The figure is for all structs. The VarHandles are written by hand, with the same conversion as the field.
@BenchmarkName(value = "field operations", baseline = "VarHandle",
        measures = "Makes one operation on a field of each of 1,024 structs; the figure is for all of them.")
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

    private static final IntField PORT = ENTRIES.intField("port");
    private static final IntField LEVEL = ENTRIES.intField("level");
    private static final LongField NANOS = ENTRIES.longField("nanos");

    /// The struct of [Entry]. Integers without a VarHandle are divided into several members.
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(JAVA_LONG.withName("version"),
            JAVA_DOUBLE.withName("price"), JAVA_INT.withName("quantity"), JAVA_INT.withName("side"),
            MemoryLayout.sequenceLayout(5, JAVA_LONG).withName("counts"), JAVA_SHORT.withName("port"),
            JAVA_BYTE.withName("bits"), JAVA_INT_UNALIGNED.withName("low"), JAVA_SHORT_UNALIGNED.withName("high"),
            MemoryLayout.paddingLayout(7));
    private static final VarHandle PRICES = handle("price");
    private static final VarHandle VERSIONS = handle("version");
    private static final VarHandle QUANTITIES = handle("quantity");
    private static final VarHandle SIDES = handle("side");
    private static final VarHandle COUNT_OF = handle("counts", PathElement.sequenceElement());
    private static final VarHandle PORTS = handle("port");
    private static final VarHandle BITS = handle("bits");
    private static final VarHandle LOW = handle("low");
    private static final VarHandle HIGH = handle("high");
    private static final Side[] ALL_SIDES = Side.values();

    /// The side of an entry.
    enum Side {
        BUY, SELL
    }

    /// A struct of 80 bytes.
    @SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
    record Entry(long version, double price, int quantity, Side side, @Length(5) long[] counts,
            @Unsigned(2) int port, @Bits(4) @Unsigned(1) int kind, @Bits(4) @Unsigned(1) int level,
            @Unsigned(6) long nanos) {}

    /// The operation.
    @Param({"double get", "double set", "int getAndAdd", "long getAcquire", "long compareAndSet", "element get",
            "element getAndAdd", "enum get", "enum set", "2 unsigned bytes get", "2 unsigned bytes set", "bits get",
            "bits set", "6 bytes get"})
    public String operation = "";

    private final Arena arena = Arena.ofConfined();
    private MemorySegment entries = MemorySegment.NULL;

    private static VarHandle handle(String member, PathElement... path) {
        VarHandle handle = LAYOUT.arrayElementVarHandle(Stream.concat(Stream.of(PathElement.groupElement(member)),
                Stream.of(path)).toArray(PathElement[]::new));
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
            case "enum set" -> {
                for (long i = 0; i < COUNT; i++) {
                    SIDES.set(entries, i, 0);
                }
            }
            case "2 unsigned bytes get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += (short) PORTS.get(entries, i) & 0xffff;
                }
            }
            case "2 unsigned bytes set" -> {
                for (long i = 0; i < COUNT; i++) {
                    PORTS.set(entries, i, (short) i);
                }
            }
            case "bits get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += (byte) BITS.get(entries, i) >> 4 & 0xf;
                }
            }
            case "bits set" -> {
                for (long i = 0; i < COUNT; i++) {
                    BITS.set(entries, i, (byte) (((byte) BITS.get(entries, i) & 0xf) | (((int) i & 7) << 4)));
                }
            }
            default -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += ((int) LOW.get(entries, i) & 0xffff_ffffL)
                            | (((short) HIGH.get(entries, i) & 0xffffL) << 32);
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
            case "enum set" -> {
                for (long i = 0; i < COUNT; i++) {
                    SIDE.setAtIndex(entries, i, Side.BUY);
                }
            }
            case "2 unsigned bytes get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += PORT.getAtIndex(entries, i);
                }
            }
            case "2 unsigned bytes set" -> {
                for (long i = 0; i < COUNT; i++) {
                    PORT.setAtIndex(entries, i, (int) i);
                }
            }
            case "bits get" -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += LEVEL.getAtIndex(entries, i);
                }
            }
            case "bits set" -> {
                for (long i = 0; i < COUNT; i++) {
                    LEVEL.setAtIndex(entries, i, (int) i & 7);
                }
            }
            default -> {
                for (long i = 0; i < COUNT; i++) {
                    sum += NANOS.getAtIndex(entries, i);
                }
            }
        }
        return sum;
    }
}
