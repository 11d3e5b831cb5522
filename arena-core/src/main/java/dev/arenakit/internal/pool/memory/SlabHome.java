package dev.arenakit.internal.pool.memory;

import org.jspecify.annotations.Nullable;

/// The cache that a slab belongs to, with the calls that arenas make of it.
///
/// An arena reaches the cache through its slab, and has no field for it. This class has one subclass, so that C2 knows
/// the method of each call. The first argument of a slow path is the number of times that it calls itself, as
/// [NotInlined][dev.arenakit.internal.NotInlined] describes.
public abstract class SlabHome {
    /// Whether all arenas are watched for leaks, and whether they are reachable.
    public abstract boolean watchesAll();

    /// The number of opens of a new slab after which an arena is sampled for leaks.
    public abstract long firstSample();

    /// Ends the groups of shared arenas without open arenas, and releases the memory that they hold back. This may run
    /// cleanups of users.
    ///
    /// @return whether there are groups: then this thread or another one may have released memory
    public abstract boolean reclaimHeldBack();

    /// Ends the watch of an arena that was closed, whose memory cannot be released yet, and counts it as open no
    /// longer.
    ///
    /// @return the size of its memory
    public abstract long holdBack(Slab top);

    /// Tells the pool that a thread has released its retired slab.
    public abstract void releasedRetired(int calls, Slab slab);

    /// Makes sure that the current thread owns no slab of an arena that is about to be detached: another thread will
    /// release it. From then on, the threads of this pool own a slab after many acquisitions only.
    public abstract void disown();

    /// Makes an allocation that does not fit into the top slab of an arena, or into no slab.
    ///
    /// @param top the top slab, with its [bump pointer][Slab#bumpPointer]
    /// @return the top slab now, with its bump pointer and the [address][Slab#newest] of the allocation
    public abstract Slab allocateSlowly(int calls, Slab top, long byteSize, long byteAlignment);

    /// Makes an allocation as [#allocateSlowly] does, or returns null if the pool is full, which counts as no refusal.
    public abstract @Nullable Slab tryAllocateSlowly(Slab top, long byteSize, long byteAlignment);

    /// Counts the refusal of an allocation and returns its exception.
    public abstract RuntimeException full(Slab top, long byteSize, long byteAlignment);

    /// Zeros and releases all slabs and large allocations of an arena. The top slab is used up to the bump pointer.
    public abstract void releaseAll(int calls, Slab top, long bumpPointer);

    /// Zeros the slabs of an arena above a mark, or all (null), releases their large allocations, and releases those
    /// below the top slab, which is used up to the bump pointer.
    public abstract void emptyDownTo(int calls, @Nullable Slab mark, Slab top, long bumpPointer);

    /// Releases a slab that is empty, and that no arena refers to.
    public abstract void releaseUnlinked(int calls, Slab slab);

    /// Releases the large allocations of a slab down to a mark, and zeros a range.
    public abstract void empty(int calls, Slab slab, @Nullable LargeAllocation mark, long begin, long end);
}
