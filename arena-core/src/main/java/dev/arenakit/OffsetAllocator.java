package dev.arenakit;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.freelist.FreeLists;
import dev.arenakit.internal.freelist.SegmentLists;
import dev.arenakit.internal.freelist.SizeClasses;
import dev.arenakit.internal.malloc.MallocRegistry;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/// A general-purpose allocator in Java that divides one segment into blocks, which can be freed one by one. Its results
/// are offsets in the segment, or segments.
///
/// The segment may be as large as the address space, such as a file of an `InfiniteArena`. For blocks in memory of the
/// operating system, open a [FreeListArena].
///
/// **Backing.** The segment is divided into slabs of 64 KiB. A slab has blocks of one size class: 16, 24 and so on up
/// to 128 bytes, and then eight classes for each doubling up to 64 KiB. So a block above 64 bytes is at most one eighth
/// larger than its request. A block above 64 KiB consists of whole slabs. A slab whose last block is freed can be used
/// for another size. Slabs are aligned to their size: up to 64 KiB at the start of the segment, and less than 64 KiB at
/// its end, are not used.
///
/// **Data.** The allocator keeps its data in native memory of its own, and in objects: neither a copy of the segment
/// nor another mapping of its file can be used as an allocator. That memory is freed after the allocator has become
/// unreachable, by a garbage collection, whenever the segment is closed.
///
/// **Raw offsets.** [#allocateRaw] returns the offset of a block in the [memory][#memory()], and [#freeRaw] frees the
/// block at an offset: no object is needed.
///
/// **What `free` means.** The lifetime of a freed block ends by contract. **Do not use its segment or its offset
/// afterwards:** a later block may have the memory. For each 16 bytes of memory, the allocator has a byte that says
/// whether a live block starts there. So `free` refuses the offset of a freed block, an offset inside a block, and an
/// offset of another allocator, without reading memory in front of the block. It cannot distinguish an old offset from
/// a later block at the same place. A store through an old segment may change a later block, but does not damage the
/// allocator: blocks never share memory with its data.
///
/// **Lifetime.** The memory and its scope belong to the caller: the allocator is not closed. When the scope has ended,
/// all methods but [#memory()] throw an [IllegalStateException]. If the scope is confined to another thread, they throw
/// a [WrongThreadException]. All blocks end with the scope of the segment. To free all blocks at once, discard the
/// allocator, and create another one. The data of a discarded allocator takes memory until the next garbage collection,
/// and hardly any heap memory that would cause a collection: do not create allocators at a high rate, but free blocks,
/// or open a [FreeListArena]. A new allocator causes a collection, and waits for it, only if there is no memory or
/// address space left for its data.
///
/// **Threads.** One thread at a time may use an allocator of [#over]. All threads may use an allocator of
/// [#overShared]: each platform thread has stacks of free blocks of its own, one for each size class, and uses them
/// without a lock and without an atomic operation. Any thread may free a block, which then is on the stack of that
/// thread. Virtual threads share one set of stacks, behind a lock; so do platform threads beyond 4,096, if the lowest
/// bits of their ids are equal, and threads for whose stacks there is no memory. **Two threads that free the same
/// block, unless one call happens before the other, may both succeed: the block is then handed out twice.** An
/// allocator of [#overSharedAtomic] refuses the later one.
///
/// **Zeroing.** Memory is not zeroed, except by [#allocateZeroed].
///
/// **Alignment.** Any power of two, as far as the segment has such addresses. Without an alignment, a block is aligned
/// to 8 bytes. A block that moves when it is resized keeps its alignment, or gets the largest alignment that was
/// requested for a block of its slab.
///
/// **Full segment.** If no run of free slabs is long enough, the allocator empties the stacks of this thread, of
/// terminated threads and of virtual threads into the slabs. If the stacks of other threads have a block of the same
/// class, or the last blocks of a slab, it then empties these: their threads stop using them for that time, and a
/// handshake with every thread shows that they have. A block of 8 to 64 KiB is otherwise allocated in a run of up to
/// eight slabs, and now in a shorter one. If all that fails, the allocator throws a [CapacityExceededException], or
/// `tryAllocate` returns without one, and nothing has changed.
///
/// **Exhausted stack or heap.** A [StackOverflowError], or an [OutOfMemoryError] of the Java heap, can interrupt a call
/// between any two steps. Even then, no memory is handed out twice. An interrupted call may lose blocks until the
/// allocator is discarded. A block whose `free` or `reallocate` was interrupted may have been freed, and allocated
/// again by another thread: do not use it again.
///
/// **Cost.** Allocating and freeing a block of up to 64 KiB take some nanoseconds, until a stack is empty or full: half
/// of a stack, at most 31 blocks, then comes from the slabs or returns to them, behind a lock. A larger block takes
/// time in proportion to its slabs. A block can be resized in place within its size class, and a large block also by
/// the free slabs behind it. Raw calls create no garbage. The tables take 6.3 % of the slabs in use, and the stacks of
/// a thread 32 KiB. They hold at most 64 KiB of free blocks of each size class.
///
/// **Algorithm.** The size classes follow jemalloc (J. Evans, "A Scalable Concurrent malloc(3) Implementation for
/// FreeBSD", 2006), which has half as many. Slabs of equal objects follow J. Bonwick ("The Slab Allocator: An
/// Object-Caching Kernel Memory Allocator", 1994), and the stacks of each thread in front of them are the magazines of
/// J. Bonwick and J. Adams ("Magazines and Vmem", 2001).
///
/// {@snippet file="dev/arenakit/Snippets.java" region="offsetallocator"}
public final class OffsetAllocator implements BlockAllocator {
    /// The result of an allocation that fails.
    private static final long FULL = -1;

