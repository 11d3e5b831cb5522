package dev.arenakit.bench.micro.arena;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures memory that changes hands: open a confined arena, allocate ten blocks, write one long into each, make the
/// memory available to the thread that finishes the request, read one long of the last block, and release everything.
///
/// One thread does both parts, so that the figure has no hand-over between threads in it. The candidate `SlabArena`
/// finishes the request in the first arena, which only a single thread can do: the difference to it is the price of
/// changing hands.
@BenchmarkName(value = "detach", baseline = "SlabArena copied",
        measures = "Ten blocks of an arena change hands: they are copied to a second arena, or the arena is detached and "
                + "attached.")
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class Detach extends MicroBenchmark {
    private static final int BLOCKS = 10;
    private static final SlabPool POOL = SlabPool.create();
    /// A pool of its own: a detached arena changes where a pool keeps its slabs.
    private static final SlabPool DETACHING = SlabPool.create();

    /// The size of a block.
    @Param({"32", "1024"})
    public long byteSize;

    private long value;

    /// One arena, which does not change hands.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("SlabArena")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long open() {
        try (Arena arena = POOL.openConfined()) {
            return write(arena).get(JAVA_LONG, 0);
        }
    }

    /// The arena is detached and attached.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("SlabArena detached")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long detach() {
        MemorySegment last;
        SlabParcel parcel;
        try (SlabArena arena = DETACHING.openConfined()) {
            last = write(arena);
            parcel = arena.detach();
        }
        try (SlabArena arena = parcel.attach()) {
            return arena.scope().isAlive() ? parcel.segment(last).get(JAVA_LONG, 0) : 0;
        }
    }

    /// The blocks are copied to a second arena of a pool.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("SlabArena copied")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long copy() {
        try (Arena first = POOL.openConfined(); Arena second = POOL.openConfined()) {
            return copy(first, second);
        }
    }

    /// The blocks are copied to a second arena of the JDK.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    @CandidateName("Arena.ofConfined copied")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long ofConfined() {
        try (Arena first = Arena.ofConfined(); Arena second = Arena.ofConfined()) {
            return copy(first, second);
        }
    }

    /// An arena of a pool for all threads, which both threads use.
    @Benchmark
    @CandidateName("SlabArena shared")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long shared() {
        try (Arena arena = POOL.openShared()) {
            return write(arena).get(JAVA_LONG, 0);
        }
    }

    /// An arena of the JDK for all threads.
    @Benchmark
    @CandidateName("Arena.ofShared")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long ofShared() {
        try (Arena arena = Arena.ofShared()) {
            return write(arena).get(JAVA_LONG, 0);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private MemorySegment write(Arena arena) {
        MemorySegment block = MemorySegment.NULL;
        for (int i = 0; i < BLOCKS; i++) {
            block = arena.allocate(byteSize, Long.BYTES);
            block.set(JAVA_LONG, 0, ++value);
        }
        return block;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long copy(Arena first, Arena second) {
        MemorySegment copy = MemorySegment.NULL;
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment block = first.allocate(byteSize, Long.BYTES);
            block.set(JAVA_LONG, 0, ++value);
            copy = second.allocate(byteSize, Long.BYTES).copyFrom(block);
        }
        return copy.get(JAVA_LONG, 0);
    }
}
