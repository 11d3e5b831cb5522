package dev.arenakit.bench.micro.arena;

import dev.arenakit.BlockAllocator;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.OffsetAllocator;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.candidate.peer.NativePairs;
import dev.arenakit.bench.candidate.peer.NettyBuffers;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Measures an allocation and a `free` in an allocator that stays open: allocate a block, write a long, read it back,
/// free.
///
/// The bookkeeping of an arena's blocks is part of the cost. The native allocators have neither bounds nor scopes.
@BenchmarkName(value = "allocate and free", baseline = "malloc critical",
        measures = "Allocates a block, writes one long, reads it back and frees the block, in an allocator that stays "
                + "open.")
public class AllocateAndFree extends MicroBenchmark {
    private static final int SIZES = 1024;
    private static final long MEMORY = 16 << 20;

    /// Size of the blocks, or `mixed`, from 16 to 1,024 bytes.
    @Param({"16", "64", "256", "1024", "mixed"})
    public String size = "";

    private final long[] sizes = new long[SIZES];
    private int index;
    private long value;

    /// Chooses the sizes.
    @Setup
    public void choose() {
        Random random = new Random(42);
        for (int i = 0; i < SIZES; i++) {
            sizes[i] = size.equals("mixed") ? random.nextLong(16, 1025) : Long.parseLong(size);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long next() {
        return sizes[index++ & (SIZES - 1)];
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long use(MemorySegment memory, long offset) {
        memory.set(JAVA_LONG_UNALIGNED, offset, ++value);
        return memory.get(JAVA_LONG_UNALIGNED, offset);
    }

    /// malloc and free, critical calls.
    @Benchmark
    @CandidateName("malloc critical")
    @MemoryTraits
    public long malloc() {
        long address = LibcAllocator.mallocCritical(next());
        long read = use(LibcAllocator.MEMORY, address);
        LibcAllocator.freeCritical(address);
        return read;
    }

    /// mimalloc, critical calls.
    @Benchmark
    @CandidateName("mimalloc critical")
    @MemoryTraits
    public long mimalloc(Mimalloc library) {
        long address = NativePairs.mimalloc(next());
        long read = use(LibcAllocator.MEMORY, address);
        NativePairs.mimallocFree(address);
        return read;
    }

    /// jemalloc, critical calls.
    @Benchmark
    @CandidateName("jemalloc critical")
    @MemoryTraits
    public long jemalloc(Jemalloc library) {
        long address = NativePairs.jemalloc(next());
        long read = use(LibcAllocator.MEMORY, address);
        NativePairs.jemallocFree(address);
        return read;
    }

    /// Offsets, for one thread.
    @Benchmark
    @CandidateName("OffsetAllocator raw")
    @MemoryTraits
    public long raw(Confined slabs) {
        return raw(slabs.allocator);
    }

    /// Offsets, for all threads.
    @Benchmark
    @CandidateName("OffsetAllocator raw shared")
    @MemoryTraits
    public long rawShared(Shared slabs) {
        return raw(slabs.allocator);
    }

    /// Segments of an arena for one thread.
    @Benchmark
    @CandidateName("FreeListArena")
    @MemoryTraits(checked = true)
    public long blocks(Confined slabs) {
        return segment(slabs.arena);
    }

    /// Segments of an arena for all threads.
    @Benchmark
    @CandidateName("FreeListArena shared")
    @MemoryTraits(checked = true)
    public long blocksShared(Shared slabs) {
        return segment(slabs.arena);
    }

    /// Segments of an arena over malloc, for one thread.
    @Benchmark
    @CandidateName("MallocArena")
    @MemoryTraits(checked = true)
    public long mallocArena(Confined malloc) {
        return segment(malloc.overMalloc);
    }

    /// Segments of an arena over malloc, for all threads.
    @Benchmark
    @CandidateName("MallocArena shared")
    @MemoryTraits(checked = true)
    public long mallocArenaShared(Shared malloc) {
        return segment(malloc.overMalloc);
    }

    /// LWJGL's malloc and free.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE})
    @CandidateName("LWJGL nmemAlloc")
    @MemoryTraits
    public long lwjgl(Session.OfLwjgl lwjgl) {
        long read = lwjgl.memory.use(next(), ++value);
        lwjgl.memory.free();
        return read;
    }

    /// Netty's adaptive allocator with Unsafe, on a thread like the threads of an event loop.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE,
            JvmArgs.CUSTOM_THREADS, JvmArgs.EVENT_LOOP})
    @CandidateName("Netty adaptive, event loop")
    @MemoryTraits(checked = true)
    public long nettyAdaptiveEventLoop(Session.WithUnsafe netty) {
        long read = netty.adaptive.use(next(), ++value);
        netty.adaptive.free();
        return read;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long raw(OffsetAllocator allocator) {
        long offset = allocator.allocateRaw(next());
        long read = use(allocator.memory(), offset);
        allocator.freeRaw(offset);
        return read;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long segment(BlockAllocator allocator) {
        MemorySegment block = allocator.allocate(next(), 1);
        long read = use(block, 0);
        allocator.free(block);
        return read;
    }

    /// Allocators for one thread.
    @State(Scope.Thread)
    public static class Confined {
        final Arena memory = Arena.ofConfined();
        final OffsetAllocator allocator = OffsetAllocator.over(memory.allocate(MEMORY));
        final FreeListArena arena = FreeListArena.ofConfined();
        final MallocArena overMalloc = MallocArena.ofConfined();

        /// Frees the memory.
        @TearDown
        public void close() {
            memory.close();
            arena.close();
            overMalloc.close();
        }
    }

    /// Allocators for all threads.
    @State(Scope.Benchmark)
    public static class Shared {
        final Arena memory = Arena.ofShared();
        final OffsetAllocator allocator = OffsetAllocator.overShared(memory.allocate(MEMORY));
        final FreeListArena arena = FreeListArena.ofShared();
        final MallocArena overMalloc = MallocArena.ofShared();

        /// Frees the memory.
        @TearDown
        public void close() {
            memory.close();
            arena.close();
            overMalloc.close();
        }
    }

    /// mimalloc.
    @State(Scope.Benchmark)
    public static class Mimalloc {
        /// Looks for the library.
        @Setup
        public void load() {
            NativePairs.requireMimalloc();
        }
    }

    /// jemalloc.
    @State(Scope.Benchmark)
    public static class Jemalloc {
        /// Looks for the library.
        @Setup
        public void load() {
            NativePairs.requireJemalloc();
        }
    }

    /// Two threads.
    @BenchmarkName(value = "allocate and free, two threads", baseline = "malloc critical",
            measures = "Two threads at once allocate a block, write one long, read it back and free the block.")
    @Threads(2)
    public static class OfTwo extends AllocateAndFree {
        /// Created by JMH.
        public OfTwo() {}
    }
}
