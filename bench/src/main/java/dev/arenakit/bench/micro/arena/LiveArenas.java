package dev.arenakit.bench.micro.arena;

import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures whether an arena costs the same while many others are open: open, allocate ten blocks of 32 bytes, write
/// one long into each and read it back, close, while `others` arenas of the same kind, or of the same pool, are open.
///
/// Each of the other arenas has one allocation. The slabs have 4 KiB, so that 10,000 of them fit into memory; pools
/// with larger slabs are left out for the same reason. The pools are in instance fields, not constants, so the figures
/// are higher than those of `Session`.
@BenchmarkName(value = "live arenas",
        measures = "Opens, uses and closes an arena with ten blocks while many arenas of the same kind are open.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class LiveArenas extends MicroBenchmark {
    private static final int BLOCKS = 10;
    private static final long BYTE_SIZE = 32;
    private static final long SLAB_SIZE = 4096;
    // The limit of bounded pools, enough for the other arenas and the measured arena.
    private static final long MAX_BYTES = 16_384 * SLAB_SIZE;

    /// Number of other arenas that are open.
    @Param({"1", "10", "100", "1000", "5000", "10000"})
    public int others;

    /// An arena.
    @Benchmark
    public long arena(Candidate candidate, OfCandidate live) {
        try (Arena arena = candidate.open()) {
            return work(arena);
        }
    }

    /// An arena of an unbounded pool.
    @Benchmark
    @CandidateName("SlabArena of 4 KiB")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long slab(OfPool live) {
        try (Arena arena = live.pool.openConfined()) {
            return work(arena);
        }
    }

    /// An arena of a bounded pool.
    @Benchmark
    @CandidateName("SlabArena bounded of 4 KiB")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long slabBounded(OfBoundedPool live) {
        try (Arena arena = live.pool.openConfined()) {
            return work(arena);
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

    /// The benchmark in a JVM that assumes 64 processors, and scales its own structures for them.
    @BenchmarkName(value = "live arenas, 64 processors",
            measures = "Opens, uses and closes an arena with ten blocks while many others are open, in a JVM "
                    + "that assumes 64 processors.")
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK, JvmArgs.PROCESSORS_64})
    public static class On64 extends LiveArenas {
        /// Created by JMH.
        public On64() {}
    }

    /// Other arenas of the candidate's provider.
    @State(Scope.Thread)
    public static class OfCandidate {
        private final Open open = new Open();

        /// Opens the other arenas.
        @Setup
        public void open(LiveArenas benchmark, Candidate candidate) {
            open.fill(benchmark.others, candidate::open);
        }

        /// Closes the other arenas.
        @TearDown
        public void close() {
            open.close();
        }
    }

    /// Other arenas of an unbounded pool.
    @State(Scope.Thread)
    public static class OfPool {
        private final Open open = new Open();
        final SlabPool pool = SlabPool.builder().slabByteSize(SLAB_SIZE).build();

        /// Opens the other arenas.
        @Setup
        public void open(LiveArenas benchmark) {
            open.fill(benchmark.others, pool::openConfined);
        }

        /// Closes the other arenas and the pool.
        @TearDown
        public void close() {
            open.close();
            pool.close();
        }
    }

    /// Other arenas of a bounded pool.
    @State(Scope.Thread)
    public static class OfBoundedPool {
        private final Open open = new Open();
        final SlabPool pool = SlabPool.builder().slabByteSize(SLAB_SIZE).maxByteSize(MAX_BYTES).build();

        /// Opens the other arenas.
        @Setup
        public void open(LiveArenas benchmark) {
            open.fill(benchmark.others, pool::openConfined);
        }

        /// Closes the other arenas and the pool.
        @TearDown
        public void close() {
            open.close();
            pool.close();
        }
    }

    private static final class Open {
        private final List<Arena> arenas = new ArrayList<>();

        void fill(int count, Supplier<Arena> opening) {
            for (int i = 0; i < count; i++) {
                Arena arena = opening.get();
                arenas.add(arena);
                arena.allocate(BYTE_SIZE, Long.BYTES);
            }
        }

        /// Closes the newest arena first, as the frames of a stack require.
        void close() {
            arenas.reversed().forEach(Arena::close);
            arenas.clear();
        }
    }
}
