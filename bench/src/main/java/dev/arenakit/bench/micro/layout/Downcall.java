package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of a call of native code.
///
/// The function is `labs`, which every C library has. It does almost nothing and keeps no state, so the figure is
/// almost entirely the call. Candidates that take a pointer call `strlen` on a string of one character instead, which
/// does a little more; compare these candidates with each other only.
@BenchmarkName(value = "downcall", baseline = "static final handle",
        measures = "Calls a native function that does almost nothing.")
public class Downcall extends MicroBenchmark {
    private static final FunctionDescriptor LONG_TO_LONG = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LABS = LibcAllocator.handle("labs", LONG_TO_LONG);
    private static final MethodHandle LABS_CRITICAL = LibcAllocator.handle("labs", LONG_TO_LONG,
            Linker.Option.critical(false));
    private static final MethodHandle STRLEN = LibcAllocator.handle("strlen", LONG_TO_LONG);
    private static final MethodHandle STRLEN_OF_SEGMENT = LibcAllocator.handle("strlen",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS));

    // This field is not static: it is a handle that is not a constant.
    private final MethodHandle inField = LABS;
    private final MethodHandle ofSegmentInField = STRLEN_OF_SEGMENT;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment string = arena.allocateFrom("x");
    private long value = -1;

    /// Frees the string.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A handle that is a constant for the compiler.
    @Benchmark
    @CandidateName("static final handle")
    public long constant() throws Throwable {
        return (long) LABS.invokeExact(value--);
    }

    /// A handle in an instance field, which is not a constant for the compiler.
    @Benchmark
    @CandidateName("handle in a field")
    public long field() throws Throwable {
        return (long) inField.invokeExact(value--);
    }

    /// A constant handle, called without the transition between Java and native code.
    @Benchmark
    @CandidateName("critical")
    public long critical() throws Throwable {
        return (long) LABS_CRITICAL.invokeExact(value--);
    }

    /// A pointer passed as a long.
    @Benchmark
    @CandidateName("address as long")
    public long address() throws Throwable {
        return (long) STRLEN.invokeExact(string.address());
    }

    /// A pointer passed as a segment, which the call keeps alive.
    @Benchmark
    @CandidateName("segment")
    public long segment() throws Throwable {
        return (long) STRLEN_OF_SEGMENT.invokeExact(string);
    }

    /// A pointer passed as a segment through a handle in an instance field: the checks of the segment are not inlined
    /// either.
    @Benchmark
    @CandidateName("segment, handle in a field")
    public long segmentAndField() throws Throwable {
        return (long) ofSegmentInField.invokeExact(string);
    }
}
