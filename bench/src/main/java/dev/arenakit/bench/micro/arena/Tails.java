package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Latency;
import dev.arenakit.bench.candidate.WorkloadResult;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;

/// Measures how long the slowest of many short-lived arenas take. Each arena is used as in [Session].
@BenchmarkName(value = "tails",
        measures = "Opens an arena, allocates some blocks, writes one long into each and reads it back, and closes it; "
                + "every time is recorded.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class Tails extends MicroBenchmark {
    /// An arena.
    @Benchmark
    public long arena(Candidate candidate, WorkloadState work, Latency latency, WorkloadResult result) {
        long sum = 0;
        for (int i = 0; i < latency.batch; i++) {
            try (Arena arena = candidate.open()) {
                sum += work.run(arena);
            }
        }
        latency.record();
        return sum;
    }
}
