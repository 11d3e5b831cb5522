package dev.arenakit.bench.micro.arena;

import dev.arenakit.OffsetAllocator;
import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.lang.foreign.Arena;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Measures freeing 10,000 blocks of 64 bytes one by one. This thread or another thread has just allocated them. This
/// thread always allocates the blocks of malloc.
@BenchmarkName(value = "free by another thread", baseline = "malloc critical",
        measures = "Frees 10,000 blocks of 64 bytes one by one, which this thread or another one has just allocated.")
@OperationsPerInvocation(RemoteFree.BLOCKS)
public class RemoteFree extends MicroBenchmark {
    /// Number of blocks.
    public static final int BLOCKS = 10_000;
    private static final long BYTE_SIZE = 64;
    private static final long MEMORY = 16 << 20;

    /// Blocks of malloc.
    @Benchmark
    @CandidateName("malloc critical")
    public int malloc(Malloc malloc) {
        for (long address : malloc.addresses) {
            LibcAllocator.freeCritical(address);
        }
        return BLOCKS;
    }

    /// Blocks of this thread.
    @Benchmark
    @CandidateName("own")
    public int local(Local local) {
        return free(local);
    }

    /// Blocks of another thread.
    @Benchmark
    @CandidateName("of another thread")
    public int remote(Remote remote) {
        return free(remote);
    }

    private static int free(Blocks blocks) {
        for (long offset : blocks.offsets) {
            blocks.allocator.freeRaw(offset);
        }
        return BLOCKS;
    }

    /// The blocks of malloc.
    @State(Scope.Thread)
    public static class Malloc {
        final long[] addresses = new long[BLOCKS];

        /// Allocates the blocks.
        @Setup(Level.Invocation)
        public void allocate() {
            SetupTime.run(this::fill);
        }

        private void fill() {
            for (int i = 0; i < BLOCKS; i++) {
                addresses[i] = LibcAllocator.mallocCritical(BYTE_SIZE);
            }
        }
    }

    /// Blocks of an allocator, as offsets: the setup must leave no garbage, which JMH would count.
    static class Blocks {
        final Arena arena = Arena.ofShared();
        final OffsetAllocator allocator = OffsetAllocator.overShared(arena.allocate(MEMORY));
        final long[] offsets = new long[BLOCKS];

        void fill() {
            for (int i = 0; i < BLOCKS; i++) {
                offsets[i] = allocator.allocateRaw(BYTE_SIZE);
            }
        }
    }

    /// Blocks that this thread allocates.
    @State(Scope.Thread)
    public static class Local extends Blocks {
        /// Created by JMH.
        public Local() {}

        /// Allocates the blocks.
        @Setup(Level.Invocation)
        public void allocate() {
            SetupTime.run(this::fill);
        }

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// Blocks that another thread allocates.
    @State(Scope.Thread)
    public static class Remote extends Blocks {
        private final ExecutorService owner = Executors.newSingleThreadExecutor();

        /// Created by JMH.
        public Remote() {}

        /// Allocates the blocks.
        @Setup(Level.Invocation)
        public void allocate() {
            try {
                owner.submit(this::fill).get();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        /// Closes the arena.
        @TearDown
        public void close() {
            owner.close();
            arena.close();
        }
    }
}
