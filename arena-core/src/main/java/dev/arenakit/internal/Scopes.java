package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Native memory seen through the scope of an arena, and the checks that a scope asks for.
public final class Scopes {
    private Scopes() {}

    /// All of memory in the scope of the arena: a slice at an address is a segment of that arena.
    ///
    /// One such view per arena is what keeps an allocation free of garbage. Made where the arena is made, it is
    /// scalar-replaced together with the arena, while a `reinterpret` for each allocation is not.
    ///
    /// Native access has been asked for ([NativeAccess#require]) by whoever calls this.
    @SuppressWarnings("restricted")
    public static MemorySegment viewOf(Arena arena) {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE, arena, null);
    }

    /// Refuses another thread's call on a confined arena, then any call on a closed one. An arena calls this itself:
    /// a slice of a closed scope can be made.
    ///
    /// @param view any segment in the arena's scope
    /// @throws WrongThreadException from another thread than the confined arena's own
    /// @throws IllegalStateException when the arena is closed
    public static void checkOpen(MemorySegment view) {
        if (!view.isAccessibleBy(Thread.currentThread())) {
            throw wrongThread();
        }
        if (!view.scope().isAlive()) {
            throw closed();
        }
    }

    private static WrongThreadException wrongThread() {
        return new WrongThreadException("Confined arena used outside its owner thread: thread="
                + Thread.currentThread().getName() + "; open a shared arena for use by several threads");
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("Arena is already closed");
    }
}
