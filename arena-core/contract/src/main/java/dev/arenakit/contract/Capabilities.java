package dev.arenakit.contract;

/// The capabilities of an arena, which determine what the tests expect of it.
///
/// Start with [#ofConfined()] or [#ofShared()] and adjust the result with the other methods.
///
/// @param shared             whether every thread may use and close it, or only the thread that opened it
/// @param zeroed             whether new memory is zeroed
/// @param largestAlignment   the largest supported alignment in bytes; [#ANY_ALIGNMENT] for all powers of two
/// @param scopePerAllocation whether each segment has a scope of its own, which ends no later than the arena's, instead
///                           of the arena's scope
/// @param deferredEnd        whether scopes may end later than `close` returns, and several arenas may have one scope;
///                           the suite then calls `endDeferred`
/// @param allocations        how many live allocations a test may have, for example fewer if each allocation is a file
public record Capabilities(boolean shared, boolean zeroed, long largestAlignment, boolean scopePerAllocation,
        boolean deferredEnd, int allocations) {

    /// Every power of two is supported, as far as memory permits.
    public static final long ANY_ALIGNMENT = 1L << 62;

    private static final int ALLOCATIONS = 1_000;

    /// Checks that the alignment is a power of two, and that the number of allocations is at least 100.
    public Capabilities {
        if (Long.bitCount(largestAlignment) != 1 || largestAlignment < 0) {
            throw new IllegalArgumentException(
                    "Alignment is not a power of two: largestAlignment=" + largestAlignment);
        }
        if (allocations < 100) {
            throw new IllegalArgumentException("Too few allocations: allocations=" + allocations + ", smallest=100");
        }
    }

    /// {@return the capabilities of `Arena.ofConfined()`: one thread, zeroed, any alignment, one scope}
    public static Capabilities ofConfined() {
        return new Capabilities(false, true, ANY_ALIGNMENT, false, false, ALLOCATIONS);
    }

    /// {@return the capabilities of `Arena.ofShared()`: every thread, zeroed, any alignment, one scope}
    public static Capabilities ofShared() {
        return new Capabilities(true, true, ANY_ALIGNMENT, false, false, ALLOCATIONS);
    }

    /// {@return the same capabilities, for an arena that does not zero its memory}
    public Capabilities withoutZeroing() {
        return new Capabilities(shared, false, largestAlignment, scopePerAllocation, deferredEnd, allocations);
    }

    /// {@return the same capabilities, for an arena that rejects larger alignments}
    ///
    /// @param byteAlignment the largest supported alignment in bytes
    public Capabilities withLargestAlignment(long byteAlignment) {
        return new Capabilities(shared, zeroed, byteAlignment, scopePerAllocation, deferredEnd, allocations);
    }

    /// {@return the same capabilities, for an arena that gives each segment a scope of its own}
    public Capabilities withScopePerAllocation() {
        return new Capabilities(shared, zeroed, largestAlignment, true, deferredEnd, allocations);
    }

    /// {@return the same capabilities, for an arena whose segments may live on after `close`}
    ///
    /// `close` ends the arena itself: `allocate` and a second `close` throw. Its scope, its segments and the cleanups
    /// of users end later, together with other arenas, and `close` succeeds while a segment is in use. The memory must
    /// not be used again before that. The test class overrides `endDeferred`.
    public Capabilities withDeferredEnd() {
        return new Capabilities(shared, zeroed, largestAlignment, scopePerAllocation, true, allocations);
    }

    /// {@return the same capabilities, for an arena whose allocations are expensive}
    ///
    /// @param count how many live allocations a test may have, at least 100
    public Capabilities withAllocations(int count) {
        return new Capabilities(shared, zeroed, largestAlignment, scopePerAllocation, deferredEnd, count);
    }
}