    private final MemorySegment memory;
    private final SegmentLists blocks;
    private final MemorySegment.Scope scope;

    private OffsetAllocator(MemorySegment memory, boolean shared, boolean atomicFree) {
        if (!memory.isNative() || memory.isReadOnly()) {
            throw new IllegalArgumentException("Segment is not native, or read-only: " + memory);
        }
        if (shared && !isShared(memory)) {
            throw new IllegalArgumentException("Segment is confined to a thread: " + memory);
        }
        NativeAccess.require();
        Scopes.checkOpen(memory);
        this.memory = memory;
        scope = memory.scope();
        blocks = SegmentLists.of(memory, shared, atomicFree);
    }

    /// Creates an allocator over a segment, for one thread at a time.
    ///
    /// @param memory the segment, of 128 KiB or more, which the allocator then owns: its content is lost
    /// @return the allocator
    /// @throws IllegalArgumentException if the segment is too small, read-only, or on the heap
    /// @throws WrongThreadException     if the segment is confined to another thread
    /// @throws IllegalStateException    if the segment is closed
    /// @throws IllegalCallerException   if native access is denied
    /// @throws OutOfMemoryError         if there is no memory left for the data of the allocator
    public static OffsetAllocator over(MemorySegment memory) {
        return new OffsetAllocator(memory, false, false);
    }

    /// Creates an allocator over a segment, for all threads.
    ///
    /// @param memory the segment, of 128 KiB or more, which the allocator then owns: its content is lost
    /// @return the allocator
    /// @throws IllegalArgumentException if the segment is too small, read-only, on the heap, or confined to a thread
    /// @throws IllegalStateException    if the segment is closed
    /// @throws IllegalCallerException   if native access is denied
    /// @throws OutOfMemoryError         if there is no memory left for the data of the allocator
    public static OffsetAllocator overShared(MemorySegment memory) {
        return new OffsetAllocator(memory, true, false);
    }

    /// Creates an allocator over a segment, for all threads, whose `free` is atomic: of two threads that free a block
    /// at the same time, which is an error, one is refused. Each `free` then takes some nanoseconds more.
    ///
    /// @param memory the segment, as for [#overShared]
    /// @return the allocator
    /// @throws IllegalArgumentException if the segment is too small, read-only, on the heap, or confined to a thread
    /// @throws IllegalStateException    if the segment is closed
    /// @throws IllegalCallerException   if native access is denied
    /// @throws OutOfMemoryError         if there is no memory left for the data of the allocator
    public static OffsetAllocator overSharedAtomic(MemorySegment memory) {
        return new OffsetAllocator(memory, true, true);
    }

