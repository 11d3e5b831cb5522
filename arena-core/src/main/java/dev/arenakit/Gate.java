package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An asymmetric barrier: to pass costs two loads, to shut it a handshake with every thread, thousands of times as much.
///
/// It is for state that one thread owns and changes without atomic operations, and that another must take from it once in
/// a while. The owner [approaches][#bar], looks at its state, changes it, and then [passes][#pass]. The other shuts the
/// gate, looks at the state, changes it, and opens the gate again. An owner that has passed did so before the gate was
/// shut, and its change is seen. An owner that approached before and had not passed will not pass. An owner that
/// approaches later sees what the other has changed.
///
/// It stands on what the JDK promises for shared arenas: an access to a segment completes before the arena's `close`
/// returns, or fails. To bring that about, `close` stops every thread at a point between two of its steps.
final class Gate {
    private Arena arena = Arena.ofShared();
    private volatile MemorySegment bar = arena.allocate(1);
    /// The next bar, made before the gate is shut: it can always be opened again.
    private Arena nextArena = arena;
    private MemorySegment nextBar = bar;

    /// What stands in the way until the gate is next shut: the first step of passing.
    MemorySegment bar() {
        return bar;
    }

    /// Whether the gate has not been shut since the caller approached.
    static boolean pass(MemorySegment bar) {
        try {
            // The access counts, not the byte.
            var _ = bar.get(ValueLayout.JAVA_BYTE, 0);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /// Lets nobody pass any more. The caller holds the lock that those who do not pass turn to.
    void shut() {
        nextArena = Arena.ofShared();
        nextBar = nextArena.allocate(1);
        arena.close();
    }

    /// Leaves it shut for good, and gives back what it has.
    void remove() {
        nextArena.close();
    }

    /// Lets everybody pass again. The caller holds that lock still.
    void open() {
        arena = nextArena;
        bar = nextBar;
    }
}
