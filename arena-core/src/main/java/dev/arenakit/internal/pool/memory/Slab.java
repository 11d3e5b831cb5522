package dev.arenakit.internal.pool.memory;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.ThreadTable;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A range of native memory of the pool's slab size, with its state and its owner.
///
/// The bump pointer belongs to the arena that has acquired the slab. Nothing in this class changes during an
/// allocation that fits into the slab.
public final class Slab extends SlabState.PaddingAfter implements ThreadTable.Entry {
    /// Available in a cache of the pool.
    public static final int IDLE = 0;
    /// Acquired as the first slab of an arena. There are as many primary slabs as open arenas.
    public static final int PRIMARY = 1;
    /// Acquired by an arena that has filled its previous slab.
    public static final int OVERFLOW = 2;
    /// Returned to the native allocator. The owner may not have noticed yet.
    public static final int FREED = 3;
    /// The first slab of an arena that was closed, whose scope is still alive.
    public static final int HELD_BACK = 4;

    /// Larger idle slabs would hold too much memory in reserve.
    public static final long LARGEST_SLAB = 1L << 30;

    public final SlabHome home;
    public final boolean zeroed;
    public final long address;
    /// End address, exclusive.
    public final long limit;
    /// The largest size and the largest alignment of an allocation for which an arena moves on to another slab. Beyond
    /// this limit, an allocation that does not fit into the rest of the slab is a [large allocation][LargeAllocation].
    ///
    /// The limit is a quarter of a slab. An arena that moves on to its next slab then wastes a quarter of a slab at
    /// most, and every allocation below the limit fits into a new slab, whatever its alignment.
    public final long largest;
    /// Up to this bump pointer, memset is the fastest way to zero the used part, or nothing has to be zeroed. It is 0
    /// while the slab is the first slab of an arena that something is known about.
    public long shortEnd;
    /// The mapping that this slab is cut from, or null if it is a block of the native allocator.
    final @Nullable SlabRegion region;
    /// The position of this slab in the list of all slabs of the pool.
    public int index;

    /// The slot of the shared cache that this slab returns to, or -1. It is changed under the pool's lock, by the
    /// thread that has acquired the slab.
    public int slot = -1;
    /// The slab that the same arena filled before this one; in the shared cache, the next slab of the stack.
    public @Nullable Slab previous;
    /// The latest large allocation that the arena has made while this was its top slab, or null.
    public @Nullable LargeAllocation large;
    /// The number of bytes that the arena had used when it moved on to another slab.
    public long usedByteSize;
    /// The end of the used part before and after [SlabHome#allocateSlowly], and the address of its allocation.
    public long bumpPointer;
    public long newest;

    /// How many arenas have had this slab as their first slab.
    public long opens;
    /// How many arenas have acquired this slab from the shared cache since it last had an owner.
    public int sharedOpens;
    /// Whether the pool has been shut down: it must notice that this slab is released.
    public boolean retired;
    /// The value of `opens` when the pool last looked for slabs that are not used.
    public long opensWhenChecked = -1;

    /// If `opens` is larger, the arena is sampled for leaks. Without leak detection, none is.
    public long nextSample = Long.MAX_VALUE;
    /// When an arena was sampled, and for how long none is sampled from then on.
    public long sampledNanos;
    public long restNanos;
    /// What is known of the arena that has this slab, if it is watched for leaks or was sampled for a recording.
    public @Nullable LeakWatch open;

    /// The id of the thread that owns this slab between its arenas, or 0. Ids start at 1 and are never reused. It is
    /// changed under the pool's lock, while no arena has the slab, or by the thread whose arena has it.
    public long ownerId;
    private @Nullable WeakReference<Thread> owner;

    public Slab(SlabHome home, long address, long byteSize, @Nullable SlabRegion region, boolean zeroed) {
        this.home = home;
        this.zeroed = zeroed;
        this.address = address;
        this.limit = address + byteSize;
        this.largest = byteSize >>> 2;
        this.region = region;
        resetShortEnd();
    }

    private void resetShortEnd() {
        shortEnd = zeroed ? address + Memory.LARGEST_MEMSET : Long.MAX_VALUE;
    }

    public int state() {
        return (int) -Math.min(encodedState(), 0);
    }

    /// Sets the state after all earlier writes of the caller to the slab's memory.
    public void state(int state) {
        encodedState(state == IDLE ? ownerId : -state);
    }

    /// Whether an allocation that does not fit into the rest of a slab is a large one.
    public boolean isLarge(long byteSize, long byteAlignment) {
        return byteSize > largest || byteAlignment > largest;
    }

    /// The address of the latest large allocation.
    public long largeAddress() {
        return Objects.requireNonNull(large).address;
    }

    /// Zeros a range that has been used, if the pool is zeroed. The range starts at a multiple of [Memory#ZERO_BLOCK],
    /// as slabs start and end, and the bytes between its end and the next multiple are free.
    public void zero(long begin, long byteSize) {
        if (zeroed && byteSize > 0) {
            Memory.zeroBlocks(begin, byteSize);
        }
    }

    /// Returns a slab of the same memory, to which no thread refers.
    public Slab copy() {
        Slab copy = new Slab(home, address, limit - address, region, zeroed);
        copy.opens = opens;
        copy.nextSample = nextSample;
        copy.retired = retired;
        return copy;
    }

    /// Ends the watch for leaks: this slab leaves its arena.
    public void unwatch(LeakWatch watched) {
        open = null;
        if (state() == PRIMARY) {
            resetShortEnd();
            watched.closed();
        } else {
            watched.add(address - limit);
        }
    }

    public void setOwner(Thread thread) {
        // If there is no heap memory for the reference, this slab must not look as if it had an owner.
        owner = new WeakReference<>(thread);
        sharedOpens = 0;
        ownerId = thread.threadId();
    }

    @Override
    public long threadId() {
        return ownerId;
    }

    public void clearOwner() {
        ownerId = 0;
        owner = null;
        if (state() == IDLE) {
            state(IDLE);
        }
    }

    /// Whether the owner has terminated. If so, the caller sees everything that the owner has written.
    public boolean isOrphaned() {
        Thread thread = owner == null ? null : owner.get();
        return thread == null || !thread.isAlive();
    }
}
