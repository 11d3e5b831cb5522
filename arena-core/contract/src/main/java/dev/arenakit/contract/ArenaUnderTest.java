package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/// The methods that a test class implements.
interface ArenaUnderTest {

    /// Opens a new arena, which the suite closes.
    ///
    /// A confined arena must belong to the calling thread. If arenas share the memory of a pool, all arenas of one test
    /// instance must come from the same pool, so that memory is reused.
    Arena open();

    /// Returns the capabilities of the arena.
    Capabilities capabilities();

    /// Returns the memory that all open arenas of [#open] hold, or empty (the default) if it cannot be measured.
    ///
    /// The unit is arbitrary: the value must grow with allocations, and return to its earlier value when the arenas are
    /// closed. If the value is present, the suite also checks for leaks.
    default OptionalLong held() {
        return OptionalLong.empty();
    }

    /// Ends the scopes of all closed arenas whose end is [deferred][Capabilities#deferredEnd], unless an arena with the
    /// same scope is open or a segment is in use. Does nothing by default.
    default void endDeferred() {}

    /// Writes bytes other than zero to the memory of an arena and closes it, so that a later arena may reuse dirty
    /// memory.
    default void dirty() {
        try (Arena arena = open()) {
            for (long byteSize : ContractSizes.OF_EVERY_CLASS) {
                fillWithOnes(arena.allocate(byteSize, 1));
            }
        }
    }

    private static void fillWithOnes(MemorySegment segment) {
        segment.fill((byte) 0xFF);
    }
}