    private static boolean isShared(MemorySegment memory) {
        return memory.isAccessibleBy(new Thread());
    }

    /// {@return the memory that raw offsets refer to}
    public MemorySegment memory() {
        return memory;
    }

    /// Allocates a block that is aligned to 8 bytes.
    ///
    /// @param byteSize the size in bytes
    /// @return the offset of the block in the [memory][#memory()], never 0
    /// @throws IllegalArgumentException  if the size is negative
    /// @throws CapacityExceededException if the segment is full
    public long allocateRaw(long byteSize) {
        if (byteSize < 0) {
            Sizes.checkArguments(byteSize, 1);
        }
        long block = allocateBlock(byteSize, 1);
        if (block == 0) {
            throw blocks.full(byteSize, 1);
        }
        return block;
    }

    /// Allocates a block that is aligned to 8 bytes, unless the segment is full.
    ///
    /// @param byteSize the size in bytes
    /// @return the offset of the block in the [memory][#memory()], or -1 if the segment is full
    /// @throws IllegalArgumentException if the size is negative
    public long tryAllocateRaw(long byteSize) {
        if (byteSize < 0) {
            Sizes.checkArguments(byteSize, 1);
        }
        long block = allocateBlock(byteSize, 1);
        return block == 0 ? FULL : block;
    }

    /// Frees a block.
    ///
    /// @param offset the offset of a live block
    /// @throws IllegalArgumentException if no live block has that offset
    public void freeRaw(long offset) {
        if (!freeBlock(offset, FreeLists.ANY_SIZE)) {
            throw notLive(offset);
        }
    }

    /// Resizes a block, which may move. As many of its bytes as fit are preserved. If this method throws, the block is
    /// unchanged, unless the stack or the Java heap is exhausted.
    ///
    /// @param offset      the offset of a live block
    /// @param newByteSize the new size in bytes
    /// @return the offset of the resized block
    /// @throws IllegalArgumentException  if the size is negative, or no live block has that offset
    /// @throws CapacityExceededException if the segment is full
    public long reallocateRaw(long offset, long newByteSize) {
        Sizes.checkArguments(newByteSize, 1);
        Scopes.checkOpen(memory);
        long byteAlignment = resize(offset, FreeLists.ANY_SIZE, newByteSize);
        if (byteAlignment == 0) {
            return offset;
        }
        if (byteAlignment == FreeLists.NOT_LIVE) {
            throw notLive(offset);
        }
        long moved = allocateBlock(newByteSize, byteAlignment);
        if (moved == 0) {
            throw blocks.full(newByteSize, byteAlignment);
        }
        try {
            MemorySegment.copy(memory, offset, memory, moved, Math.min(newByteSize, byteSizeRaw(offset)));
            freeRaw(offset);
        } catch (Throwable t) {
            freeBlock(moved, FreeLists.ANY_SIZE);
            throw t;
        }
        return moved;
    }

    /// {@return the number of bytes that a block holds, which may be more than were requested}
    ///
    /// @param offset the offset of a live block
    /// @throws IllegalArgumentException if no live block has that offset
    public long byteSizeRaw(long offset) {
        Scopes.checkOpen(memory);
        long byteSize = byteSizeAt(offset);
        if (byteSize == FreeLists.NOT_LIVE) {
            throw notLive(offset);
        }
        return byteSize;
    }

    /// Allocates a block that is not zeroed.
    ///
    /// @param byteSize      the size in bytes; 0 gives a zero-length segment with an address of its own
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, a slice of the [memory][#memory()]
    /// @throws IllegalArgumentException  if the size is negative or the alignment is not a power of two
    /// @throws CapacityExceededException if the segment is full
    /// @throws OutOfMemoryError          if no address space is as large, or there is no heap memory for the segment
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment segment = tryAllocate(byteSize, byteAlignment);
        if (segment == null) {
            throw blocks.full(byteSize, byteAlignment);
        }
        return segment;
    }

