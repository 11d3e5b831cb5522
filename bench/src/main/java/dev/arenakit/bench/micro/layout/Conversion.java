package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.RecordMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of passing a result of a native call to another native call: as a pointer, or converted to a Java
/// object and back.
///
/// `strchr` finds a text of 27 characters in a longer text, and `strlen` takes it. The struct is the state of
/// `erand48`: three short integers, which each call takes from the previous call.
@BenchmarkName(value = "conversion", baseline = "pointer passed on",
        measures = "Passes what one native call returns on to another, as a pointer, or converted to a Java "
                + "object and back.")
public class Conversion extends MicroBenchmark {
    private static final MethodHandle STRCHR = LibcAllocator.handle("strchr",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle STRLEN = LibcAllocator.handle("strlen",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle ERAND48 = LibcAllocator.handle("erand48",
            FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG));

    private static final RecordMapper<Seed> SEEDS = RecordMapper.of(Seed.class);

    /// The kind of value that is passed from call to call.
    @Param({"text", "struct"})
    public String passed = "";

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment path = arena.allocateFrom("name:/directory/of/some/file.txt");
    private final MemorySegment memory = arena.allocate(64);
    private Seed seed = new Seed((short) 1, (short) 2, (short) 3);
    private boolean text;

    /// The state of `erand48`.
    public record Seed(short low, short middle, short high) {}

    /// Chooses the kind of value.
    @Setup
    public void prepare() {
        text = passed.equals("text");
    }

    /// Frees the memory.
    @TearDown
    public void close() {
        arena.close();
    }

    /// The pointer goes from one call to the other.
    @Benchmark
    @CandidateName("pointer passed on")
    public double pointer() throws Throwable {
        return text
                ? (long) STRLEN.invokeExact((long) STRCHR.invokeExact(path.address(), (int) ':'))
                : (double) ERAND48.invokeExact(memory.address());
    }

    /// The result of a call becomes a String or a record. For the next call, it is written to memory that was allocated
    /// once.
    @Benchmark
    @CandidateName("object, memory allocated once")
    public double object() throws Throwable {
        return text ? length(found(), memory) : random(memory);
    }

    /// The result of a call becomes a String or a record. For the next call, it is written to memory that is allocated
    /// for this call.
    @Benchmark
    @CandidateName("object, Arena.ofConfined")
    public double objectInArena() throws Throwable {
        String found = text ? found() : "";
        try (Arena ofCall = Arena.ofConfined()) {
            return text ? length(ofCall.allocateFrom(found)) : random(SEEDS.allocate(ofCall, 1));
        }
    }

    private String found() throws Throwable {
        return LibcAllocator.MEMORY.getString((long) STRCHR.invokeExact(path.address(), (int) ':'));
    }

    private static long length(String string, MemorySegment to) throws Throwable {
        to.setString(0, string);
        return length(to);
    }

    private static long length(MemorySegment string) throws Throwable {
        return (long) STRLEN.invokeExact(string.address());
    }

    private double random(MemorySegment to) throws Throwable {
        SEEDS.setAtIndex(to, 0, seed);
        double random = (double) ERAND48.invokeExact(to.address());
        seed = SEEDS.getAtIndex(to, 0);
        return random;
    }
}
