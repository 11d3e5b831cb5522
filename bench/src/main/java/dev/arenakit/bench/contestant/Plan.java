package dev.arenakit.bench.contestant;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.CompilerControl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Allocates some blocks, writes one long into each and reads it back.
///
/// Small blocks are of a size that the compiler knows, as it does in a program that allocates for a `static final` layout;
/// mixed ones are of sizes that it cannot know.
///
/// @param name   number and size of the blocks
/// @param blocks how many
/// @param mixed  whether their sizes differ
public record Plan(String name, int blocks, boolean mixed) implements Workload {
    /// One small block.
    public static final String ONE = "1x32";
    /// Ten small blocks.
    public static final String TEN = "10x32";
    /// A hundred small blocks.
    public static final String HUNDRED = "100x32";
    /// One block of a mixed size.
    public static final String ONE_MIXED = "1x16..512";
    /// Ten blocks of mixed sizes.
    public static final String TEN_MIXED = "10x16..512";
    /// A hundred blocks of mixed sizes.
    public static final String HUNDRED_MIXED = "100x16..512";

    static final List<Plan> ALL = List.of(new Plan(ONE, 1, false), new Plan(TEN, 10, false),
            new Plan(HUNDRED, 100, false), new Plan(ONE_MIXED, 1, true), new Plan(TEN_MIXED, 10, true),
            new Plan(HUNDRED_MIXED, 100, true));

    private static final long SMALL = 32;
    private static final long SMALLEST = 16;
    private static final long LARGEST = 512;

    // Any seed will do; a fixed one gives every contestant, and every run, the same sizes.
    private static final long SEED = 42;

    private static final long[] MIXED_SIZES = mixedSizes();

    /// Something that hands out memory.
    public interface Allocation {
        /// Allocates a block, writes the value to its beginning and reads it back.
        ///
        /// @param byteSize size of the block
        /// @param value    to write
        /// @return what was read
        long use(long byteSize, long value);
    }

    /// {@return the size of a block}
    ///
    /// @param block its number, from 0
    public long byteSize(int block) {
        return mixed ? MIXED_SIZES[block] : SMALL;
    }

    // Each level of calls counts: C2 inlines fifteen, of which allocating a segment takes eight, and what it does not inline
    // keeps segments on the heap. So this is not written in terms of the other method.
    @CompilerControl(CompilerControl.Mode.INLINE)
    @Override
    public long run(Arena arena) {
        long sum = 0;
        for (int i = 0; i < blocks; i++) {
            MemorySegment block = arena.allocate(byteSize(i), Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            sum += block.get(JAVA_LONG, 0);
        }
        return sum;
    }

    /// Does the same with memory that does not come from an arena.
    ///
    /// @param allocation called for each block
    /// @return the sum of all values
    @CompilerControl(CompilerControl.Mode.INLINE)
    public long run(Allocation allocation) {
        long sum = 0;
        for (int i = 0; i < blocks; i++) {
            sum += allocation.use(byteSize(i), i);
        }
        return sum;
    }

    static long[] mixedSizes() {
        return new Random(SEED).longs(100, SMALLEST, LARGEST + 1).toArray();
    }
}
