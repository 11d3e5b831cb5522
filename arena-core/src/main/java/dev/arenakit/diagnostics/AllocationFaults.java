package dev.arenakit.diagnostics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/// Predicates that refuse some allocations, for [FaultyArena] and for
/// [NativeAllocator.failing][dev.arenakit.NativeAllocator#failing].
///
/// They are given the size of each allocation in bytes, and return whether to refuse it. Each counts the calls of all
/// threads. Use a new one for each run.
public final class AllocationFaults {
    /// 2^64 divided by the golden ratio: the increment of SplittableRandom (Steele, Lea and Flood, "Fast splittable
    /// pseudorandom number generators", 2014), whose mixing function follows.
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private AllocationFaults() {}

    /// {@return a predicate that refuses one allocation}
    ///
    /// @param n the number of the allocation, beginning with 1
    public static LongPredicate nth(long n) {
        checkPositive(n);
        AtomicLong count = new AtomicLong();
        return _ -> count.incrementAndGet() == n;
    }

    /// {@return a predicate that refuses the n-th, the 2n-th, the 3n-th allocation, and so on}
    ///
    /// @param n the distance, at least 1
    public static LongPredicate everyNth(long n) {
        checkPositive(n);
        AtomicLong count = new AtomicLong();
        return _ -> count.incrementAndGet() % n == 0;
    }

    /// {@return a predicate that refuses all allocations above a size}
    ///
    /// @param byteSize the largest size that is not refused
    public static LongPredicate above(long byteSize) {
        return requested -> requested > byteSize;
    }

    /// {@return a predicate that refuses allocations at random} Whether it refuses the n-th allocation depends on the
    /// seed alone.
    ///
    /// @param seed        the seed
    /// @param probability the part of the allocations to refuse, from 0 to 1
    public static LongPredicate atRandom(long seed, double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("Not a probability: probability=" + probability);
        }
        AtomicLong state = new AtomicLong(seed);
        return _ -> (mix(state.addAndGet(GOLDEN_GAMMA)) >>> 11) * 0x1p-53 < probability;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private static void checkPositive(long n) {
        if (n <= 0) {
            throw new IllegalArgumentException("Number of an allocation is not positive: n=" + n);
        }
    }
}
