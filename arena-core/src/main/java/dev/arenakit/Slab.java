package dev.arenakit;

import dev.arenakit.internal.Memory;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// A range of native memory of the pool's slab size, and who has it. What an arena has handed out of it stands in the
/// arena: nothing here changes while allocating.
final class Slab {
    /// Lies in the pool, to be lent.
    static final int KEPT = 0;
    /// Lent; the first slab of an arena, so that these are as many as the open arenas.
    static final int FIRST = 1;
    /// Lent; the arena has filled another before it.
    static final int FURTHER = 2;
    /// Given back to the native allocator. Its keeper may not have noticed yet.
    static final int FREED = 3;

    final SlabDepot depot;
    private final boolean zeroed;
    final long address;
    /// Where it ends.
    final long limit;
    /// The cell of the [SlabStore] that this slab returns to, or -1; changed under the pool's lock by who has the slab.
    int cell = -1;
    /// The slab that the same arena filled before this one; in the store, the next of the stack.
    @Nullable
    Slab below;
    /// How many bytes an arena had handed out when it went on to another slab.
    long used;

    /// The id of the thread that keeps this slab between its arenas, or 0; ids begin at 1 and are never given again.
    /// Changed under the pool's lock while nobody has the slab.
    long keeperId;
    private @Nullable WeakReference<Thread> keeper;

    /*
     * The state is written in every session and lies two cache lines apart from all that other threads read, as slabs of
     * several threads may be neighbours on the heap: two virtual threads take 22 ns for a session of ten blocks, and up to
     * 60 without. HotSpot keeps fields of one size in the order of their declaration, hence a long.
     */
    @SuppressWarnings("unused")
    private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
    private long state;
    @SuppressWarnings("unused")
    private long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;

    Slab(SlabDepot depot, long address, long byteSize, boolean zeroed) {
        this.depot = depot;
        this.zeroed = zeroed;
        this.address = address;
        this.limit = address + byteSize;
    }

    /// Whether an allocation gets a block of its own. A quarter of a slab is the most that is left over when an arena goes
    /// on to its next slab, and what fits any new slab, however it is aligned.
    boolean isTooSmallFor(long byteSize, long byteAlignment) {
        long largest = (limit - address) >>> 2;
        return byteSize > largest || byteAlignment > largest;
    }

    /// Makes a range that has been handed out fit to be handed out again. It begins at a multiple of [Memory#ZERO_BLOCK], as
    /// slabs begin and end, and what follows it up to the next multiple is free.
    void clean(long begin, long byteSize) {
        if (zeroed && byteSize > 0) {
            Memory.zeroBlocks(begin, byteSize);
        }
    }

    void keepFor(Thread thread) {
        keeperId = thread.threadId();
        keeper = new WeakReference<>(thread);
    }

    void keepForNobody() {
        keeperId = 0;
        keeper = null;
    }

    /// Whether the thread that keeps this slab has ended. All that it did is then seen by the caller.
    boolean isOrphaned() {
        Thread thread = keeper == null ? null : keeper.get();
        return thread == null || !thread.isAlive();
    }

    int state() {
        int seen = (int) state;
        VarHandle.acquireFence();
        return seen;
    }

    /// Changes the state after everything that the caller has done to the memory before.
    void state(int state) {
        VarHandle.releaseFence();
        this.state = state;
    }
}
