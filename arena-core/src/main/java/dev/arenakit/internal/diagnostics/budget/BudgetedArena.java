package dev.arenakit.internal.diagnostics.budget;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.scope.ScopeKinds;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// An arena that counts the allocations of another arena on a budget.
final class BudgetedArena implements Arena {
    /*
     * The bytes of this arena are released once, by the close that ended the scope. A close that fails because another
     * one is running, in another thread or further up the stack, releases nothing: the memory may not have been freed
     * yet. If a VirtualMachineError ends a close, it may never be freed, and its bytes stay reserved for good.
     *
     * A thread adds its bytes after the allocation has succeeded; if a shared arena has been closed meanwhile, the
     * thread finds the mark and releases them itself. Only the owner of a confined arena adds and releases bytes, and
     * needs no atomic operation.
     */
    private static final VarHandle COUNTED;
    private static final VarHandle CLOSER;
    /// The mark in the number of bytes that they have been released.
    private static final long RELEASED = Long.MIN_VALUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNTED = lookup.findVarHandle(BudgetedArena.class, "counted", long.class).withInvokeExactBehavior();
            CLOSER = lookup.findVarHandle(BudgetedArena.class, "closer", Thread.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Arena arena;
    /// The arena below all that count.
    private final Arena uncounted;
    private final Budget budget;
    private final BudgetAccount account;
    /// Where the arena was opened, or null if that is not known.
    private final @Nullable LeakWatch opening;
    /// Whether only one thread allocates from the arena.
    private final boolean confined;
    private long counted;
    /// The thread that is closing this arena, or has closed it, or null.
    private @Nullable Thread closer;
    /// An empty segment of the arena, or null.
    private @Nullable MemorySegment empty;

    BudgetedArena(Arena arena, Budget budget, BudgetAccount account, @Nullable LeakWatch opening) {
        this.arena = arena;
        this.uncounted = arena instanceof BudgetedArena counting ? counting.uncounted : arena;
        this.budget = budget;
        this.account = account;
        this.opening = opening;
        this.confined = ScopeKinds.isConfined(arena.scope());
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        if (byteSize > Sizes.ADDRESSABLE - byteAlignment) {
            // The arena refuses it with an exception of its own. Such a size could make the sums of a budget overflow.
            return arena.allocate(byteSize, byteAlignment);
        }
        long reserved = Math.max(byteSize, 1)
                + (byteAlignment > AllocatorFunctions.MALLOC_ALIGNMENT ? byteAlignment : 0);
        if (!account.reserve(reserved)) {
            throw refused(reserved);
        }
        MemorySegment segment;
        try {
            segment = arena.allocate(byteSize, byteAlignment);
        } catch (Throwable t) {
            account.release(reserved);
            throw t;
        }
        if (confined) {
            counted += reserved;
        } else if ((long) COUNTED.getAndAdd(this, reserved) < 0) {
            account.release(reserved);
        }
        return segment;
    }

    private RuntimeException refused(long reserved) {
        MemorySegment known = empty;
        if (known == null || !known.isAccessibleBy(Thread.currentThread()) || !arena.scope().isAlive()) {
            // In the order of all arenas, the thread and the scope come before the memory: this throws if they are
            // wrong.
            empty = uncounted.allocate(0, 1);
        }
        return account.exceeded(reserved);
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        boolean first = beginClose();
        try {
            arena.close();
        } catch (Throwable t) {
            if (first) {
                closeFailed(t);
            }
            throw t;
        }
        release();
    }

    /// Whether no other close is running, in another thread or further up the stack.
    private boolean beginClose() {
        Thread current = Thread.currentThread();
        if (!confined) {
            return CLOSER.compareAndSet(this, (Thread) null, current);
        }
        // If another thread calls this method, which is refused, the owner's close is still the first one.
        boolean first = !Scopes.isCurrent(closer);
        closer = current;
        return first;
    }

    private void closeFailed(Throwable thrown) {
        if (arena.scope().isAlive() || (thrown instanceof WrongThreadException && isRefusedToThisThread())) {
            CLOSER.setRelease(this, (Thread) null);
        } else if (!(thrown instanceof VirtualMachineError)) {
            release();
        }
    }

    /// Whether the arena, whose scope is dead, refuses every call of this thread. If not, a cleanup has thrown the
    /// exception.
    private boolean isRefusedToThisThread() {
        try {
            arena.close();
            return false;
        } catch (WrongThreadException _) {
            return true;
        } catch (RuntimeException _) {
            return false;
        }
    }

    private void release() {
        long bytes = counted;
        if (confined) {
            counted = RELEASED;
        } else {
            bytes = (long) COUNTED.getAndSet(this, RELEASED);
        }
        if (bytes >= 0) {
            account.release(bytes);
            budget.closeArena(opening);
        }
    }

    @Override
    public String toString() {
        return "Arena of budget " + budget.path() + ": " + Math.max(0, (long) COUNTED.getOpaque(this))
                + " bytes reserved";
    }
}
