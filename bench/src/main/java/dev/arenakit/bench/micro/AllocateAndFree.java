package dev.arenakit.bench.micro;

import dev.arenakit.BlockAllocator;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.LibcAllocator;
import dev.arenakit.bench.candidate.NettyBuffers;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Measures the cost of allocating a block and freeing it without closing an arena: allocate, write a long, read it
/// back, free.
///
/// The arenas live as long as the benchmark; their bookkeeping of blocks is part of the cost. The peers keep no record
/// of their blocks. Netty uses its path through Unsafe.
@BenchmarkName(value = "allocate and free", baseline = "malloc critical",
        measures = "Allocates a block, writes one long, reads it back and frees the block, in an arena that "
                + "lives on.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE})
public class AllocateAndFree extends MicroBenchmark {
    /// Size of the block.
    @Param({"64", "1024"})
    public long byteSize;

    private long value;

    /// An arena for one thread.
    @Benchmark
    @CandidateName("MallocArena")
    @MemoryTraits(checked = true)
    public long confined(Confined malloc) {
        return use(malloc.arena);
    }

    /// An arena for all threads.
    @Benchmark
    @CandidateName("MallocArena shared")
    @MemoryTraits(checked = true)
    public long shared(Shared malloc) {
        return use(malloc.arena);
    }

    /// An arena with a scope for each block.
    @Benchmark
    @CandidateName("MallocArena checked")
    @MemoryTraits(checked = true, scoped = true)
    public long checked(Checked malloc) {
        return use(malloc.arena);
    }

    /// An arena for one thread, in Java.
    @Benchmark
    @CandidateName("FreeListArena")
    @MemoryTraits(checked = true)
    public long freeLists(FreeLists slabs) {
        return use(slabs.arena);
    }

    /// An arena for all threads, in Java.
    @Benchmark
    @CandidateName("FreeListArena shared")
    @MemoryTraits(checked = true)
    public long freeListsShared(FreeListsShared slabs) {
        return use(slabs.arena);
    }

    /// malloc and free, plain calls.
    @Benchmark
    @CandidateName("malloc")
    @MemoryTraits
    public long malloc() {
        long address = LibcAllocator.malloc(byteSize);
        LibcAllocator.MEMORY.set(JAVA_LONG_UNALIGNED, address, ++value);
        long read = LibcAllocator.MEMORY.get(JAVA_LONG_UNALIGNED, address);
        LibcAllocator.free(address);
        return read;
    }

    /// malloc and free, critical calls.
    @Benchmark
    @CandidateName("malloc critical")
    @MemoryTraits
    public long mallocCritical() {
        long address = LibcAllocator.mallocCritical(byteSize);
        LibcAllocator.MEMORY.set(JAVA_LONG_UNALIGNED, address, ++value);
        long read = LibcAllocator.MEMORY.get(JAVA_LONG_UNALIGNED, address);
        LibcAllocator.freeCritical(address);
        return read;
    }

    /// LWJGL's malloc and free.
    @Benchmark
    @CandidateName("LWJGL nmemAlloc")
    @MemoryTraits
    public long lwjgl(Session.OfLwjgl lwjgl) {
        long read = lwjgl.memory.use(byteSize, ++value);
        lwjgl.memory.free();
        return read;
    }

    /// Netty's adaptive allocator.
    @Benchmark
    @CandidateName("Netty adaptive")
    @MemoryTraits(checked = true)
    public long nettyAdaptive(Session.WithUnsafe netty) {
        long read = netty.adaptive.use(byteSize, ++value);
        netty.adaptive.free();
        return read;
    }

    /// Netty's adaptive allocator, on a thread like those of an event loop.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE,
            JvmArgs.CUSTOM_THREADS, JvmArgs.EVENT_LOOP})
    @CandidateName("Netty adaptive, event loop")
    @MemoryTraits(checked = true)
    public long nettyAdaptiveEventLoop(Session.WithUnsafe netty) {
        return nettyAdaptive(netty);
    }

    /// Netty's pooled allocator.
    @Benchmark
    @CandidateName("Netty pooled")
    @MemoryTraits(checked = true)
    public long nettyPooled(Session.WithUnsafe netty) {
        long read = netty.pooled.use(byteSize, ++value);
        netty.pooled.free();
        return read;
    }

    /// Netty's pooled allocator, on a thread like those of an event loop.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE,
            JvmArgs.CUSTOM_THREADS, JvmArgs.EVENT_LOOP})
    @CandidateName("Netty pooled, event loop")
    @MemoryTraits(checked = true)
    public long nettyPooledEventLoop(Session.WithUnsafe netty) {
        return nettyPooled(netty);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long use(BlockAllocator arena) {
        MemorySegment block = arena.allocate(byteSize, Long.BYTES);
        block.set(JAVA_LONG, 0, ++value);
        long read = block.get(JAVA_LONG, 0);
        arena.free(block);
        return read;
    }

    /// An arena for one thread.
    @State(Scope.Thread)
    public static class Confined {
        final MallocArena arena = MallocArena.ofConfined();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena for all threads.
    @State(Scope.Thread)
    public static class Shared {
        final MallocArena arena = MallocArena.ofShared();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena with a scope for each block.
    @State(Scope.Thread)
    public static class Checked {
        final MallocArena arena = MallocArena.builder().checked().build();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena for one thread, in Java.
    @State(Scope.Thread)
    public static class FreeLists {
        final FreeListArena arena = FreeListArena.ofConfined();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena for all threads, in Java.
    @State(Scope.Thread)
    public static class FreeListsShared {
        final FreeListArena arena = FreeListArena.ofShared();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }
}
