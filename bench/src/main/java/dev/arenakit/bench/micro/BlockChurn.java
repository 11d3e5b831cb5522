package dev.arenakit.bench.micro;

import dev.arenakit.FreeListArena;
import dev.arenakit.bench.candidate.LibcAllocator;
import dev.arenakit.bench.candidate.NativePairs;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Measures the memory that allocators need in addition to the blocks, while random blocks are replaced by other
/// blocks. Most blocks are small, and some have up to 8 KiB.
@BenchmarkName(value = "block churn", baseline = "malloc critical",
        measures = "Frees a random one of many blocks, allocates a block of another size instead, and writes every "
                + "64th byte.")
public class BlockChurn extends MicroBenchmark {
    private static final int LINE = 64;
    // Any seed works. A fixed seed gives every candidate the same sizes.
    private static final long SEED = 42;

    /// malloc and free, critical calls.
    @Benchmark
    @MemoryTraits
    @CandidateName("malloc critical")
    public long malloc(OfMalloc allocator) {
        return allocator.replace();
    }

    /// mimalloc.
    @Benchmark
    @MemoryTraits
    public long mimalloc(OfMimalloc allocator) {
        return allocator.replace();
    }

    /// jemalloc.
    @Benchmark
    @MemoryTraits
    public long jemalloc(OfJemalloc allocator) {
        return allocator.replace();
    }

    /// Segments of an arena for one thread.
    @Benchmark
    @MemoryTraits
    @CandidateName("FreeListArena")
    public long freeLists(OfSlabs allocator) {
        return allocator.replace();
    }

    /// The blocks of a candidate. They are not in the benchmark's own object, since JMH creates such an object for each
    /// use.
    @State(Scope.Thread)
    public abstract static class Filled {
        /// Number of blocks that live.
        @Param({"2000", "200000"})
        public int blocks;

        private long[] addresses = new long[0];
        private long[] sizes = new long[0];
        private final Random random = new Random(SEED);

        abstract long allocate(long byteSize);

        abstract void free(long address, long byteSize);

        /// Allocates all blocks.
        @Setup
        public void fill() {
            addresses = new long[blocks];
            sizes = new long[blocks];
            for (int slot = 0; slot < blocks; slot++) {
                fill(slot);
            }
        }

        /// Frees all blocks.
        @TearDown
        public void empty() {
            for (int slot = 0; slot < blocks; slot++) {
                free(addresses[slot], sizes[slot]);
            }
        }

        final long replace() {
            int slot = random.nextInt(blocks);
            free(addresses[slot], sizes[slot]);
            return fill(slot);
        }

        private long fill(int slot) {
            long byteSize = 16L + random.nextInt(1 << (4 + Math.min(random.nextInt(64), random.nextInt(10))));
            long address = allocate(byteSize);
            for (long offset = 0; offset < byteSize; offset += LINE) {
                LibcAllocator.MEMORY.set(JAVA_BYTE, address + offset, (byte) slot);
            }
            addresses[slot] = address;
            sizes[slot] = byteSize;
            return address;
        }
    }

    /// Blocks of malloc.
    public static class OfMalloc extends Filled {
        @Override
        long allocate(long byteSize) {
            return LibcAllocator.mallocCritical(byteSize);
        }

        @Override
        void free(long address, long byteSize) {
            LibcAllocator.freeCritical(address);
        }
    }

    /// Blocks of mimalloc.
    public static class OfMimalloc extends Filled {
        @Override
        public void fill() {
            NativePairs.requireMimalloc();
            super.fill();
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
        public void fill() {
            NativePairs.requireJemalloc();
            super.fill();
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
        private final FreeListArena arena = FreeListArena.ofConfined();

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
        public void empty() {
            arena.close();
        }
    }
}