    /// Allocates a block that is not zeroed, as [#allocate(long, long)] does, unless the segment is full.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, or `null` if the segment is full
    /// @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
    @SuppressWarnings("NullAway") // A user does not need the annotation's jar.
    public MemorySegment tryAllocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        long block = allocateBlock(byteSize, byteAlignment);
        if (block == 0) {
            return null;
        }
        try {
            if (FreeLists.isRecorded(byteSize, byteAlignment)) {
                record(block, byteSize, byteAlignment);
            }
            return memory.asSlice(block, byteSize);
        } catch (Throwable t) {
            freeBlock(block, FreeLists.ANY_SIZE);
            throw t;
        }
    }

    /// Allocates a zeroed block.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, as from [#allocate(long, long)]
    /// @throws IllegalArgumentException  if the size is negative or the alignment is not a power of two
    /// @throws CapacityExceededException if the segment is full
    public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        return allocate(byteSize, byteAlignment).fill((byte) 0);
    }

    /*
     * The allocator's data is freed when this object is unreachable: the object must stay reachable while the data is
     * in use.
     */
    private long allocateBlock(long byteSize, long byteAlignment) {
        try {
            int sizeClass = SizeClasses.classOf(byteSize, byteAlignment);
            return sizeClass != SizeClasses.NONE
                    ? blocks.tryAllocate(sizeClass)
                    : blocks.tryAllocateLarge(byteSize, byteAlignment);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private boolean freeBlock(long block, long byteSize) {
        try {
            return blocks.free(block, byteSize);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private void record(long block, long byteSize, long byteAlignment) {
        try {
            blocks.record(block, byteSize, byteAlignment);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long byteSizeAt(long offset) {
        try {
            return blocks.byteSizeOf(offset, FreeLists.ANY_SIZE);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long resize(long block, long byteSize, long newByteSize) {
        try {
            return blocks.resize(block, byteSize, newByteSize);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /// Frees a block. **Do not use the segment, or a slice of it, afterwards.**
    ///
    /// @param segment a segment as this allocator returned it
    /// @throws IllegalArgumentException if the segment does not start where a live block starts, is larger than the
    ///                                  block, is empty unless the block is, is read-only, or has another scope
    @Override
    public void free(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        if (!isOurs(segment) || !freeBlock(blockOf(segment), segment.byteSize())) {
            Scopes.checkOpen(memory);
            throw MallocRegistry.notALiveBlock(segment);
        }
    }

    /// Resizes a block, which may move. Its alignment, and as many of its bytes as fit, are preserved; added bytes are
    /// not zeroed. **Do not use the old segment afterwards.**
    ///
    /// @param segment     a segment as this allocator returned it
    /// @param newByteSize the new size in bytes
    /// @return the new segment
    /// @throws IllegalArgumentException  if the size is negative, or [#free] would reject the segment
    /// @throws CapacityExceededException if the segment is full
    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Objects.requireNonNull(segment, "segment");
        Sizes.checkArguments(newByteSize, 1);
        Scopes.checkOpen(memory);
        long byteAlignment = isOurs(segment)
                ? resize(blockOf(segment), segment.byteSize(), newByteSize)
                : FreeLists.NOT_LIVE;
        if (byteAlignment == FreeLists.NOT_LIVE) {
            throw MallocRegistry.notALiveBlock(segment);
        }
        if (byteAlignment == 0) {
            return memory.asSlice(blockOf(segment), newByteSize);
        }
        MemorySegment moved = allocate(newByteSize, byteAlignment);
        try {
            MemorySegment.copy(segment, 0, moved, 0, Math.min(newByteSize, segment.byteSize()));
            free(segment);
        } catch (Throwable t) {
            freeBlock(blockOf(moved), moved.byteSize());
            throw t;
        }
        return moved;
    }

    /// {@return the blocks and the memory of the allocator} This method looks at each slab. The result is approximate
    /// if other threads use the allocator at the same time.
    public FreeListStatistics stats() {
        Scopes.checkOpen(memory);
        try {
            return blocks.stats();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long blockOf(MemorySegment segment) {
        return segment.address() - memory.address();
    }

    private boolean isOurs(MemorySegment segment) {
        return segment.scope().equals(scope) && segment.isNative() && !segment.isReadOnly();
    }

    private static IllegalArgumentException notLive(long offset) {
        return new IllegalArgumentException("Not a live block of this allocator: offset=" + offset
                + "; pass an offset exactly as allocateRaw returned it, and only once");
    }
}
