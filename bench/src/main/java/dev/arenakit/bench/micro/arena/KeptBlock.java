package dev.arenakit.bench.micro.arena;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.NativeAllocator;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Measures a block that outlives its request: open a confined arena of a pool, allocate ten blocks, write one long
/// into each, close the arena, then read the long of the last block and end its lifetime.
///
/// The candidate `none` reads the last block before the arena is closed, so that nothing outlives the request: the
/// difference to it is the price of the kept block.
@BenchmarkName(value = "kept block", baseline = "none",
        measures = "One of ten blocks of an arena is used after the arena is closed.")
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class KeptBlock extends MicroBenchmark {
    private static final int BLOCKS = 10;
    private static final SlabPool POOL = SlabPool.create();

    /// The size of a block.
    @Param({"64", "4096"})
    public long byteSize;

    private long value;

    /// No block is kept.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long none() {
        try (Arena request = POOL.openConfined()) {
            work(request);
            return written(request).get(JAVA_LONG, 0);
        }
    }

    /// The block is copied to an array of the heap.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("copy on the heap")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long array() {
        byte[] kept;
        try (Arena request = POOL.openConfined()) {
            work(request);
            kept = written(request).toArray(JAVA_BYTE);
        }
        return MemorySegment.ofArray(kept).get(JAVA_LONG_UNALIGNED, 0);
    }

    /// The block is allocated in a second arena of the pool.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("second SlabArena")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long secondArena() {
        try (Arena longer = POOL.openConfined()) {
            MemorySegment kept;
            try (Arena request = POOL.openConfined()) {
                work(request);
                kept = written(longer);
            }
            return kept.get(JAVA_LONG, 0);
        }
    }

    /// The block is allocated in an arena that stays open and frees single blocks.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("FreeListArena")
    @MemoryTraits(checked = true)
    public long freeLists(Confined confined) {
        return freeLists(confined.arena);
    }

    /// The block is allocated in an arena for all threads that stays open and frees single blocks.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("FreeListArena shared")
    @MemoryTraits(checked = true)
    public long freeListsShared(Shared shared) {
        return freeLists(shared.arena);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long freeLists(FreeListArena longer) {
        MemorySegment kept;
        try (Arena request = POOL.openConfined()) {
            work(request);
            kept = written(longer);
        }
        long read = kept.get(JAVA_LONG, 0);
        longer.free(kept);
        return read;
    }

    /// The block is the first one of an arena over malloc, which gives it away.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("MallocArena released, first")
    @MemoryTraits(checked = true)
    public long releaseFirst() {
        MemorySegment kept;
        try (Arena request = POOL.openConfined(); MallocArena blocks = MallocArena.ofConfined()) {
            work(request);
            kept = blocks.release(written(blocks));
        }
        return end(kept);
    }

    /// The block is the last one of an arena over malloc, which gives it away.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("MallocArena released, last")
    @MemoryTraits(checked = true)
    public long releaseLast() {
        MemorySegment kept;
        try (MallocArena request = MallocArena.ofConfined()) {
            work(request);
            kept = request.release(written(request));
        }
        return end(kept);
    }

    private static long end(MemorySegment kept) {
        long read = kept.get(JAVA_LONG, 0);
        NativeAllocator.libc().free(kept.address(), kept.byteSize(), 1);
        return read;
    }

    /// Allocates all blocks of a request but the last one.
    @CompilerControl(CompilerControl.Mode.INLINE)
    private void work(SegmentAllocator request) {
        for (int i = 1; i < BLOCKS; i++) {
            written(request);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private MemorySegment written(SegmentAllocator allocator) {
        MemorySegment block = allocator.allocate(byteSize, Long.BYTES);
        block.set(JAVA_LONG, 0, ++value);
        return block;
    }

    /// An arena over the pool.
    @State(Scope.Thread)
    public static class Confined {
        final FreeListArena arena = FreeListArena.builder().pool(POOL).build();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena over the pool for all threads.
    @State(Scope.Benchmark)
    public static class Shared {
        final FreeListArena arena = FreeListArena.builder().pool(POOL).shared().build();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }
}
