package dev.arenakit.internal.collection;

/// The size of the next table of a structure that is full.
public final class Growth {
    private static final long NUMERATOR = 8;
    private static final long DENOMINATOR = 5;

    private Growth() {}

    /// Returns a capacity that is larger by 3/5, or the least capacity if that is more.
    ///
    /// Each element is copied 1.7 times on average until then. With twice the capacity, it would be copied once, but a
    /// table would take up to twice the memory of its elements, and three times that while they move; so it takes 1.6
    /// and 2.6 times. By half instead of 3/5, a map of numbers took a ninth more time to fill. Only slots whose number
    /// must be a power of two double.
    public static long larger(long capacity, long least) {
        return Math.max(least, capacity / DENOMINATOR * NUMERATOR + capacity % DENOMINATOR * NUMERATOR / DENOMINATOR);
    }
}
