package dev.arenakit;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.diagnostics.budget.Budget;
import dev.arenakit.internal.diagnostics.leak.LeakProperty;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.freelist.CheckedFreeListArena;
import dev.arenakit.internal.freelist.UncheckedFreeListArena;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.pool.SlabCache;
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
public sealed interface FreeListArena extends Arena, BlockAllocator
        permits UncheckedFreeListArena, CheckedFreeListArena {
    /// Opens an arena for the current thread.
    ///
    /// @return the arena, which this thread must close
    /// @throws IllegalCallerException if native access is denied
    /// @throws OutOfMemoryError       if there is no memory left
    static FreeListArena ofConfined() {
        return builder().build();
    }

    /// Opens an arena for all threads.
    ///
    /// @return the arena, which any thread may close
    /// @throws IllegalCallerException if native access is denied
    /// @throws OutOfMemoryError       if there is no memory left
    static FreeListArena ofShared() {
        return builder().shared().build();
    }

    /// Returns a builder of arenas with other options: shared, checked, or with memory from elsewhere.
    ///
    /// @return a builder, which without further calls builds the same arena as [#ofConfined()]
    static Builder builder() {
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
    MemorySegment allocate(long byteSize, long byteAlignment);

    /// Allocates a block that is not zeroed, as [#allocate(long, long)] does, unless there is no memory left, the pool
    /// is full, or the budget is exceeded. No refusal is counted, unless the arena is checked.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, or `null` if there is no memory left
    /// @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    MemorySegment tryAllocate(long byteSize, long byteAlignment);

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
    MemorySegment allocateZeroed(long byteSize, long byteAlignment);

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
    void free(MemorySegment segment);

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
    MemorySegment reallocate(MemorySegment segment, long newByteSize);

    /// Returns the live block at an address, which C code has kept or handed back.
    ///
    /// @param address the address of a block
    /// @return a segment of the block, whose size is the size that the block has in the arena, if the arena is not
    ///         checked: the size that was requested, or more
    /// @throws IllegalArgumentException if no live block of this arena begins at the address, which is not read
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    MemorySegment blockAt(long address);

    /// Frees the block at an address, as [#free(MemorySegment)] does with its segment.
    ///
    /// @param address the address of a block
    /// @throws IllegalArgumentException if no live block of this arena begins at the address, which is not read
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    default void free(long address) {
        free(blockAt(address));
    }

    /// Resizes the block at an address, as [#reallocate(MemorySegment, long)] does with its segment.
    ///
    /// @param address     the address of a block
    /// @param newByteSize the new size in bytes
    /// @return the new segment
    /// @throws IllegalArgumentException if the size is negative, or if no live block of this arena begins at the
    ///                                  address, which is not read
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    default MemorySegment reallocate(long address, long newByteSize) {
        return reallocate(blockAt(address), newByteSize);
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
    void close();

    /// {@return the blocks and the memory of the arena} This method looks at each slab. The result is approximate if
    /// other threads use the arena at the same time.
    ///
    /// @throws WrongThreadException  if this arena is confined to another thread
    /// @throws IllegalStateException if this arena is closed
    FreeListStatistics stats();

    /// A builder of arenas, obtained from [FreeListArena#builder()].
    final class Builder {
        private String name = "";
        private @Nullable NativeAllocator allocator;
        private @Nullable SlabPool pool;
        private boolean shared;
        private boolean checked;
        private boolean atomicFree;
        private @Nullable ByteAccount account;
        private @Nullable LeakDetection leakDetection = LeakProperty.DETECTION;

        private Builder() {}

        /// Sets the name of the arena, for its statistics, reports of leaks, and messages of exhausted memory
        /// and exceeded budgets. By default, and with an empty name, it has none.
        ///
        /// @param name the name; it need not be unique
        /// @return this builder
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

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
            LeakWatch open = LeakWatch.sampled(detection, "FreeListArena", name, !shared, 0);
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
            SlabCache cache = pool == null ? null : pool.cache;
            AllocatorFunctions source = (cache == null ? functions() : cache.allocator()).usedBy(name);
            UncheckedFreeListArena arena = new UncheckedFreeListArena(source, cache, account, shared, atomicFree, open);
            if (!checked) {
                return arena;
            }
            try {
                return new CheckedFreeListArena(arena, shared);
            } catch (Throwable t) {
                arena.close();
                throw t;
            }
        }
    }
}
