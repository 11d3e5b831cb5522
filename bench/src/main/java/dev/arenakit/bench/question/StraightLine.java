package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Lwjgl;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What does a scope's worth of work cost where there is no loop and every size is a constant, as around a call of native
/// code: open, allocate 16, 24 and 40 bytes, write one long into each and read it back, close?
///
/// Each is a method of its own, as in a program, and not inlined into JMH's loop. LWJGL's stack has neither scopes, zeros nor bounds.
@Question("straight line")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK, JdkPeers.ALLOW_UNSAFE})
public class StraightLine {
    /// An arena.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public long arena(Contestant contestant) {
        try (Arena arena = contestant.open()) {
            return use(arena, 16, 1) + use(arena, 24, 2) + use(arena, 40, 3);
        }
    }

    /// LWJGL's stack, raw addresses.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @Label("LWJGL stack")
    public long lwjglStack(Session.OfLwjgl lwjgl) {
        try (MemoryStack stack = lwjgl.memory.push()) {
            return Lwjgl.onStack(stack, 16, 1) + Lwjgl.onStack(stack, 24, 2) + Lwjgl.onStack(stack, 40, 3);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long use(Arena arena, long byteSize, long value) {
        MemorySegment block = arena.allocate(byteSize, Long.BYTES);
        block.set(JAVA_LONG, 0, value);
        return block.get(JAVA_LONG, 0);
    }
}
