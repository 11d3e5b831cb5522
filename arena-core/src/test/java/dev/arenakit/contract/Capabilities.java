package dev.arenakit.contract;

/// What an arena claims, and the suite therefore asks of it.
///
/// @param shared             whether every thread may use and close it, or only the thread that opened it
/// @param zeroed             whether an allocation reads as zeros
/// @param largestAlignment   the largest alignment that it serves; [#ANY_ALIGNMENT] for all powers of two
/// @param scopePerAllocation whether each segment has a scope of its own, ended no later than the arena's, instead of
///                           the arena's scope
/// @param allocations        how many allocations a test may have alive at once: fewer where each costs a file
public record Capabilities(boolean shared, boolean zeroed, long largestAlignment, boolean scopePerAllocation,
        int allocations) {

    /// Every power of two is served, as far as memory goes.
    public static final long ANY_ALIGNMENT = 1L << 62;

    private static final int ALLOCATIONS = 1_000;

    /// Refuses an alignment that is no power of two, and a number of allocations too small to test anything with.
    public Capabilities {
        if (Long.bitCount(largestAlignment) != 1 || largestAlignment < 0) {
            throw new IllegalArgumentException(
                    "Alignment is not a power of two: largestAlignment=" + largestAlignment);
        }
        if (allocations < 100) {
            throw new IllegalArgumentException("Too few allocations: allocations=" + allocations + ", smallest=100");
        }
    }

    /// {@return what `Arena.ofConfined()` claims: one thread, zeroed, any alignment, one scope}
    public static Capabilities ofConfined() {
        return new Capabilities(false, true, ANY_ALIGNMENT, false, ALLOCATIONS);
    }

    /// {@return what `Arena.ofShared()` claims: every thread, zeroed, any alignment, one scope}
    public static Capabilities ofShared() {
        return new Capabilities(true, true, ANY_ALIGNMENT, false, ALLOCATIONS);
    }

    /// {@return the same for an arena whose memory holds anything}
    public Capabilities withoutZeroing() {
        return new Capabilities(shared, false, largestAlignment, scopePerAllocation, allocations);
    }

    /// {@return the same for an arena that refuses larger alignments}
    ///
    /// @param byteAlignment the largest that it serves
    public Capabilities withLargestAlignment(long byteAlignment) {
        return new Capabilities(shared, zeroed, byteAlignment, scopePerAllocation, allocations);
    }

    /// {@return the same for an arena that gives each segment a scope of its own}
    public Capabilities withScopePerAllocation() {
        return new Capabilities(shared, zeroed, largestAlignment, true, allocations);
    }

    /// {@return the same for an arena whose allocations are dear}
    ///
    /// @param count how many a test may have alive at once, 100 or more
    public Capabilities withAllocations(int count) {
        return new Capabilities(shared, zeroed, largestAlignment, scopePerAllocation, count);
    }
}
