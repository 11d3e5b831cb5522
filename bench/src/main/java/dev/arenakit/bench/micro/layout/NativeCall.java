package dev.arenakit.bench.micro.layout;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of a native call together with its memory: open an arena, allocate a string and the memory that
/// the function writes to, call the function as generated bindings do, read the result, close.
///
/// `strtol` takes a string of five characters and writes a pointer, about the least work of a function with an
/// out-parameter. `stat` is a system call that takes a path and writes a struct of 144 bytes. The cost of the arena is
/// the difference from memory that was allocated once, by a thread that makes one such call at a time.
@BenchmarkName(value = "native call",
        measures = "Makes a native call with the memory that it takes: a string, and an out-parameter that is "
                + "read afterwards.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class NativeCall extends MicroBenchmark {
    private static final MethodHandle STRTOL = LibcAllocator.handle("strtol",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT));
    private static final long STAT_BYTE_SIZE = 144;
    private static final long ST_SIZE_OFFSET = 48;

    /// The function that is called.
    @Param({"strtol", "stat"})
    public String function = "";

    private final Arena once = Arena.ofConfined();
    private final MemorySegment text = once.allocate(16);
    private final MemorySegment out = once.allocate(STAT_BYTE_SIZE, JAVA_LONG.byteAlignment());
    private boolean stat;

    /// Chooses the function.
    @Setup
    public void prepare() {
        stat = function.equals("stat");
    }

    /// Frees the memory that was allocated once.
    @TearDown
    public void close() {
        once.close();
    }

    /// An arena.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public long arena(Candidate candidate) throws Throwable {
        try (Arena arena = candidate.open()) {
            return stat
                    ? stat(arena.allocateFrom("/"), arena.allocate(STAT_BYTE_SIZE, JAVA_LONG.byteAlignment()))
                    : strtol(arena.allocateFrom("12345"), arena.allocate(ADDRESS));
        }
    }

    /// The same memory for all calls.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("memory allocated once")
    public long reused() throws Throwable {
        text.setString(0, stat ? "/" : "12345");
        return stat ? stat(text, out) : strtol(text, out);
    }

    /// Through one method of the program that has served three kinds of arenas, so that C2 cannot know the class of the
    /// arena there. `errno` is captured, too.
    @BenchmarkName(value = "native call by a helper",
            measures = "Makes a native call with a string, an out-parameter and errno in a method that has served "
                    + "three kinds of arenas.")
    public static class ByHelper extends MicroBenchmark {
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final long ERRNO = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
        private static final MethodHandle WITH_ERRNO = LibcAllocator.handle("strtol",
                FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT), Linker.Option.captureCallState("errno"));
        private static final SlabPool POOL = SlabPool.create();
        private static final List<Supplier<Arena>> KINDS = List.of(Arena::ofConfined, POOL::openConfined,
                MallocArena::ofConfined);

        /// Created by JMH.
        public ByHelper() {}

        /// Serves the three kinds of arenas in turn.
        @Setup
        public void serve(BenchmarkParams run) throws Throwable {
            for (int i = 0; i < (run.getWarmup().getCount() == 0 ? 10 : 100_000); i++) {
                for (Supplier<Arena> kind : KINDS) {
                    try (Arena arena = kind.get()) {
                        call(arena);
                    }
                }
            }
        }

        /// An arena.
        @Benchmark
        public long arena(Candidate candidate) throws Throwable {
            try (Arena arena = candidate.open()) {
                return call(arena);
            }
        }

        @CompilerControl(CompilerControl.Mode.DONT_INLINE)
        private static long call(Arena arena) throws Throwable {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment end = arena.allocate(ADDRESS);
            return (long) WITH_ERRNO.invokeExact(state, arena.allocateFrom("12345"), end, 10) + end.get(JAVA_LONG, 0)
                    + state.get(JAVA_INT, ERRNO);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long strtol(MemorySegment number, MemorySegment end) throws Throwable {
        return (long) STRTOL.invokeExact(number, end, 10) + end.get(JAVA_LONG, 0);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long stat(MemorySegment path, MemorySegment status) throws Throwable {
        return (int) Stat.HANDLE.invokeExact(path, status) + status.get(JAVA_LONG, ST_SIZE_OFFSET);
    }

    /// `stat` is missing from glibc before 2.33.
    private static final class Stat {
        static final MethodHandle HANDLE = LibcAllocator.handle("stat",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

        private Stat() {}
    }
}
