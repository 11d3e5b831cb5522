package dev.arenakit.bench.micro.arena;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of a frame inside a long-lived arena, against an arena of its own: push, allocate three blocks of
/// 32 bytes, write one long into each and read it back, pop.
///
/// Each candidate's work is a method of its own, as in a program, and is not inlined into JMH's loop: C2 peels the
/// first iteration of a loop, and twice this code is more than it inlines.
///
/// The frame has its own scope and is zeroed, like the arena. LWJGL's stack neither has scopes nor zeroes.
@BenchmarkName(value = "frames", baseline = "SlabArena",
        measures = "Allocates three blocks in a frame of a long-lived arena, or in an arena of their own.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE})
public class Frames extends MicroBenchmark {
    private static final long BYTE_SIZE = 32;
    private static final SlabPool POOL = SlabPool.create();

    /// An arena of its own.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("SlabArena")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long open() {
        try (Arena arena = POOL.openConfined()) {
            return work(arena);
        }
    }

    /// A frame of an arena.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("SlabArena frame")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long frame(Parent parent) {
        try (Arena frame = parent.arena.pushFrame()) {
            return work(frame);
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

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }
}
