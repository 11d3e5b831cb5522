package dev.arenakit;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The scopes of a checked arena's blocks, one each, by address.
///
/// Not thread-safe: a shared arena locks around it.
final class BlockScopes {
    private final Map<Long, Arena> open = new HashMap<>();
    private final boolean shared;

    BlockScopes(boolean shared) {
        this.shared = shared;
    }

    /// All of memory in a new scope, which is the block's from now on.
    MemorySegment open(long address) {
        Arena arena = shared ? Arena.ofShared() : Arena.ofConfined();
        MemorySegment view = Scopes.viewOf(arena);
        open.put(address, arena);
        return view;
    }

    /// The scope of the live block at the address, if there is one.
    MemorySegment.@Nullable Scope scope(long address) {
        Arena arena = open.get(address);
        return arena == null ? null : arena.scope();
    }

    boolean isOpen(long address) {
        return open.containsKey(address);
    }

    /// Drops the scope of a block that nobody has seen.
    void forget(long address) {
        open.remove(address);
    }

    /// Ends the scope of a block, if there is one. When this throws, the scope [is open][#isOpen] still if somebody is
    /// inside, and gone if it was a cleanup of the user's that threw.
    void close(long address) {
        // Gone while its cleanups run: one of them may come back here for the same block.
        Arena arena = open.remove(address);
        if (arena != null) {
            try {
                arena.close();
            } finally {
                if (arena.scope().isAlive()) {
                    open.put(address, arena);
                }
            }
        }
    }

    /// Ends the scopes of all blocks and then that of their arena. What users' cleanups throw is passed on in the end.
    ///
    /// @throws IllegalStateException when somebody is inside; that scope is open still, and so is the arena's
    void closeAllAnd(Arena owner) {
        Throwable thrown = null;
        // More than one round if a cleanup allocates.
        while (!open.isEmpty()) {
            for (long address : List.copyOf(open.keySet())) {
                try {
                    close(address);
                } catch (RuntimeException | Error e) {
                    if (isOpen(address)) {
                        join(e, thrown);
                        throw e;
                    }
                    thrown = thrown == null ? e : join(thrown, e);
                }
            }
        }
        try {
            owner.close();
        } catch (RuntimeException | Error e) {
            join(e, thrown);
            throw e;
        }
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown != null) {
            throw (RuntimeException) thrown;
        }
    }

    private static Throwable join(Throwable first, @Nullable Throwable further) {
        if (further != null && !further.equals(first)) {
            first.addSuppressed(further);
        }
        return first;
    }
}
