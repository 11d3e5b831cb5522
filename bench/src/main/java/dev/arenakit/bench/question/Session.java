package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Work;
import dev.arenakit.bench.report.Question;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// What does a scope's worth of work cost: open an arena, allocate some blocks, write one long into each and read it
/// back, close?
@Question("session")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public class Session {
    /// An arena.
    @Benchmark
    public long arena(Contestant contestant, Work work) {
        try (Arena arena = contestant.open()) {
            return work.run(arena);
        }
    }
}
