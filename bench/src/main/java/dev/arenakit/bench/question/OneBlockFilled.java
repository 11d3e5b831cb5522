package dev.arenakit.bench.question;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What does one block cost, every byte of which is written, as most programs do: open, allocate, fill, read, close?
///
/// An arena that zeroes writes the block twice here, one that does not once: the two differ by a factor of about two for
/// large blocks, however far apart they are in [OneBlock].
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class OneBlockFilled {
    /// Size of the block.
    @Param({"16", "64", "256", "1024", "4096", "65536", "1048576"})
    public long byteSize;

    private byte value;

    /// The JDK's arena, which zeroes the block before it is filled.
    @Benchmark
    public long ofConfined() {
        return oneBlockFilled(Arena.ofConfined());
    }

    /// malloc and free, nothing zeroed.
    @Benchmark
    public long mallocArena() {
        return oneBlockFilled(MallocArena.ofConfined());
    }

    /// A slab of an unbounded pool, zeroed.
    @Benchmark
    public long slabArena(Pools.Zeroed pools) {
        return oneBlockFilled(pools.pool.openConfined());
    }

    /// A slab of an unbounded pool, not zeroed.
    @Benchmark
    public long slabArenaUnzeroed(Pools.Unzeroed pools) {
        return oneBlockFilled(pools.pool.openConfined());
    }

    // Called instead of inlined, which C2 may choose once it has compiled this by itself, the arena would be an argument
    // that escapes: 128 bytes of garbage and half again the time for the JDK's arena.
    @CompilerControl(CompilerControl.Mode.INLINE)
    private long oneBlockFilled(Arena arena) {
        try (arena) {
            MemorySegment block = arena.allocate(byteSize, Long.BYTES);
            block.fill(++value);
            return block.get(JAVA_LONG, byteSize - Long.BYTES);
        }
    }
}
