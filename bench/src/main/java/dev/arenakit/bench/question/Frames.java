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
/// The frame has a scope of its own and is zeroed, as the arena is. LWJGL's stack has neither scopes nor zeros.
@Question(value = "frames", baseline = "SlabArena")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE})
public class Frames {
    private static final int BLOCKS = 3;
    private static final long BYTE_SIZE = 32;
    private static final SlabPool POOL = SlabPool.create();

    /// An arena of its own.
    @Benchmark
    @Label("SlabArena")
    public long open() {
        try (Arena arena = POOL.openConfined()) {
            return work(arena);
        }
    }

    /// A frame of an arena.
    @Benchmark
    @Label("SlabArena frame")
    public long frame(Parent parent) {
        try (Arena frame = parent.arena.pushFrame()) {
            return work(frame);
        }
    }

    /// A frame of LWJGL's stack.
    @Benchmark
    @Label("LWJGL stack")
    public long lwjgl(Session.OfLwjgl lwjgl) {
        try (MemoryStack stack = lwjgl.memory.push()) {
            long sum = 0;
            for (int i = 0; i < BLOCKS; i++) {
                sum += Lwjgl.onStack(stack, BYTE_SIZE, i);
            }
            return sum;
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long work(Arena arena) {
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment block = arena.allocate(BYTE_SIZE, Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            sum += block.get(JAVA_LONG, 0);
        }
        return sum;
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
