package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.pool.memory.LargeAllocation;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The slabs of a confined arena whose scope has ended, until an arena of another thread takes them over.
///
/// No slab of a parcel has an owner: the owner would acquire the slab without a lock as soon as another thread releases
/// it, and need not see that thread's writes.
public final class DetachedSlabs implements SlabParcel {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup()
                    .findVarHandle(DetachedSlabs.class, "state", int.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// The scope of the arena is alive.
    private static final int NEW = 0;
    private static final int DETACHED = 1;
    private static final int ATTACHED = 2;
    private static final int CLOSED = 3;

    private final Slab top;
    private final long bumpPointer;
    private final @Nullable LargeAllocation large;
    /// The scope that the old segments have.
    private final MemorySegment.Scope scope;
    /// What is known of this parcel, if its arena is watched for leaks.
    private final @Nullable LeakWatch watched;
    /// Set by a release and changed by an atomic operation, so that a thread that attaches the slabs sees what the
    /// previous thread has written to them.
    @SuppressWarnings("unused")
    private volatile int state = NEW;
    /// The view of the arena that was attached. It is set by the thread that has attached it.
    private @Nullable MemorySegment view;
    /// The arena that was detached, if its pool records its arenas.
    @Nullable
    RecordedSlabArena recorded;

    /// @param top         the top slab of the arena, which is used up to the bump pointer
    /// @param scope       the scope of the arena, which is still alive
    DetachedSlabs(Slab top, long bumpPointer, MemorySegment.Scope scope) {
        this.top = top;
        this.bumpPointer = bumpPointer;
        this.large = top.large;
        this.scope = scope;
        watched = top.open == null ? null : top.open.successor("parcel of a SlabPool", false);
    }

    /// Publishes this parcel, after the scope of the arena has ended.
    void detached() {
        if (watched != null) {
            watch(watched);
            watched.follow(this, null);
        }
        STATE.setRelease(this, DETACHED);
    }

    @Override
    public SlabArena attach() {
        int seen = (int) STATE.getAcquire(this);
        if (seen != DETACHED) {
            throw refused(seen);
        }
        BumpSlabArena arena = BumpSlabArena.attached(top, bumpPointer);
        SlabArena result = recorded == null ? arena : recorded.successor(arena);
        LeakWatch successor = watched == null ? null : watched.successor("confined arena of a SlabPool", true);
        if (!STATE.compareAndSet(this, DETACHED, ATTACHED)) {
            throw refused((int) STATE.getAcquire(this));
        }
        // No call from here on, unless the arena is watched, so that no Error loses the memory.
        view = arena.view;
        if (successor != null) {
            try {
                watchAttached(arena, successor);
            } catch (Throwable t) {
                // Nobody has the arena. Without a call: the parcel can be attached again, or closed.
                view = null;
                state = DETACHED;
                throw t;
            }
        }
        return result;
    }

    private static IllegalStateException refused(int state) {
        return new IllegalStateException(state == CLOSED ? "Parcel is closed" : "Parcel was attached already");
    }

    private void watchAttached(BumpSlabArena arena, LeakWatch successor) {
        watch(successor);
        if (top.home.watchesAll()) {
            successor.follow(arena);
        }
    }

    /// Ends the watch of the previous holder of the memory, and begins the watch of the next one.
    private void watch(LeakWatch next) {
        LeakWatch previous = top.open;
        // If a call fails, the slabs still have the holder whose watch must be ended.
        if (previous != null) {
            previous.closed();
        }
        for (Slab slab = top; slab != null; slab = slab.previous) {
            slab.open = next;
        }
        next.register();
    }

    @Override
    public MemorySegment segment(MemorySegment old) {
        if (!old.scope().equals(scope)) {
            throw new IllegalArgumentException("Segment is not of the arena that was detached: address=0x"
                    + Long.toHexString(old.address()) + ", byteSize=" + old.byteSize());
        }
        MemorySegment view = this.view;
        if (view == null) {
            throw new IllegalStateException("Parcel is not attached");
        }
        Scopes.checkOpen(view);
        if (!contains(old.address(), old.byteSize())) {
            throw new IllegalArgumentException("Segment is not memory of the pool: address=0x"
                    + Long.toHexString(old.address()) + ", byteSize=" + old.byteSize()
                    + "; memory that was attached to the scope of the arena has ended with it");
        }
        MemorySegment segment = view.asSlice(old.address(), old.byteSize());
        return old.isReadOnly() ? segment.asReadOnly() : segment;
    }

    /// Whether a range was allocated before the arena was detached. The caller has attached the parcel, and its arena
    /// is open, so that none of these slabs and blocks has been released.
    private boolean contains(long address, long byteSize) {
        long end = bumpPointer;
        LargeAllocation newest = large;
        for (Slab slab = top; slab != null; slab = slab.previous) {
            if (isWithin(address, byteSize, slab.address, end)) {
                return true;
            }
            for (LargeAllocation block = newest; block != null; block = block.previous) {
                if (isWithin(address, byteSize, block.address, block.address + block.byteSize)) {
                    return true;
                }
            }
            Slab previous = slab.previous;
            if (previous != null) {
                end = previous.address + previous.usedByteSize;
                newest = previous.large;
            }
        }
        return false;
    }

    private static boolean isWithin(long address, long byteSize, long begin, long end) {
        return address >= begin && address <= end && byteSize <= end - address;
    }

    @Override
    public void close() {
        if (STATE.compareAndSet(this, DETACHED, CLOSED)) {
            top.home.releaseAll(0, top, bumpPointer);
            if (recorded != null) {
                recorded.closedIf(true);
            }
        }
    }
}
