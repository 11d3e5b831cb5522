package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A slab arena for all threads that shares its scope with the other arenas of its group.
///
/// Its memory is released after the scope of the group has ended, and until then not even zeroed: segments of a closed
/// arena can still reach it.
public final class GroupedSlabArena implements SlabArena {
    private static final VarHandle CLOSED;

    static {
        try {
            CLOSED = MethodHandles.lookup()
                    .findVarHandle(GroupedSlabArena.class, "closed", boolean.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ArenaGroups groups;
    private final ArenaGroup group;
    private final SharedSlabs memory;
    @SuppressWarnings({"unused", "FieldMayBeFinal"})
    private volatile boolean closed;
    /// The size of the memory that this arena holds back, set before it is published as a closed one.
    long heldBackByteSize;
    /// The arena that was closed before this one, in the list of closed arenas that has this one.
    @Nullable
    GroupedSlabArena previous;

    /// @param group the group, which counts this arena as open
    GroupedSlabArena(ArenaGroups groups, ArenaGroup group, Slab slab) {
        this.groups = groups;
        this.group = group;
        memory = new SharedSlabs(slab, group.delegate, group.view);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        if (closed) {
            throw Scopes.alreadyClosed();
        }
        // If another thread closes this arena now, the block is released with the others of this arena.
        return memory.allocate(byteSize, byteAlignment);
    }

    @Override
    public SlabArena pushFrame() {
        throw SharedSlabArena.framesRefused();
    }

    @Override
    public SlabParcel detach() {
        throw SharedSlabArena.detachRefused();
    }

    @Override
    public MemorySegment.Scope scope() {
        return group.delegate.scope();
    }

    @Override
    public void close() {
        groups.endDue();
        if (!CLOSED.compareAndSet(this, false, true)) {
            throw Scopes.alreadyClosed();
        }
        heldBackByteSize = memory.holdBack();
        groups.add(this, group);
    }

    /// Releases the memory, after the scope of the group has ended.
    void release() {
        memory.release();
    }
}
