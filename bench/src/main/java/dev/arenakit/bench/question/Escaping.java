package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
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

/// What does the work of a session of ten small blocks cost where the arena escapes, as it does in many real programs:
/// where it is seen by code that is not compiled together with its opening and closing?
///
/// Arena and segments are objects on the Java heap then, or some of them.
@Question("escaping")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public class Escaping {
    private static final int BLOCKS = 10;
    private static final long SMALL = 32;
    // One in a thousand, roughly.
    private static final int RARELY = 1024;

    /// How the arena escapes: it is `passed` to a method that is not inlined; the segments are `stored` in fields as well; or
    /// it is passed in a `rare` case only.
    @Param({"passed", "stored", "rare"})
    public String escape = "";

    private final @Nullable MemorySegment[] stored = new MemorySegment[BLOCKS];
    private int sessions;

    /// An arena.
    @Benchmark
    public long arena(Contestant contestant) {
        try (Arena arena = contestant.open()) {
            return switch (escape) {
                case "passed" -> passed(arena);
                case "stored" -> stored(arena);
                default -> sessions++ % RARELY == 0 ? passed(arena) : here(arena);
            };
        }
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private static long passed(Arena arena) {
        return here(arena);
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private long stored(Arena arena) {
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment block = arena.allocate(SMALL, Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            stored[i] = block;
        }
        long sum = 0;
        for (MemorySegment block : stored) {
            sum += block == null ? 0 : block.get(JAVA_LONG, 0);
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long here(Arena arena) {
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment block = arena.allocate(SMALL, Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            sum += block.get(JAVA_LONG, 0);
        }
        return sum;
    }
}
