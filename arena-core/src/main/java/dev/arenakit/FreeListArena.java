package dev.arenakit;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.Budget;
import dev.arenakit.internal.diagnostics.LeakProperty;
import dev.arenakit.internal.diagnostics.LeakWatch;
import dev.arenakit.internal.freelist.FreeLists;
import dev.arenakit.internal.freelist.LargeBlocks;
import dev.arenakit.internal.freelist.RangeLists;
import dev.arenakit.internal.freelist.RangeProvider;
import dev.arenakit.internal.freelist.SizeClasses;
import dev.arenakit.internal.malloc.CheckedMallocRegistry;
import dev.arenakit.internal.malloc.MallocRegistry;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.pool.SlabCache;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.internal.scope.SharedClose;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena of many small blocks that can be freed or resized one by one, in Java: no native call is made for a block.
///
/// **Backing.** Blocks of up to 64 KiB are in slabs, as with an [OffsetAllocator]. The slabs are in ranges of 2 MiB
/// from the operating system's pages, from a [SlabPool], or from a [NativeAllocator]. The native allocator provides the
/// blocks larger than 64 KiB.
///
/// **Lifetime.** The segments live until [#close()]. A block can be freed earlier with [#free], or resized with
/// [#reallocate]. All segments have the scope of the arena, and a scope cannot end for a single segment: **after `free`
/// or `reallocate`, any access through the old segment is undefined.** It may read or change the bytes of a later
/// block, or terminate the JVM, because an arena for one thread gives a range back to the system when its last block is
/// freed. A [checked][Builder#checked()] arena gives each block a scope of its own, so that such an access throws.
///
/// **Threads.** A confined arena belongs to the thread that opened it: calls of other threads throw a
/// [WrongThreadException]. A shared arena may be used and closed by any thread, as described for [OffsetAllocator]. It
/// keeps its ranges until it is closed, and gives the pages of free slabs back to the system. **Two threads that free
/// the same block, unless one call happens before the other, may both succeed: the block is then handed out twice.** An
/// arena of [Builder#atomicFree()] refuses the later one.
///
/// **Zeroing.** Memory is not zeroed, except by [#allocateZeroed].
///
/// **Alignment.** Any power of two.
///
/// **Exhausted memory.** If there is no memory left, `allocate` throws an [OutOfMemoryError] with the size. If the
/// arena takes its memory from a pool, and the pool is full, or if its [budget][Builder#budget] is exceeded, `allocate`
/// throws a [CapacityExceededException]. An arena over the operating system's pages takes two mappings or more: if this
/// process has half of the mappings that Linux grants (`vm.max_map_count`), opening an arena and `allocate` throw that
/// exception, too.
///
/// **Exhausted stack or heap.** A [StackOverflowError], or an [OutOfMemoryError] of the Java heap, can interrupt a call
/// between any two steps. Even then, no memory is handed out twice, and none is freed while its scope is alive. An
/// interrupted call may lose its block until the arena is closed, and an interrupted `close` may lose memory, which the
/// pool still counts. A block whose `free` or `reallocate` was interrupted may have been freed, and allocated again by
/// another thread: do not use it again.
///
/// **Cost.** A block of up to 64 KiB takes some nanoseconds, as with an [OffsetAllocator]. Opening an arena takes tens
/// of microseconds, and so does its first block: 32 KiB are mapped for stacks, and 2 MiB for blocks. Only touched pages
/// take memory: some 50 KiB with one block, and 32 KiB for each further thread that uses a shared arena. For short
/// lifetimes, use a [SlabArena]. Closing a shared arena also takes tens of microseconds, for a handshake with every
/// thread.
///
/// **Native access** is required: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path. Without
/// it, Java prints a warning.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="freelistarena"}
public final class FreeListArena implements Arena, BlockAllocator {
    private final Arena delegate;
    private final MemorySegment view;
    private final MemorySegment.Scope scope;
    private final RangeLists blocks;
    private final LargeBlocks large;
    /// The watch for leaks, which ends when the arena is closed, or null.
    private final @Nullable LeakWatch open;
    /// The close of a shared arena, or null.
    private final @Nullable SharedClose closing;
    /// The blocks of a checked arena with their scopes, or null.
    private final MallocRegistry.@Nullable Guarded guarded;

