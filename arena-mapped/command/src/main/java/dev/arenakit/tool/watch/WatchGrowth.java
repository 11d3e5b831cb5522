package dev.arenakit.tool.watch;

import java.util.Arrays;

/// The growth of allocations. It stores the written size of each allocation by its number.
final class WatchGrowth {
    /// The number of allocations whose sizes are stored. The sizes take 16 MiB of memory.
    private static final int CAPACITY = 1 << 21;

    private long[] sizes = new long[1 << 10];
    private int count;

    /// Stores the current size of an allocation.
    ///
    /// @return the difference from the stored size; for a new allocation, the size itself
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
