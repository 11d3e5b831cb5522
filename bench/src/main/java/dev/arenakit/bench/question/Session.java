package dev.arenakit.bench.question;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What does a scope's worth of work cost: open an arena, allocate some blocks, write one long into each and read it
/// back, close?
///
/// The small blocks are of a size that the compiler knows, as it does in a program that allocates for a `static final`
/// layout; the mixed ones are of sizes that it cannot know.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class Session {
    private static final int SMALL = 32;
    private static final int SMALLEST = 16;
    private static final int LARGEST = 512;
    private static final int MIXED_BLOCKS = 100;

    // Any seed will do; a fixed one gives every contestant, and every run, the same sizes.
    private static final long SEED = 42;

    private static final long[] MIXED = mixedSizes();

    /// How many blocks of how many bytes.
    @Param({"1x32", "10x32", "100x16..512"})
    public String plan = "";

    private int blocks;

    /// Takes the number of blocks from the plan.
    @Setup
    public void count() {
        blocks = Integer.parseInt(plan.substring(0, plan.indexOf('x')));
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

    // Called instead of inlined, which C2 may choose once it has compiled this by itself, the arena would be an argument
    // that escapes: 128 bytes of garbage and half again the time for the JDK's arena.
    @CompilerControl(CompilerControl.Mode.INLINE)
    private long session(Arena arena) {
        try (arena) {
            return switch (blocks) {
                case 1 -> use(arena, SMALL, 1);
                case 10 -> ten(arena);
                default -> mixed(arena);
            };
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long ten(Arena arena) {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += use(arena, SMALL, i);
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long mixed(Arena arena) {
        long sum = 0;
        for (long byteSize : MIXED) {
            sum += use(arena, byteSize, byteSize);
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long use(Arena arena, long byteSize, long value) {
        MemorySegment block = arena.allocate(byteSize, Long.BYTES);
        block.set(JAVA_LONG, 0, value);
        return block.get(JAVA_LONG, 0);
    }

    static long[] mixedSizes() {
        return new Random(SEED).longs(MIXED_BLOCKS, SMALLEST, LARGEST + 1).toArray();
    }
}
