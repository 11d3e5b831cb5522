package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.WorkloadResult;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.candidate.peer.Lwjgl;
import dev.arenakit.bench.candidate.peer.NettyBuffers;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Measures the cost of a short-lived arena: open it, allocate some blocks, write one long into each and read it back,
/// close it.
///
/// Peers without an arena release all of their blocks at the end, as an arena would. LWJGL's stack neither has scopes
/// nor zeroes, and its raw form has no bounds; it checks whether it is full, unless LWJGL's checks are off. Netty's
/// allocators have their default settings: they have a cache for each thread that is created like an event loop's
/// threads, and no cache for other threads.
@BenchmarkName(value = "session",
        measures = "Opens an arena, allocates some blocks, writes one long into each and reads it back, and "
                + "closes it.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class Session extends MicroBenchmark {
    /// An arena.
    @Benchmark
    public long arena(Candidate candidate, WorkloadState work, WorkloadResult result) {
        try (Arena arena = candidate.open()) {
            return work.run(arena);
        }
    }

    /// malloc for all blocks, and then free for all of them, critical calls.
    @Benchmark
    @CandidateName("malloc critical")
    @MemoryTraits
    public long mallocCritical(WorkloadState work, OfMalloc malloc) {
        BlockWorkload.Blocks blocks = work.blocks();
        long[] addresses = malloc.addresses;
        long sum = 0;
        for (int i = 0; i < blocks.blocks(); i++) {
            long address = LibcAllocator.mallocCritical(blocks.byteSize(i));
            addresses[i] = address;
            LibcAllocator.MEMORY.set(JAVA_LONG_UNALIGNED, address, i);
            sum += LibcAllocator.MEMORY.get(JAVA_LONG_UNALIGNED, address);
        }
        for (int i = 0; i < blocks.blocks(); i++) {
            LibcAllocator.freeCritical(addresses[i]);
        }
        return sum;
    }

    /// Netty's adaptive allocator, with Unsafe, on a thread like the threads of an event loop.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE,
            JvmArgs.CUSTOM_THREADS, JvmArgs.EVENT_LOOP})
    @CandidateName("Netty adaptive, event loop")
    @MemoryTraits(checked = true)
    public long nettyAdaptiveEventLoop(WorkloadState work, WithUnsafe netty) {
        return run(work, netty.adaptive);
    }

    /// LWJGL's stack, raw addresses.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE})
    @CandidateName("LWJGL stack")
    @MemoryTraits
    public long lwjglStack(WorkloadState work, OfLwjgl lwjgl) {
        try (MemoryStack stack = lwjgl.memory.push()) {
            return work.blocks().run((byteSize, value) -> Lwjgl.onStack(stack, byteSize, value));
        }
    }

    /// LWJGL's stack, raw addresses, without LWJGL's checks.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, JvmArgs.LWJGL_UNCHECKED})
    @CandidateName("LWJGL stack unchecked")
    @MemoryTraits
    public long lwjglStackUnchecked(WorkloadState work, OfLwjgl lwjgl) {
        return lwjglStack(work, lwjgl);
    }

    /// LWJGL's malloc and free.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE})
    @CandidateName("LWJGL nmemAlloc")
    @MemoryTraits
    public long lwjglAlloc(WorkloadState work, OfLwjgl lwjgl) {
        Lwjgl memory = lwjgl.memory;
        long sum = work.blocks().run((byteSize, value) -> memory.use(byteSize, value));
        memory.free();
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long run(WorkloadState work, NettyBuffers buffers) {
        long sum = work.blocks().run((byteSize, value) -> buffers.use(byteSize, value));
        buffers.free();
        return sum;
    }

    /// malloc's memory.
    @State(Scope.Thread)
    public static class OfMalloc {
        // No workload has more blocks.
        final long[] addresses = new long[100];
    }

    /// Netty's allocators, with Unsafe.
    @State(Scope.Thread)
    public static class WithUnsafe {
        final NettyBuffers adaptive = new NettyBuffers(NettyBuffers.adaptive());

        /// Checks that Netty took this path.
        @Setup
        public void look() {
            NettyBuffers.requireUnsafe();
        }
    }

    /// LWJGL's memory.
    @State(Scope.Thread)
    public static class OfLwjgl {
        final Lwjgl memory = new Lwjgl();

        /// Loads the library.
        @Setup
        public void load() {
            Lwjgl.load();
        }
    }
}
