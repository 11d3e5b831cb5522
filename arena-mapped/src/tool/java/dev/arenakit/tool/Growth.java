package dev.arenakit.tool;

import java.util.Arrays;

/// What each allocation of an image took on disk when it was last looked at, by its index.
final class Growth {
    /// Of more the first ones are remembered: 16 MiB of memory.
    private static final int MOST = 1 << 21;

    private long[] stored = new long[1 << 10];
    private int count;

    /// Takes what an allocation takes now.
    ///
    /// @return by how much it has grown, all where it is new
    long add(long index, long storedNow) {
        if (index >= MOST) {
            return 0;
        }
        int i = (int) index;
        if (i >= stored.length) {
            stored = Arrays.copyOf(stored, Math.min(MOST, Math.max(i + 1, 2 * stored.length)));
        }
        long before = i < count ? stored[i] : 0;
        stored[i] = storedNow;
        count = Math.max(count, i + 1);
        return storedNow - before;
    }
}
