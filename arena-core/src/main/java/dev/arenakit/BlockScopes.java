package dev.arenakit;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The scopes of the blocks of a checked arena, one per block, by address.
///
/// Not thread-safe: a shared arena locks around it.
final class BlockScopes {
    private final Map<Long, Arena> open = new HashMap<>();
    private final boolean shared;

    BlockScopes(boolean shared) {
        this.shared = shared;
    }

    /// Opens a scope for a block.
    ///
    /// @return all of memory in the new scope
    MemorySegment open(long address) {
        Arena arena = shared ? Arena.ofShared() : Arena.ofConfined();
        MemorySegment view = Scopes.viewOf(arena);
        open.put(address, arena);
        return view;
    }

    /// The scope of the live block at the address, or null.
    MemorySegment.@Nullable Scope scope(long address) {
        Arena arena = open.get(address);
        return arena == null ? null : arena.scope();
    }

    boolean isOpen(long address) {
        return open.containsKey(address);
    }

    /// Removes the scope of a block that was never handed out.
    void remove(long address) {
        open.remove(address);
    }

    /// Closes the scope of a block, if there is one. If this method throws, the scope is [still open][#isOpen] if the
    /// block is in use, and removed if a user's cleanup threw.
    void close(long address) {
        // Remove the scope while its cleanups run: a cleanup may call this method for the same block.
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

    /// Closes the scopes of all blocks, and then the scope of their arena. Exceptions of users' cleanups are rethrown
    /// at the end.
    ///
    /// @throws IllegalStateException if a block is in use; its scope and the scope of the arena are then still open
    void closeAllAnd(Arena owner) {
        Throwable thrown = null;
        // A cleanup may allocate, so one round may not be enough.
        while (!open.isEmpty()) {
            for (long address : List.copyOf(open.keySet())) {
                try {
                    close(address);
                } catch (RuntimeException | Error e) {
                    if (isOpen(address)) {
                        suppress(e, thrown);
                        throw e;
                    }
                    thrown = thrown == null ? e : suppress(thrown, e);
                }
            }
        }
        try {
            owner.close();
        } catch (RuntimeException | Error e) {
            suppress(e, thrown);
            throw e;
        }
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown != null) {
            throw (RuntimeException) thrown;
        }
    }

    private static Throwable suppress(Throwable first, @Nullable Throwable other) {
        if (other != null && !other.equals(first)) {
            first.addSuppressed(other);
        }
        return first;
    }
}
