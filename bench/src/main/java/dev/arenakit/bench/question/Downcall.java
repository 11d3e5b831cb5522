package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Libc;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What does a call of native code cost?
///
/// The function is `labs`, which every C library has, and which does next to nothing and keeps no state: nearly all
/// is the call. Those that take a pointer call `strlen` of a string of one character instead, which does a little more, so
/// they are to be compared with each other.
@Question(value = "downcall", baseline = "static final handle")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class Downcall {
    private static final FunctionDescriptor LONG_TO_LONG = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LABS = Libc.handle("labs", LONG_TO_LONG);
    private static final MethodHandle LABS_CRITICAL = Libc.handle("labs", LONG_TO_LONG, Linker.Option.critical(false));
    private static final MethodHandle STRLEN = Libc.handle("strlen", LONG_TO_LONG);
    private static final MethodHandle STRLEN_OF_SEGMENT = Libc.handle("strlen",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS));

    // What is asked for is the cost of a handle that is no constant.
    private final MethodHandle inField = LABS;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment string = arena.allocateFrom("x");
    private long value = -1;

    /// Frees the string.
    @TearDown
    public void close() {
        arena.close();
    }

    /// A handle that the compiler knows.
    @Benchmark
    @Label("static final handle")
    public long constant() throws Throwable {
        return (long) LABS.invokeExact(value--);
    }

    /// A handle in an instance field, which the compiler does not know.
    @Benchmark
    @Label("handle in a field")
    public long field() throws Throwable {
        return (long) inField.invokeExact(value--);
    }

    /// A handle that the compiler knows, without the transition between Java and native code.
    @Benchmark
    @Label("critical")
    public long critical() throws Throwable {
        return (long) LABS_CRITICAL.invokeExact(value--);
    }

    /// A pointer handed over as a long.
    @Benchmark
    @Label("address as long")
    public long address() throws Throwable {
        return (long) STRLEN.invokeExact(string.address());
    }

    /// A pointer handed over as a segment, which is kept alive during the call.
    @Benchmark
    @Label("segment")
    public long segment() throws Throwable {
        return (long) STRLEN_OF_SEGMENT.invokeExact(string);
    }
}
