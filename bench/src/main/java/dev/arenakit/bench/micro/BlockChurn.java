package dev.arenakit.bench.micro;

import dev.arenakit.SlabAllocator;
import dev.arenakit.SlabBlockArena;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Libc;
import dev.arenakit.bench.candidate.NativePairs;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Measures allocators that replace random blocks by others, for the memory that they need beyond that of the blocks:
/// blocks that are mostly small, some of up to 8 KiB.
@BenchmarkName(value = "block churn", baseline = "malloc critical",
        measures = "Frees a random one of many blocks, allocates a block of another size instead, and writes every "
                + "64th byte.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class BlockChurn {
    private static final int LINE = 64;
    // Any seed works; a fixed one gives every candidate the same sizes.
    private static final long SEED = 42;

    /// Number of blocks that live.
    @Param({"2000", "200000"})
    public int blocks;

    private long[] addresses = new long[0];
    private long[] sizes = new long[0];
    private final Random random = new Random(SEED);

    /// malloc and free, critical calls.
    @Benchmark
    @CandidateName("malloc critical")
    public long malloc(OfMalloc allocator) {
        return replace(allocator);
    }

    /// mimalloc.
    @Benchmark
    public long mimalloc(OfMimalloc allocator) {
        return replace(allocator);
    }

    /// jemalloc.
    @Benchmark
    public long jemalloc(OfJemalloc allocator) {
        return replace(allocator);
    }

    /// Segments of an arena for one thread.
    @Benchmark
    @CandidateName("SlabBlockArena")
    public long slabBlocks(OfSlabs allocator) {
        return replace(allocator);
    }

    private long replace(Filled allocator) {
        return replace(allocator, random.nextInt(blocks));
    }

    private long replace(Filled allocator, int slot) {
        if (addresses[slot] != 0) {
            allocator.free(addresses[slot], sizes[slot]);
        }
        long byteSize = 16L + random.nextInt(1 << (4 + Math.min(random.nextInt(64), random.nextInt(10))));
        long address = allocator.allocate(byteSize);
        for (long offset = 0; offset < byteSize; offset += LINE) {
            Libc.MEMORY.set(JAVA_BYTE, address + offset, (byte) slot);
        }
        addresses[slot] = address;
        sizes[slot] = byteSize;
        return address;
    }

    /// The blocks of a candidate.
    @State(Scope.Thread)
    public abstract static class Filled {
        abstract long allocate(long byteSize);

        abstract void free(long address, long byteSize);

        /// Allocates all blocks.
        @Setup
        public void fill(BlockChurn churn) {
            churn.addresses = new long[churn.blocks];
            churn.sizes = new long[churn.blocks];
            for (int slot = 0; slot < churn.blocks; slot++) {
                churn.replace(this, slot);
            }
        }

        /// Frees all blocks.
        @TearDown
        public void empty(BlockChurn churn) {
            for (int slot = 0; slot < churn.blocks; slot++) {
                free(churn.addresses[slot], churn.sizes[slot]);
            }
        }
    }

    /// Blocks of malloc.
    public static class OfMalloc extends Filled {
        @Override
        long allocate(long byteSize) {
            return Libc.mallocCritical(byteSize);
        }

        @Override
        void free(long address, long byteSize) {
            Libc.freeCritical(address);
        }
    }

    /// Blocks of mimalloc.
    public static class OfMimalloc extends Filled {
        @Override
        public void fill(BlockChurn churn) {
            NativePairs.requireMimalloc();
            super.fill(churn);
        }

        @Override
        long allocate(long byteSize) {
            return NativePairs.mimalloc(byteSize);
        }

        @Override
        void free(long address, long byteSize) {
            NativePairs.mimallocFree(address);
        }
    }

    /// Blocks of jemalloc.
    public static class OfJemalloc extends Filled {
        @Override
        public void fill(BlockChurn churn) {
            NativePairs.requireJemalloc();
            super.fill(churn);
        }

        @Override
        long allocate(long byteSize) {
            return NativePairs.jemalloc(byteSize);
        }

        @Override
        void free(long address, long byteSize) {
            NativePairs.jemallocFree(address);
        }
    }

    /// Blocks of an arena.
    public static class OfSlabs extends Filled {
        private final SlabBlockArena arena = SlabAllocator.openConfined();

        @Override
        long allocate(long byteSize) {
            return arena.allocate(byteSize, 1).address();
        }

        @Override
        @SuppressWarnings("restricted")
        void free(long address, long byteSize) {
            arena.free(MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null));
        }

        @Override
        public void empty(BlockChurn churn) {
            arena.close();
        }
    }
}
