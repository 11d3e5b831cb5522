package dev.arenakit.bench.question;

import dev.arenakit.SlabPool;
import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Does an arena cost the same while many others are open: open, allocate ten blocks of 32 bytes, write one long into each and
/// read it back, close, while `others` arenas of the same kind, or pool, are open?
///
/// Each of the others has one allocation. The slabs have 4 KiB, so that 10,000 of them fit anywhere; for the same reason the
/// pools with larger ones are not asked. The pools are in fields, not constants, so that the figures are higher than those
/// of `Session`.
@Question("live arenas")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public class LiveArenas {
    private static final int BLOCKS = 10;
    private static final long BYTE_SIZE = 32;
    private static final long SLAB_SIZE = 4096;
    // Room for the others and the one that is measured.
    private static final long MAX_BYTES = 16_384 * SLAB_SIZE;

    /// Number of arenas that are open meanwhile.
    @Param({"1", "10", "100", "1000", "10000"})
    public int others;

    /// An arena.
    @Benchmark
    public long arena(Contestant contestant, OfContestant live) {
        try (Arena arena = contestant.open()) {
            return work(arena);
        }
    }

    /// An arena of an unbounded pool.
    @Benchmark
    @Label("SlabArena of 4 KiB")
    public long slab(OfPool live) {
        try (Arena arena = live.pool.openConfined()) {
            return work(arena);
        }
    }

    /// An arena of a bounded pool.
    @Benchmark
    @Label("SlabArena bounded of 4 KiB")
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

    /// Arenas of the contestant's provider.
    @State(Scope.Thread)
    public static class OfContestant {
        private final Open open = new Open();

        /// Opens them.
        @Setup
        public void open(LiveArenas question, Contestant contestant) {
            open.fill(question.others, contestant::open);
        }

        /// Closes them.
        @TearDown
        public void close() {
            open.close();
        }
    }

    /// Arenas of an unbounded pool.
    @State(Scope.Thread)
    public static class OfPool {
        private final Open open = new Open();
        final SlabPool pool = SlabPool.builder().slabSize(SLAB_SIZE).build();

        /// Opens them.
        @Setup
        public void open(LiveArenas question) {
            open.fill(question.others, pool::openConfined);
        }

        /// Closes them, and the pool.
        @TearDown
        public void close() {
            open.close();
            pool.close();
        }
    }

    /// Arenas of a bounded pool.
    @State(Scope.Thread)
    public static class OfBoundedPool {
        private final Open open = new Open();
        final SlabPool pool = SlabPool.builder().slabSize(SLAB_SIZE).maxBytes(MAX_BYTES).build();

        /// Opens them.
        @Setup
        public void open(LiveArenas question) {
            open.fill(question.others, pool::openConfined);
        }

        /// Closes them, and the pool.
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

        /// In the order in which frames of a stack must be.
        void close() {
            arenas.reversed().forEach(Arena::close);
            arenas.clear();
        }
    }
}
