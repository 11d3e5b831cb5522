package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Latency;
import dev.arenakit.bench.candidate.WorkloadResult;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.report.BenchmarkName;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Measures how long the slowest of many short-lived arenas take. Each arena is used as in [Session].
@BenchmarkName(value = "tails",
        measures = "Opens an arena, allocates some blocks, writes one long into each and reads it back, and closes it; "
                + "every time is recorded.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class Tails {
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
