package dev.arenakit.diagnostics;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.LongPredicate;

/// An arena that refuses some allocations, as if memory were exhausted: for tests of code that takes an arena.
///
/// **Backing, zeroing, alignment, threads and capacity** are those of the wrapped arena, from which all memory comes.
///
/// **Lifetime.** Closing this arena closes the wrapped one.
///
/// **Refusal.** A refused allocation throws an [OutOfMemoryError], before the wrapped arena is called; wrong arguments,
/// a wrong thread and a closed arena are rejected first. To refuse the native memory behind an arena of this library,
/// such as a slab, use [NativeAllocator.failing][dev.arenakit.NativeAllocator#failing].
///
/// **Native access** is required: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path.
///
/// {@snippet file="dev/arenakit/diagnostics/DebugSnippets.java" region="faulty"}
public final class FaultyArena implements Arena {
    private final Arena arena;
    private final MemorySegment view;
    private final LongPredicate refuses;

    private FaultyArena(Arena arena, MemorySegment view, LongPredicate refuses) {
        this.arena = arena;
        this.view = view;
        this.refuses = refuses;
    }

    /// Wraps an arena.
    ///
    /// @param arena   any arena
    /// @param refuses is asked before each allocation, with its size in bytes, in the thread that allocates; returns
    ///                whether to refuse it, as the predicates of [AllocationFaults] do
    /// @return an arena with the memory and the scope of the other, which it closes
    /// @throws IllegalCallerException if native access is denied
    public static FaultyArena wrap(Arena arena, LongPredicate refuses) {
        Objects.requireNonNull(refuses, "refuses");
        NativeAccess.require();
        return new FaultyArena(arena, Scopes.viewOf(arena), refuses);
    }

    /// Allocates from the wrapped arena, unless the predicate refuses it.
    ///
    /// @throws OutOfMemoryError if the predicate refuses the allocation, or the wrapped arena has no memory
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        if (refuses.test(byteSize)) {
            throw new OutOfMemoryError("Allocation refused on purpose: byteSize=" + byteSize + ", byteAlignment="
                    + byteAlignment);
        }
        return arena.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    /// Closes the wrapped arena.
    @Override
    public void close() {
        arena.close();
    }
}
