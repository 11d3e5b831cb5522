package dev.arenakit.bench.question;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
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

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What does a scope's worth of work cost: open an arena, allocate some blocks, write one long into each and read it
/// back, close?
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class Session {
    // Any seed will do; a fixed one gives every contestant, and every run, the same sizes.
    private static final long SEED = 42;

    /// How many blocks of how many bytes: `count x size` or `count x smallest..largest`.
    @Param({"1x32", "10x32", "100x16..512"})
    public String plan = "";

    private long[] byteSizes = {};

    /// Draws the sizes that the plan describes.
    @Setup
    public void drawSizes() {
        byteSizes = sizes(plan);
    }

    /// The JDK's arena: a malloc and a free per block.
    @Benchmark
    public long ofConfined() {
        return session(Arena.ofConfined());
    }

    /// malloc and free, nothing zeroed.
    @Benchmark
    public long mallocArena() {
        return session(MallocArena.ofConfined());
    }

    /// A slab of an unbounded pool, zeroed.
    @Benchmark
    public long slabArena(Pools.Zeroed pools) {
        return session(pools.pool.openConfined());
    }

    /// A slab of an unbounded pool, not zeroed.
    @Benchmark
    public long slabArenaUnzeroed(Pools.Unzeroed pools) {
        return session(pools.pool.openConfined());
    }

    /// A slab of a bounded pool, not zeroed.
    @Benchmark
    public long slabArenaBounded(Pools.Bounded pools) {
        return session(pools.pool.openConfined());
    }

    private long session(Arena arena) {
        try (arena) {
            long sum = 0;
            for (long byteSize : byteSizes) {
                MemorySegment block = arena.allocate(byteSize, Long.BYTES);
                block.set(JAVA_LONG, 0, byteSize);
                sum += block.get(JAVA_LONG, 0);
            }
            return sum;
        }
    }

    /// The block sizes of a plan, the same whenever they are asked for.
    static long[] sizes(String plan) {
        String[] countAndSize = plan.split("x", 2);
        String[] bounds = countAndSize[1].split("\\.\\.", 2);
        long smallest = Long.parseLong(bounds[0]);
        long largest = Long.parseLong(bounds[bounds.length - 1]);
        return new Random(SEED).longs(Long.parseLong(countAndSize[0]), smallest, largest + 1).toArray();
    }
}
