package dev.arenakit;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /// The blocks whose scopes are open now.
    List<Long> addresses() {
        return List.copyOf(open.keySet());
    }

    /// Ends the scope of a block. When this throws, the scope [is open][#isOpen] still if somebody is inside, and gone
    /// if it was a cleanup of the user's that threw.
    void close(long address) {
        Arena arena = Objects.requireNonNull(open.get(address));
        try {
            arena.close();
        } finally {
            if (!arena.scope().isAlive()) {
                open.remove(address);
            }
        }
    }
}
