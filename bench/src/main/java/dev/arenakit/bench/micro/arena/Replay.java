package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.ArenaFactory;
import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.replay.ReplayProfiler;
import dev.arenakit.bench.replay.ReplayProgram;
import dev.arenakit.bench.replay.Replayer;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Replays a recorded program. An operation is the whole program.
///
/// The heap has one size and is touched at the start, so that the memory of the process grows by native memory only.
@BenchmarkName(value = "replay",
        measures = "Replays the allocations of a recorded program: each operation is the whole trace.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
public class Replay extends MicroBenchmark {
    private static final Arena NOTHING = new Arena() {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return LibcAllocator.MEMORY.asSlice(0, byteSize);
        }

        @Override
        public MemorySegment.Scope scope() {
            return LibcAllocator.MEMORY.scope();
        }

        @Override
        public void close() {}
    };

    /// An arena.
    @Benchmark
    public long arena(Candidate candidate, Trace trace, SharedArenas shared) {
        return trace.replayer(candidate::open, shared::open, trace.touch).run();
    }

    /// An arena that does nothing, and has no memory to touch: the time of the replay itself.
    @Benchmark
    @CandidateName("nothing")
    @MemoryTraits
    public long nothing(Trace trace) {
        return trace.replayer(() -> NOTHING, () -> NOTHING, false).run();
    }

    /// The trace.
    @State(Scope.Benchmark)
    public static class Trace {
        /// The path of the trace.
        @Param("")
        public String trace = "";

        /// Whether a byte of each allocated page is written.
        @Param({"false", "true"})
        public boolean touch;

        /// Whether each step waits for its recorded time.
        @Param({"false", "true"})
        public boolean paced;

        private @Nullable ReplayProgram program;

        /// Reads the trace.
        ///
        /// @throws IOException if it cannot be read
        @Setup
        public void read() throws IOException {
            program = ReplayProgram.read(Path.of(trace), _ -> {
                // The command has reported the problems.
            });
        }

        Replayer replayer(Supplier<Arena> confined, Supplier<Arena> shared, boolean touches) {
            Replayer replayer = new Replayer(Objects.requireNonNull(program), confined, shared, touches, paced);
            ReplayProfiler.replay(replayer);
            return replayer;
        }
    }

    /// The arenas that several threads use: the shared ones of the candidate's family, or the JDK's.
    @State(Scope.Benchmark)
    public static class SharedArenas {
        private @Nullable ArenaFactory factory;

        /// Creates the factory.
        @Setup
        public void create(Candidate candidate) {
            factory = Candidates.find(Candidates.sharedOf(candidate.provider)).create();
        }

        Arena open() {
            return Objects.requireNonNull(factory).open();
        }

        /// Closes the factory.
        @TearDown
        public void close() {
            Objects.requireNonNull(factory).close();
        }
    }
}
