package dev.arenakit.internal.scope;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Segments of native memory in the scope of an arena, and the checks of a scope.
public final class Scopes {
    /// The class of the JDK's confined arenas.
    private static final Class<?> CONFINED;

    static {
        try (Arena sample = Arena.ofConfined()) {
            CONFINED = sample.getClass();
        }
    }

    private Scopes() {}

    /// Returns all of memory as a segment in the scope of the arena: a slice at an address is a segment of that arena.
    ///
    /// One such view per arena keeps allocation free of garbage. A view that is created together with the arena is
    /// scalar-replaced together with it, while a `reinterpret` for each allocation is not.
    ///
    /// The caller has already called `NativeAccess.require()`.
    @SuppressWarnings("restricted")
    public static MemorySegment viewOf(Arena arena) {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE, arena, null);
    }

    /// Returns the memory at the address of a segment, in the scope of an arena that runs a cleanup when it is closed.
    ///
    /// The caller has already called `NativeAccess.require()`.
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
    /// The caller has already called `NativeAccess.require()`.
    @SuppressWarnings("restricted")
    public static MemorySegment collected(long address, long byteSize, Runnable free) {
        return MemorySegment.ofAddress(address).reinterpret(byteSize, Arena.ofAuto(), _ -> free.run());
    }

    /// Returns all of memory in a scope that has ended: each access throws [IllegalStateException].
    ///
    /// The caller has already called `NativeAccess.require()`.
    public static MemorySegment closed() {
        try (Arena ended = Arena.ofShared()) {
            return viewOf(ended);
        }
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
            throw wrongThread(threads(view));
        }
        if (!view.scope().isAlive()) {
            throw alreadyClosed();
        }
    }

    /// Closes an arena of [Arena#ofConfined()], in code that C2 inlines even if it has no profile of the receiver: if
    /// its queue is long, methods run unprofiled until they are compiled by C2. A virtual call would make the arena an
    /// object on the heap.
    public static void closeConfined(Arena confined) {
        if (confined.getClass() == CONFINED) {
            confined.close();
        } else {
            OtherArena.close(confined);
        }
    }

    /// C2 compiles a call of a class that is not loaded to a trap, from which the interpreter goes on.
    private static final class OtherArena {
        private OtherArena() {}

        static void close(Arena arena) {
            arena.close();
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
            if (t instanceof WrongThreadException && !view.isAccessibleBy(Thread.currentThread())) {
                throw wrongThread(threads(view));
            }
            if (!wasAlive || delegate.scope().isAlive() || !view.isAccessibleBy(Thread.currentThread())) {
                throw t;
            }
            return t;
        }
    }

    /// The exception of a confined arena of this thread, which may be null, after it has refused a call: it is called
    /// by another thread, or else is closed. It takes no segment of the arena, which would become an object on the
    /// heap.
    public static RuntimeException refused(@Nullable Thread owner) {
        return isCurrent(owner) ? alreadyClosed() : wrongThread(threads(owner));
    }

    /// The exception of a closed arena, with the message of the JDK's own arenas.
    public static IllegalStateException alreadyClosed() {
        return new IllegalStateException("Already closed");
    }

    private static WrongThreadException wrongThread(String threads) {
        return new WrongThreadException("Confined arena used outside its owner thread: " + threads
                + "; open a shared arena for use by several threads");
    }

    /// Returns the current thread and the owner of a segment that it may not access, as the message of a
    /// [WrongThreadException] names them: `thread=#34, owner=main#3`. A virtual thread often has a number alone.
    ///
    /// The JDK does not tell the owner of a segment, but whether a thread may access it.
    public static String threads(MemorySegment confined) {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        Thread[] threads = new Thread[2 * all.activeCount()]; // others may start meanwhile
        int count = all.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (confined.isAccessibleBy(threads[i])) {
                return threads(threads[i]);
            }
        }
        return threads((Thread) null);
    }

    private static String threads(@Nullable Thread owner) {
        return "thread=" + name(Thread.currentThread()) + ", owner="
                + (owner == null ? "a virtual thread, or one that has ended" : name(owner));
    }

    private static String name(Thread thread) {
        return thread.getName() + '#' + thread.threadId();
    }
}