    private FreeListArena(Builder builder, @Nullable LeakWatch open) {
        boolean shared = builder.shared;
        SlabCache pool = builder.pool == null ? null : builder.pool.cache();
        this.open = open;
        delegate = shared ? Arena.ofShared() : Arena.ofConfined();
        view = Scopes.viewOf(delegate);
        scope = view.scope();
        RangeProvider source = new RangeProvider(pool == null ? builder.functions() : pool.allocator(), pool,
                builder.account, open);
        RangeLists lists = null;
        try {
            large = new LargeBlocks(source, view);
            lists = new RangeLists(view, source, shared, builder.atomicFree);
            blocks = lists;
            guarded = null;
            closing = shared ? new SharedClose(delegate, true, delegate::close, this::release) : null;
        } catch (Throwable t) {
            if (lists == null) {
                source.close();
            } else {
                lists.close();
            }
            throw t;
        }
    }

    /// Creates a checked arena over an unchecked arena. It closes the unchecked arena when it is closed.
    private FreeListArena(FreeListArena unchecked, boolean shared) {
        delegate = shared ? Arena.ofShared() : Arena.ofConfined();
        view = Scopes.viewOf(delegate);
        scope = view.scope();
        blocks = unchecked.blocks;
        large = unchecked.large;
        // The unchecked arena ends the watch.
        open = null;
        closing = null;
        guarded = new CheckedMallocRegistry(unchecked.source(), delegate, shared, false,
                unchecked::close);
    }

    private CheckedMallocRegistry.Source source() {
        return new CheckedMallocRegistry.Source() {
            @Override
            public long allocate(long byteSize, long byteAlignment, boolean zeroed) {
                return (zeroed
                        ? allocateZeroed(byteSize, byteAlignment)
                        : FreeListArena.this.allocate(byteSize, byteAlignment)).address();
            }

            @Override
            public void free(long address, long byteSize, long byteAlignment) {
                // By address: the scope of the block has ended, and the heap may have no memory for a segment.
                if (!blocks.free(address, byteSize)) {
                    large.free(NotInlined.CALLS, address, byteSize);
                }
            }
        };
    }

    /// Opens an arena for the current thread.
    ///
    /// @return the arena, which this thread must close
    /// @throws IllegalCallerException if native access is denied
    /// @throws OutOfMemoryError       if there is no memory left
    public static FreeListArena ofConfined() {
        return builder().build();
    }

    /// Opens an arena for all threads.
    ///
    /// @return the arena, which any thread may close
    /// @throws IllegalCallerException if native access is denied
    /// @throws OutOfMemoryError       if there is no memory left
    public static FreeListArena ofShared() {
        return builder().shared().build();
    }

    /// Returns a builder of arenas with other options: shared, checked, or with memory from elsewhere.
    ///
    /// @return a builder, which without further calls builds the same arena as [#ofConfined()]
    public static Builder builder() {
        return new Builder();
    }

