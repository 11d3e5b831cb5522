package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Plan;
import dev.arenakit.bench.contestant.Work;
import dev.arenakit.bench.report.Question;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What does a scope's worth of work cost where the arena escapes, as it does in many real programs: where it is seen by code
/// that is not compiled together with its opening and closing?
///
/// Arena and segments are objects on the Java heap then, or some of them.
@Question("escaping")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public class Escaping {
    private static final int MOST = 100;
    // One in a thousand, roughly.
    private static final int RARELY = 1024;

    /// How the arena escapes: it is `passed` to a method that is not inlined; the segments are `stored` in fields as well; or
    /// it is passed in a `rare` case only.
    @Param({"passed", "stored", "rare"})
    public String escape = "";

    private final @Nullable MemorySegment[] stored = new MemorySegment[MOST];
    private int sessions;

    /// An arena.
    @Benchmark
    public long arena(Contestant contestant, Work work) {
        try (Arena arena = contestant.open()) {
            return switch (escape) {
                case "passed" -> passed(arena, work);
                case "stored" -> stored(arena, work.plan());
                default -> sessions++ % RARELY == 0 ? passed(arena, work) : work.run(arena);
            };
        }
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private static long passed(Arena arena, Work work) {
        return work.run(arena);
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private long stored(Arena arena, Plan plan) {
        for (int i = 0; i < plan.blocks(); i++) {
            MemorySegment block = arena.allocate(plan.byteSize(i), Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            stored[i] = block;
        }
        long sum = 0;
        for (int i = 0; i < plan.blocks(); i++) {
            MemorySegment block = stored[i];
            sum += block == null ? 0 : block.get(JAVA_LONG, 0);
        }
        return sum;
    }
}
