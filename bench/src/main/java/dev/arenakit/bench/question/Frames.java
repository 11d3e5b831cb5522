package dev.arenakit.bench.question;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
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
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What does a frame cost inside an arena that lives long, against an arena of its own: push, allocate three blocks of 32 bytes,
/// write one long into each and read it back, pop?
///
/// Each is a method of its own, as in a program, and not inlined into JMH's loop: C2 takes the first round out of a loop, and twice
/// this is more than it inlines.
///
/// The frame has a scope of its own and is zeroed, as the arena is. LWJGL's stack has neither scopes nor zeros.
@Question(value = "frames", baseline = "SlabArena")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE})
public class Frames {
    private static final long BYTE_SIZE = 32;
    private static final SlabPool POOL = SlabPool.create();

    /// An arena of its own.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @Label("SlabArena")
    public long open() {
        try (Arena arena = POOL.openConfined()) {
            return work(arena);
        }
    }

    /// A frame of an arena.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @Label("SlabArena frame")
    public long frame(Parent parent) {
        try (Arena frame = parent.arena.pushFrame()) {
            return work(frame);
        }
    }

    /// A frame of LWJGL's stack.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @Label("LWJGL stack")
    public long lwjgl(Session.OfLwjgl lwjgl) {
        try (MemoryStack stack = lwjgl.memory.push()) {
            return Lwjgl.onStack(stack, BYTE_SIZE, 1) + Lwjgl.onStack(stack, BYTE_SIZE, 2)
                    + Lwjgl.onStack(stack, BYTE_SIZE, 3);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long work(Arena arena) {
        return use(arena, 1) + use(arena, 2) + use(arena, 3);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long use(Arena arena, long value) {
        MemorySegment block = arena.allocate(BYTE_SIZE, Long.BYTES);
        block.set(JAVA_LONG, 0, value);
        return block.get(JAVA_LONG, 0);
    }

    /// An arena that lives as long as the benchmark.
    @State(Scope.Thread)
    public static class Parent {
        final SlabArena arena = POOL.openConfined();

        /// Closes it.
        @TearDown
        public void close() {
            arena.close();
        }
    }
}
