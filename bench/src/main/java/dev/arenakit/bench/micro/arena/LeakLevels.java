package dev.arenakit.bench.micro.arena;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.LeakDetector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of leak detection: open an arena, allocate ten blocks of 32 bytes, write one long into each and
/// read it back, close the arena.
///
/// Netty samples one buffer of 128, too, at its level `SIMPLE`. Its level `PARANOID` watches each buffer, not each
/// session, and records where the buffer was used last.
@BenchmarkName(value = "leak detection", baseline = "SlabArena",
        measures = "Opens an arena, allocates ten blocks, writes one long into each and reads it back, and closes it, "
                + "while some or all arenas are watched for leaks.")
public class LeakLevels extends MicroBenchmark {
    private static final int BLOCKS = 10;
    private static final long BYTE_SIZE = 32;

    /// The pools are in classes of their own: the class of a pool that is watched must not be loaded without need.
    private static final class Pools {
        static final SlabPool OFF = SlabPool.create();
    }

    private static final class SampledPools {
        static final SlabPool SAMPLED = SlabPool.builder().leakDetection(LeakDetection.SAMPLED).build();
    }

    private static final class WatchedPools {
        static final SlabPool ALL = SlabPool.builder().leakDetection(LeakDetection.ALL).build();
    }

    /// An arena of a pool.
    @Benchmark
    @CandidateName("SlabArena")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long slab() {
        try (Arena arena = Pools.OFF.openConfined()) {
            return work(arena);
        }
    }

    /// An arena of a pool, sampled.
    @Benchmark
    @CandidateName("SlabArena sampled")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long slabSampled() {
        try (Arena arena = SampledPools.SAMPLED.openConfined()) {
            return work(arena);
        }
    }

    /// An arena of a pool, always watched.
    @Benchmark
    @CandidateName("SlabArena all")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long slabAll() {
        try (Arena arena = WatchedPools.ALL.openConfined()) {
            return work(arena);
        }
    }

    /// An arena over malloc.
    @Benchmark
    @CandidateName("MallocArena")
    @MemoryTraits(checked = true, scoped = true)
    public long malloc() {
        try (Arena arena = MallocArena.builder().build()) {
            return work(arena);
        }
    }

    /// An arena over malloc, sampled.
    @Benchmark
    @CandidateName("MallocArena sampled")
    @MemoryTraits(checked = true, scoped = true)
    public long mallocSampled() {
        try (Arena arena = MallocArena.builder().leakDetection(LeakDetection.SAMPLED).build()) {
            return work(arena);
        }
    }

    /// An arena over malloc, always watched.
    @Benchmark
    @CandidateName("MallocArena all")
    @MemoryTraits(checked = true, scoped = true)
    public long mallocAll() {
        try (Arena arena = MallocArena.builder().leakDetection(LeakDetection.ALL).build()) {
            return work(arena);
        }
    }

    /// An arena of the JDK.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long confined() {
        try (Arena arena = Arena.ofConfined()) {
            return work(arena);
        }
    }

    /// An arena of the JDK, one of 128 of which is wrapped.
    @Benchmark
    @CandidateName("Arena.ofConfined sampled")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long confinedSampled() {
        try (Arena arena = LeakDetector.wrap(Arena.ofConfined(), LeakDetection.SAMPLED)) {
            return work(arena);
        }
    }

    /// An arena of the JDK that is wrapped.
    @Benchmark
    @CandidateName("Arena.ofConfined all")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long confinedAll() {
        try (Arena arena = LeakDetector.wrap(Arena.ofConfined())) {
            return work(arena);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long work(Arena arena) {
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment segment = arena.allocate(BYTE_SIZE, Long.BYTES);
            segment.set(JAVA_LONG, 0, i);
            sum += segment.get(JAVA_LONG, 0);
        }
        return sum;
    }
}
