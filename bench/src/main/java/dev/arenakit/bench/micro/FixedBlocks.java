package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Lwjgl;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of a short-lived arena without a loop and with constant sizes, as around a call of native code:
/// open, allocate 16, 24 and 40 bytes, write one long into each and read it back, close.
///
/// Each candidate's work is a method of its own, as in a program, and is not inlined into JMH's loop. LWJGL's stack has
/// no scopes and no bounds, and does not zero.
@BenchmarkName(value = "fixed blocks",
        measures = "Opens an arena, allocates 16, 24 and 40 bytes, uses them, and closes it, without a loop and "
                + "with constant sizes.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK, JdkInternals.ALLOW_UNSAFE})
public class FixedBlocks extends MicroBenchmark {
    /// An arena.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public long arena(Candidate candidate) {
        try (Arena arena = candidate.open()) {
            return use(arena, 16, 1) + use(arena, 24, 2) + use(arena, 40, 3);
        }
    }

    /// LWJGL's stack, raw addresses.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("LWJGL stack")
    @MemoryTraits
    public long lwjglStack(Session.OfLwjgl lwjgl) {
        try (MemoryStack stack = lwjgl.memory.push()) {
            return Lwjgl.onStack(stack, 16, 1) + Lwjgl.onStack(stack, 24, 2) + Lwjgl.onStack(stack, 40, 3);
        }
    }

    /// LWJGL's stack, raw addresses, without LWJGL's checks.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, JvmArgs.LWJGL_UNCHECKED})
    @CandidateName("LWJGL stack unchecked")
    @MemoryTraits
    public long lwjglStackUnchecked(Session.OfLwjgl lwjgl) {
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
