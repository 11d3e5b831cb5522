package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.WorkloadResult;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Threads;

/// Measures a thread's cost of opening an arena, allocating from it and closing it, while other threads do the same
/// with arenas of their own.
///
/// The figure is for one operation of one thread. It equals the figure of a single thread if the threads do not slow
/// each other down. On a machine with fewer cores than threads, the threads take turns, and only the CPU times can be
/// compared.
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public abstract class Concurrent extends MicroBenchmark {
    /// An arena.
    @Benchmark
    public long arena(Candidate candidate, WorkloadState work, WorkloadResult result) {
        try (Arena arena = candidate.open()) {
            return work.run(arena);
        }
    }

    /// Two threads.
    @BenchmarkName(value = "two threads",
            measures = "Opens, uses and closes arenas on two threads at once; each thread has its own arenas.")
    @Threads(2)
    public static class OfTwo extends Concurrent {
        /// Created by JMH.
        public OfTwo() {}
    }

    /// Two virtual threads.
    @BenchmarkName(value = "two virtual threads",
            measures = "Opens, uses and closes arenas on two virtual threads at once; each thread has its own "
                    + "arenas.")
    @Threads(2)
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK, JvmArgs.VIRTUAL_THREADS})
    public static class TwoVirtual extends Concurrent {
        /// Created by JMH.
        public TwoVirtual() {}
    }
}
