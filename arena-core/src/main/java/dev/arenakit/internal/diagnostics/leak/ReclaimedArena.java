package dev.arenakit.internal.diagnostics.leak;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.ScopeKinds;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.internal.scope.SharedClose;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/// An arena over another arena, which is closed after this arena and all segments have become unreachable.
///
/// A segment keeps its scope reachable, not its arena. So the segments have a scope of this arena, to which nothing
/// else refers, and the other arena is closed when the garbage collector has found that this scope is unreachable.
public final class ReclaimedArena implements Arena {
    private final Arena arena;
    private final Arena delegate;
    private final MemorySegment view;
    private final LeakWatch open;
    private final SharedClose closing;

    private ReclaimedArena(Arena arena, Arena delegate, MemorySegment view, LeakWatch open) {
        this.arena = arena;
        this.delegate = delegate;
        this.view = view;
        this.open = open;
        closing = new SharedClose(delegate, true, delegate::close, this::release);
    }

    public static Arena wrap(Arena arena, LeakDetection detection) {
        if (detection.level() != LeakDetection.Level.ALL) {
            throw new IllegalArgumentException("Leaked memory is reclaimed only if all arenas are watched: level="
                    + detection.level() + "; use LeakDetection.ALL");
        }
        if (!ScopeKinds.isCloseable(arena.scope())) {
            return arena;
        }
        if (ScopeKinds.isConfined(arena.scope())) {
            throw new IllegalArgumentException("A confined arena can be closed by its own thread alone: arena="
                    + arena.getClass().getName() + "; wrap an arena for all threads, or do not reclaim its memory");
        }
        NativeAccess.require();
        Arena delegate = Arena.ofShared();
        LeakWatch open = new LeakWatch(detection, arena.getClass().getName(), "", false, 0);
        ReclaimedArena wrapped = new ReclaimedArena(arena, delegate, Scopes.viewOf(delegate), open);
        try {
            open.register();
            // The action refers to the other arena, never to this one.
            open.follow(delegate.scope(), arena::close);
            return wrapped;
        } catch (Throwable t) {
            // The caller still has the other arena, which must not be closed.
            open.closed();
            throw t;
        }
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment segment = arena.allocate(byteSize, byteAlignment);
        open.add(byteSize);
        return view.asSlice(segment.address(), byteSize);
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public void close() {
        closing.close();
    }

    /// Closes the other arena. The scope of this one is dead.
    private void release() {
        try {
            arena.close();
        } finally {
            open.closed();
            // Until here, the scope must not look unreachable: the other arena would be closed twice.
            Reference.reachabilityFence(delegate);
        }
    }
}
