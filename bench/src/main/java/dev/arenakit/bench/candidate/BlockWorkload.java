package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.CompilerControl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The built-in workloads: each allocates some blocks, writes one long into each and reads it back.
///
/// The size of small blocks is a constant for the compiler, as in a program that allocates for a `static final` layout.
/// The sizes of mixed blocks are not.
public final class BlockWorkload {
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

    static final List<Blocks> ALL = List.of(new Blocks(ONE, 1, false), new Blocks(TEN, 10, false),
            new Blocks(HUNDRED, 100, false), new Blocks(ONE_MIXED, 1, true), new Blocks(TEN_MIXED, 10, true),
            new Blocks(HUNDRED_MIXED, 100, true));

    private static final long SMALL = 32;
    private static final long SMALLEST = 16;
    private static final long LARGEST = 512;

    // Any seed works. A fixed seed gives every candidate, and every run, the same sizes.
    private static final long SEED = 42;

    private static final long[] MIXED_SIZES = mixedSizes();

    /// An allocation without an arena.
    public interface Allocation {
        /// Allocates a block, writes the value to its beginning and reads it back.
        ///
        /// @param byteSize size of the block
        /// @param value    value to write
        /// @return the value read back
        long use(long byteSize, long value);
    }

    private BlockWorkload() {}

    /// A workload of blocks. It is a record, since the compiler trusts the fields of a record to be constant. It is
    /// nested, since JMH ignores `@CompilerControl` in top-level records.
    ///
    /// @param name   number and size of the blocks
    /// @param blocks number of blocks
    /// @param mixed  whether the sizes of the blocks differ
    public record Blocks(String name, int blocks, boolean mixed) implements Workload {
        /// {@return the size of a block}
        ///
        /// @param block index of the block
        public long byteSize(int block) {
            return mixed ? MIXED_SIZES[block] : SMALL;
        }

        // C2 inlines at most fifteen levels of calls, and allocating a segment takes eight of them. A call that is not
        // inlined keeps segments on the heap. This method therefore does not call the other method, which would add a
        // level.
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

        /// Runs the workload without an arena.
        ///
        /// @param allocation the allocation to call for each block
        /// @return the sum of all values
        @CompilerControl(CompilerControl.Mode.INLINE)
        public long run(Allocation allocation) {
            long sum = 0;
            for (int i = 0; i < blocks; i++) {
                sum += allocation.use(byteSize(i), i);
            }
            return sum;
        }
    }

    static long[] mixedSizes() {
        return new Random(SEED).longs(100, SMALLEST, LARGEST + 1).toArray();
    }
}
