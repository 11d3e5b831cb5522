package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Segments of native memory in the scope of an arena, and the checks of a scope.
public final class Scopes {
    private Scopes() {}

    /// Returns all of memory as a segment in the scope of the arena: a slice at an address is a segment of that arena.
    ///
    /// One such view per arena keeps allocation free of garbage. A view that is created together with the arena is
    /// scalar-replaced together with it, while a `reinterpret` for each allocation is not.
    ///
    /// The caller has already called [NativeAccess#require].
    @SuppressWarnings("restricted")
    public static MemorySegment viewOf(Arena arena) {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE, arena, null);
    }

    /// Returns the memory at the address of a segment, in the scope of an arena that runs a cleanup when it is closed.
    ///
    /// The caller has already called [NativeAccess#require].
    ///
    /// @throws IllegalStateException if the arena is closed
    /// @throws WrongThreadException  if the arena is confined to another thread
    @SuppressWarnings("restricted")
    public static MemorySegment withCleanup(MemorySegment memory, long byteSize, Arena arena,
            Consumer<MemorySegment> cleanup) {
        return memory.reinterpret(byteSize, arena, cleanup);
    }

    /// Returns a range of memory that is freed after the segment and its slices have become unreachable.
    ///
    /// The caller has already called [NativeAccess#require].
    @SuppressWarnings("restricted")
    public static MemorySegment collected(long address, long byteSize, Runnable free) {
        return MemorySegment.ofAddress(address).reinterpret(byteSize, Arena.ofAuto(), _ -> free.run());
    }

    /// Whether a thread, which may be null, is the current one.
    @SuppressWarnings("ReferenceEquality") // A subclass of Thread could override equals.
    public static boolean isCurrent(@Nullable Thread thread) {
        return thread == Thread.currentThread();
    }

    /// Rejects calls of other threads on a confined arena, then all calls on a closed arena.
    ///
    /// An arena must call this method itself, because slicing a segment of a closed scope succeeds.
    ///
    /// @param view any segment in the arena's scope
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is closed
    public static void checkOpen(MemorySegment view) {
        if (!view.isAccessibleBy(Thread.currentThread())) {
            throw wrongThread();
        }
        if (!view.scope().isAlive()) {
            throw alreadyClosed();
        }
    }

    /// Ends the scope of a confined arena, and returns the exception that a user's cleanup threw, or null. The caller
    /// then releases the memory, and rethrows the exception. If this method throws, the caller releases nothing.
    ///
    /// @param view any segment in the arena's scope
    public static @Nullable Throwable endConfined(Arena delegate, MemorySegment view) {
        boolean wasAlive = delegate.scope().isAlive();
        try {
            delegate.close();
            return null;
        } catch (Throwable t) {
            // If the scope is still alive, a segment is in use. If this call has ended it, a user's cleanup threw; if
            // it was dead before, this may be such a cleanup, whose arena still needs its memory. A close by another
            // thread also fails, and must not interfere with the owner's close.
            if (!wasAlive || delegate.scope().isAlive() || !view.isAccessibleBy(Thread.currentThread())) {
                throw t;
            }
            return t;
        }
    }

    /// The exception of a closed arena, with the message of the JDK's own arenas.
    public static IllegalStateException alreadyClosed() {
        return new IllegalStateException("Already closed");
    }

    private static WrongThreadException wrongThread() {
        return new WrongThreadException("Confined arena used outside its owner thread: thread="
                + Thread.currentThread().getName() + "; open a shared arena for use by several threads");
    }
}