    /// Allocates a block that is not zeroed.
    ///
    /// @param byteSize      the size in bytes; 0 gives a zero-length segment with an address of its own
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, in the scope of this arena, or in a scope of its own if the arena is checked
    /// @throws IllegalArgumentException  if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException      if this arena is confined to another thread
    /// @throws IllegalStateException     if this arena is closed
    /// @throws CapacityExceededException if the pool is full or the budget is exceeded
    /// @throws OutOfMemoryError          if there is no memory left
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        int sizeClass = SizeClasses.classOf(byteSize, byteAlignment);
        if (guarded == null && sizeClass != SizeClasses.NONE) {
            long address = blocks.tryAllocate(sizeClass);
            if (address == 0) {
                throw blocks.full(byteSize, byteAlignment);
            }
            return segmentOf(address, byteSize, byteAlignment);
        }
        return allocateOther(byteSize, byteAlignment);
    }

    private MemorySegment allocateOther(long byteSize, long byteAlignment) {
        Scopes.checkOpen(view);
        return guarded != null
                ? guarded.allocate(byteSize, byteAlignment, false)
                : large.allocate(NotInlined.CALLS, byteSize, byteAlignment, false);
    }

    private MemorySegment segmentOf(long address, long byteSize, long byteAlignment) {
        try {
            if (FreeLists.isRecorded(byteSize, byteAlignment)) {
                blocks.record(address, byteSize, byteAlignment);
            }
            return view.asSlice(address, byteSize);
        } catch (Throwable t) {
            blocks.free(address, FreeLists.ANY_SIZE);
            throw t;
        }
    }

    /// Allocates a block that is not zeroed, as [#allocate(long, long)] does, unless there is no memory left, the pool
    /// is full, or the budget is exceeded. No refusal is counted, unless the arena is checked.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, or `null` if there is no memory left
    /// @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    @SuppressWarnings("NullAway") // A user does not need the annotation's jar.
    public MemorySegment tryAllocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        int sizeClass = SizeClasses.classOf(byteSize, byteAlignment);
        if (guarded == null && sizeClass != SizeClasses.NONE) {
            long address = blocks.tryAllocate(sizeClass);
            return address == 0 ? null : segmentOf(address, byteSize, byteAlignment);
        }
        Scopes.checkOpen(view);
        try {
            return guarded != null
                    ? guarded.allocate(byteSize, byteAlignment, false)
                    : large.tryAllocate(byteSize, byteAlignment, false);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            return null;
        }
    }

    /// Allocates a zeroed block.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, as from [#allocate(long, long)]
    /// @throws IllegalArgumentException  if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException      if this arena is confined to another thread
    /// @throws IllegalStateException     if this arena is closed
    /// @throws CapacityExceededException if the pool is full or the budget is exceeded
    /// @throws OutOfMemoryError          if there is no memory left
    public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        if (guarded != null) {
            return guarded.allocate(byteSize, byteAlignment, true);
        }
        return SizeClasses.classOf(byteSize, byteAlignment) != SizeClasses.NONE
                ? allocate(byteSize, byteAlignment).fill((byte) 0)
                : large.allocate(NotInlined.CALLS, byteSize, byteAlignment, true);
    }

    /// Frees one block before the arena is closed. **Do not use the segment, or a slice of it, afterwards.**
    ///
    /// A segment that is not a live block of this arena is rejected without an access to its memory. A segment that was
    /// freed before is rejected, too, until its memory is allocated again.
    ///
    /// @param segment a segment as this arena returned it
    /// @throws IllegalArgumentException if the segment does not start where a live block starts, is larger than the
    ///                                  block, is empty unless the block is, is read-only, or has another scope
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    @Override
    public void free(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        if (guarded != null || !isOurs(segment) || !blocks.free(segment.address(), segment.byteSize())) {
            freeOther(NotInlined.CALLS, this, segment);
        }
    }

    private boolean isOurs(MemorySegment segment) {
        return segment.scope().equals(scope) && !segment.isReadOnly();
    }

    private static void freeOther(int calls, FreeListArena arena, MemorySegment segment) {
        if (calls > 0) {
            freeOther(calls - 1, arena, segment);
            return;
        }
        Scopes.checkOpen(arena.view);
        if (arena.guarded != null) {
            arena.guarded.free(segment);
        } else if (!arena.isOurs(segment)
                || !arena.large.free(NotInlined.CALLS, segment.address(), segment.byteSize())) {
            throw MallocRegistry.notALiveBlock(segment);
        }
    }

    /// Resizes a block, which may move. Its alignment, and as many of its bytes as fit, are preserved; added bytes are
    /// not zeroed. **Do not use the old segment afterwards.**
    ///
    /// A block remains where it is within its size class, or if it shrinks and is a mapping of its own: blocks of 2 MiB
    /// and more from the operating system's pages are, and must remain as large. Any other block is copied to a new
    /// one, for which there must be memory beside the old one: a block above 64 KiB never grows where it is. An array
    /// that grows should therefore grow by a factor.
    ///
    /// If this method throws, the old segment remains valid, with two exceptions. If a cleanup that a user has attached
    /// to the scope of a block of a checked arena throws, both blocks are freed. If the stack or the Java heap is
    /// exhausted, the old block may have been freed.
    ///
    /// @param segment     a segment as this arena returned it
    /// @param newByteSize the new size in bytes
    /// @return the new segment
    /// @throws IllegalArgumentException  if the size is negative, or [#free] would reject the segment
    /// @throws WrongThreadException      if this arena is confined to another thread
    /// @throws IllegalStateException     if this arena is closed
    /// @throws CapacityExceededException if the pool is full or the budget is exceeded
    /// @throws OutOfMemoryError          if there is no memory left
    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Objects.requireNonNull(segment, "segment");
        Sizes.checkArguments(newByteSize, 1);
        Scopes.checkOpen(view);
        if (guarded != null) {
            return guarded.reallocate(segment, newByteSize);
        }
        if (!isOurs(segment)) {
            throw MallocRegistry.notALiveBlock(segment);
        }
        long address = segment.address();
        long byteAlignment = blocks.resize(address, segment.byteSize(), newByteSize);
        if (byteAlignment == 0) {
            return view.asSlice(address, newByteSize);
        }
        if (byteAlignment == FreeLists.NOT_LIVE) {
            byteAlignment = large.byteAlignment(segment);
            if (newByteSize <= segment.byteSize()) {
                // First, as there may be no heap memory for it.
                MemorySegment smaller = view.asSlice(address, newByteSize);
                if (large.shrink(address, segment.byteSize(), newByteSize)) {
                    return smaller;
                }
            }
        }
        MemorySegment moved = allocate(newByteSize, byteAlignment);
        try {
            MemorySegment.copy(segment, 0, moved, 0, Math.min(segment.byteSize(), newByteSize));
            free(segment);
        } catch (Throwable t) {
            free(moved);
            throw t;
        }
        return moved;
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Ends the lifetime of all segments and frees their blocks.
    ///
    /// If a segment is in use (by a native call or an I/O operation), this method throws and nothing has changed,
    /// except that blocks of a checked arena may have ended, as with [MallocArena#close()]. If a cleanup that a user
    /// has attached to the scope throws, this method frees all blocks and rethrows the exception. If a cleanup throws a
    /// [VirtualMachineError], a shared arena does not free its blocks.
    ///
    /// @throws WrongThreadException  if this arena is confined to another thread
    /// @throws IllegalStateException if this arena is already closed, or a segment is in use
    @Override
    public void close() {
        if (guarded != null) {
            Scopes.checkOpen(view);
            guarded.close();
            return;
        }
        if (closing != null) {
            closing.close();
            return;
        }
        Throwable thrown = Scopes.endConfined(delegate, view);
        release();
        if (thrown != null) {
            throw NotInlined.rethrow(thrown);
        }
    }

    private void release() {
        if (open != null) {
            open.closed();
        }
        large.freeAll();
        blocks.close();
    }

    /// {@return the blocks and the memory of the arena} This method looks at each slab. The result is approximate if
    /// other threads use the arena at the same time.
    ///
    /// @throws WrongThreadException  if this arena is confined to another thread
    /// @throws IllegalStateException if this arena is closed
    public FreeListStatistics stats() {
        Scopes.checkOpen(view);
        return large.addTo(blocks.stats());
    }

    /// A builder of arenas, obtained from [FreeListArena#builder()].
    public static final class Builder {
        private @Nullable NativeAllocator allocator;
        private @Nullable SlabPool pool;
        private boolean shared;
        private boolean checked;
        private boolean atomicFree;
        private @Nullable ByteAccount account;
        private @Nullable LeakDetection leakDetection = LeakProperty.DETECTION;

        private Builder() {}

        /// Makes the arena shared by all threads, as with [FreeListArena#ofShared()].
        ///
        /// @return this builder
        public Builder shared() {
            shared = true;
            return this;
        }

        /// Gives each block a scope of its own, which ends when the block is freed or resized: access through the old
        /// segment then throws an [IllegalStateException]. Each block then takes heap memory, and if the arena is
        /// shared, each `free` takes tens of microseconds, for a handshake with every thread.
        ///
        /// @return this builder
        public Builder checked() {
            checked = true;
            return this;
        }

        /// Makes `free` atomic: of two threads that free a block at the same time, which is an error, one is refused.
        /// Each `free` then takes some nanoseconds more.
        ///
        /// @return this builder
        public Builder atomicFree() {
            atomicFree = true;
            return this;
        }

        /// Sets the allocator of ranges and of large blocks: by default [NativeAllocator#pages()] on Linux, and
        /// [NativeAllocator#libc()] elsewhere.
        ///
        /// @param allocator the allocator
        /// @return this builder
        public Builder allocator(NativeAllocator allocator) {
            this.allocator = Objects.requireNonNull(allocator, "allocator");
            return this;
        }

        /// Takes the memory from a pool: its allocator provides the ranges and the large blocks, its limit counts them,
        /// and it cannot be closed while the arena is open. The arena holds one slab of the pool, too.
        ///
        /// @param pool the pool; its allocator is used instead of the builder's
        /// @return this builder
        public Builder pool(SlabPool pool) {
            this.pool = Objects.requireNonNull(pool, "pool");
            return this;
        }

        /// Counts the memory of the arena on a budget until it is freed: ranges and the stacks of threads as wholes,
        /// and each block larger than 64 KiB with its alignment. A pool counts the memory, too. The budget counts the
        /// arena as open until it is closed.
        ///
        /// If the budget is exceeded, the arena takes a smaller range, as with a pool that is nearly full. If that is
        /// too much, too, `allocate` throws a [dev.arenakit.diagnostics.BudgetExceededException]. Blocks that fit into
        /// the ranges of the arena do not touch the budget.
        ///
        /// @param budget the budget
        /// @return this builder
        public Builder budget(MemoryBudget budget) {
            account = Budget.memoryOf(budget);
            return this;
        }

        /// Watches the arena for leaks. By default it is not watched, unless a
        /// [system property][dev.arenakit.diagnostics.LeakDetector] says otherwise.
        ///
        /// With [LeakDetection#SAMPLED], one of 128 calls of [#build()] returns an arena that is watched, by any
        /// builder. With [LeakDetection#ALL], the opening of each arena takes microseconds more. Blocks are not
        /// watched, and cost nothing more.
        ///
        /// A report has the memory of the arena, used and free. If the arena takes its memory from a pool, the pool
        /// names it when it cannot be closed.
        ///
        /// @param leakDetection how the arena is watched
        /// @return this builder
        /// @throws IllegalArgumentException if leaked memory is to be reclaimed
        public Builder leakDetection(LeakDetection leakDetection) {
            this.leakDetection = LeakProperty.withoutReclaim(leakDetection);
            return this;
        }

        private AllocatorFunctions functions() {
            return allocator == null ? AllocatorFunctions.ofPools() : allocator.functions();
        }

        /// Opens an arena.
        ///
        /// @return the arena; if it is confined, this thread must close it
        /// @throws IllegalCallerException    if native access is denied
        /// @throws CapacityExceededException if the pool is full, the budget is exceeded, or the process has too many
        ///                                   mappings
        /// @throws IllegalStateException     if the pool or the budget is closed
        /// @throws OutOfMemoryError          if there is no memory left
        public FreeListArena build() {
            NativeAccess.require();
            LeakDetection detection = leakDetection;
            LeakWatch open = LeakWatch.sampled(detection, "FreeListArena", !shared, 0);
            if (detection == null || open == null) {
                return open(null);
            }
            FreeListArena arena;
            try {
                open.register();
                arena = open(open);
            } catch (Throwable t) {
                open.closed();
                throw t;
            }
            if (detection.level() == LeakDetection.Level.ALL) {
                open.follow(arena);
            }
            return arena;
        }

        private FreeListArena open(@Nullable LeakWatch open) {
            FreeListArena arena = new FreeListArena(this, open);
            if (!checked) {
                return arena;
            }
            try {
                return new FreeListArena(arena, shared);
            } catch (Throwable t) {
                arena.close();
                throw t;
            }
        }
    }
}
