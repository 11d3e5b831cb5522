package dev.arenakit.tool.watch;

import java.util.Arrays;

/// The growth of allocations: how much of each was written is remembered by its number.
final class WatchGrowth {
    /// The numbers of the allocations whose sizes are remembered, which take 16 MiB of memory.
    private static final int CAPACITY = 1 << 21;

    private long[] sizes = new long[1 << 10];
    private int count;

    /// Remembers the current size of an allocation.
    ///
    /// @return the difference from the last size, which is the size itself for a new allocation
    long add(long number, long written) {
        if (number >= CAPACITY) {
            return 0;
        }
        int i = (int) number;
        if (i >= sizes.length) {
            sizes = Arrays.copyOf(sizes, Math.min(CAPACITY, Math.max(i + 1, 2 * sizes.length)));
        }
        long before = i < count ? sizes[i] : 0;
        sizes[i] = written;
        count = Math.max(count, i + 1);
        return written - before;
    }
}
