package dev.arenakit;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.diagnostics.budget.Budget;
import dev.arenakit.internal.diagnostics.leak.LeakProperty;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.malloc.ConfinedMallocArena;
import dev.arenakit.internal.malloc.GuardedMallocArena;
import dev.arenakit.internal.malloc.WrappedMallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An arena over malloc and free that does not zero its memory, and that can free or resize single blocks.
///
/// **Backing.** Each allocation is one block of a [NativeAllocator], libc's by default. [#adopt] takes over a block
/// that C code has allocated, and [#release] gives a block to C code.
///
/// **Lifetime.** The segments live until [#close()], which frees all blocks. A block can be freed earlier with [#free],
/// or resized with [#reallocate]. All segments have the scope of the arena, and a scope cannot end for a single
/// segment: **after `free`, `reallocate` or `release`, any access through the old segment is undefined, as in C. It may
/// read the bytes of another block, corrupt the allocator or terminate the JVM.** A [checked][Builder#checked()] arena
/// gives each block a scope of its own, so that such an access throws an [IllegalStateException].
///
/// **Threads.** A confined arena belongs to the thread that opened it: calls of other threads throw a
/// [WrongThreadException]. A shared arena may be used and closed by any thread; all methods may run concurrently.
///
/// **Zeroing.** Memory is not zeroed, except by [#allocateZeroed]: a segment contains whatever the memory contained
/// before. This arena suits memory that is written before it is read, such as the strings and arrays given to
/// `allocateFrom`.
///
/// **Alignment.** Any power of two. Where the C library has no `aligned_alloc`, as on Windows, a block whose alignment
/// is above 16 takes as many bytes more as its alignment.
///
/// **Exhausted memory.** If the native allocator fails, an [OutOfMemoryError] with the size is thrown.
///
/// **Exhausted stack or heap.** A [StackOverflowError], or an [OutOfMemoryError] of the Java heap, can interrupt a call
/// between any two steps. Even then, no memory is handed out twice, and none is freed while its scope is alive. An
/// interrupted call may lose the memory of its block, and an interrupted `close` the memory of all blocks. A block
/// whose `free`, `reallocate`, `adopt` or `release` was interrupted may have been freed, or may belong to the arena: do
/// not use it again. If the index of blocks was being changed, no block can be freed, resized, adopted or released any
/// more: these methods, and `allocate` of a checked arena, throw an [IllegalStateException], and the arena can be
/// closed.
///
/// **Cost.** One call of malloc and one call of free for each block, and no garbage. A block takes 16 bytes more
/// than its size, or as many more as its alignment if that is larger; the first block of a confined arena, a block that
/// was resized or adopted, and all blocks of a checked arena take no more.
/// Closing the arena takes time proportional to the number of blocks. Closing a shared arena also takes tens of
/// microseconds, for a handshake with every thread.
///
/// **Native access** is required: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path. Without
/// it, Java prints a warning.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="malloc"}
public sealed interface MallocArena extends Arena, BlockAllocator
        permits ConfinedMallocArena, GuardedMallocArena, WrappedMallocArena {
    /// Opens an arena for the current thread over libc's malloc. Unlike [Arena#ofConfined()], it does not zero memory.
    ///
    /// @return the arena, which this thread must close
    /// @throws IllegalCallerException if native access is denied
    static MallocArena ofConfined() {
        return LeakProperty.DETECTION == null
                ? ConfinedMallocArena.open(AllocatorFunctions.libc(), null)
                : builder().build();
    }

    /// Opens an arena for all threads over libc's malloc. Unlike [Arena#ofShared()], it does not zero memory.
    ///
    /// @return the arena, which any thread may close
    /// @throws IllegalCallerException if native access is denied
    static MallocArena ofShared() {
        return builder().shared().build();
    }

    /// Returns a builder of arenas with other options: shared, checked, or over another allocator.
    ///
    /// @return a builder whose defaults are a confined, unchecked arena over libc
    static Builder builder() {
        return new Builder();
    }

    /// Allocates a block that is not zeroed.
    ///
    /// @param byteSize      the size in bytes; 0 gives a zero-length segment with an address of its own
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, in the scope of this arena, or in a scope of its own if the arena is checked
    /// @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    /// @throws OutOfMemoryError         if the allocator has no memory left
    @Override
    MemorySegment allocate(long byteSize, long byteAlignment);

    /// Allocates a zeroed block, through calloc if the alignment allows it.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, as from [#allocate(long, long)]
    /// @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    /// @throws OutOfMemoryError         if the allocator has no memory left
    MemorySegment allocateZeroed(long byteSize, long byteAlignment);

    /// Allocates a zeroed block for one value of a layout, as [#allocateZeroed(long, long)] does.
    ///
    /// @param layout the layout, which has the size and the alignment
    /// @return the segment
    default MemorySegment allocateZeroed(MemoryLayout layout) {
        return allocateZeroed(layout.byteSize(), layout.byteAlignment());
    }

    /// Allocates a zeroed block for consecutive values of a layout, as [#allocateZeroed(long, long)] does.
    ///
    /// @param elementLayout the layout of a value
    /// @param count         the number of values
    /// @return the segment
    /// @throws IllegalArgumentException if the count is negative, or the size in bytes overflows
    default MemorySegment allocateZeroed(MemoryLayout elementLayout, long count) {
        long byteSize = elementLayout.byteSize();
        if (count < 0 || (byteSize > 0 && count > Long.MAX_VALUE / byteSize)) {
            throw new IllegalArgumentException("Count out of range: count=" + count + ", layout=" + elementLayout
                    + ", layout.byteSize=" + byteSize);
        }
        return allocateZeroed(byteSize * count, elementLayout.byteAlignment());
    }

    /// Frees one block before the arena is closed. **Do not use the segment, or a slice of it, afterwards:** only a
    /// checked arena detects such an access.
    ///
    /// A segment that is not a live block of this arena is rejected without an access to its memory. A segment that was
    /// freed before is rejected, too, until the allocator reuses its address for a block of the same size in this
    /// arena. From then on, only a checked arena can distinguish it from the new block.
    ///
    /// If a [checked][Builder#checked()] arena is [watched for leaks][Builder#leakDetection], the exception for a
    /// segment that was freed before has a cause with the stack of that call.
    ///
    /// Unless the segment is the first block of a confined arena, the call adds the blocks that were allocated since
    /// the last such call to an index: a hash table with entries of 16 bytes.
    ///
    /// @param segment a segment exactly as this arena returned it
    /// @throws IllegalArgumentException if the segment is a slice, read-only, foreign, or already freed
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed, or if it is checked and the segment is in use; nothing
    ///                                  has changed then
    /// @throws OutOfMemoryError         if the allocator has no memory for the index; nothing has changed then
    @Override
    void free(MemorySegment segment);

    /// Resizes a block, which may move. Its alignment, and as many of its bytes as fit, are preserved; added bytes are
    /// not zeroed. **Do not use the old segment afterwards:** only a checked arena detects such an access.
    ///
    /// The bytes are copied to a new block, for which there must be memory beside the old one. An array that grows
    /// should therefore grow by a factor.
    ///
    /// If this method throws, the old segment remains valid, with two exceptions. If a cleanup that a user has attached
    /// to the old segment's own scope throws, both blocks are freed. If the stack or the Java heap is exhausted, the
    /// old block may have been freed.
    ///
    /// @param segment     a segment exactly as this arena returned it
    /// @param newByteSize the new size in bytes
    /// @return the new segment
    /// @throws IllegalArgumentException if the size is negative, or the segment is a slice, read-only, foreign, or
    ///                                  already freed
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed, or if it is checked and the segment is in use
    /// @throws OutOfMemoryError         if the allocator has no memory left
    @Override
    MemorySegment reallocate(MemorySegment segment, long newByteSize);

    /// Returns the live block at an address, which C code has kept or handed back.
    ///
    /// @param address the address of a block
    /// @return its segment, as this arena returned it
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

    /// Takes over a block that C code has allocated and that its caller must free, such as the result of `strdup`. This
    /// arena frees it when it is closed, or by [#free].
    ///
    /// **The block must come from the allocator of this arena,** and nothing else may free it: with
    /// `NativeAllocator.libc()`, it is a block that C code would pass to `free`. The segment must begin where the
    /// block begins. No method can check this, and a wrong address corrupts the allocator or terminates the JVM.
    ///
    /// The given segment may be smaller than the block. The new segment has the size of the given one. [#free],
    /// [#stats()] and the [budget][Builder#budget] of the arena take this size for the size of the block, and
    /// [#reallocate] copies no bytes beyond it, to a block with the alignment of `malloc`. The bytes are as C code left
    /// them, and are not copied. The call adds all blocks to the index that [#free] describes.
    ///
    /// If this method throws, the block is still the caller's, with one exception: if the stack or the Java heap is
    /// exhausted, the block may be lost. Do not free it then.
    ///
    /// {@snippet file="dev/arenakit/Snippets.java" region="adopt"}
    ///
    /// @param segment the block as a segment of the global scope, as a native call returns it, with its size
    /// @return a segment with the same address and size, in the scope of this arena, or in a scope of its own if the
    ///         arena is checked. The given segment remains accessible: do not use it after the end of the block
    /// @throws IllegalArgumentException      if the segment has another scope, is read-only, mapped, null or larger
    ///                                       than the address space, or if a block of this arena has its address
    /// @throws UnsupportedOperationException if the allocator is [NativeAllocator#pages()]
    /// @throws WrongThreadException          if this arena is confined to another thread
    /// @throws IllegalStateException         if this arena is closed
    /// @throws OutOfMemoryError              if the allocator has no memory for the index
    /// @throws dev.arenakit.diagnostics.BudgetExceededException if the budget of this arena is exceeded
    MemorySegment adopt(MemorySegment segment);

    /// Gives a block away, to C code that will pass it to `free`, or to another arena that [adopts][#adopt] it. This
    /// arena no longer frees it.
    ///
    /// **From this call on, the caller must see to it that the block is freed.** If C code does not take it over,
    /// [#adopt] takes it back. **Do not use the old segment afterwards:** only a checked arena detects such an access.
    ///
    /// The new segment has the size and the bytes of the block. It also has the address of the block if C's `free`
    /// accepts it: in a checked arena, or if the block was adopted or resized, or is the first one of a confined arena.
    /// The bytes of all other blocks move by 16 bytes or by their alignment, if that is larger, within their memory, so
    /// that the new segment has the alignment of the old one. This takes time proportional to the size, and no further
    /// memory. The call adds blocks to an index, as [#free] does.
    ///
    /// If this method throws, the old segment remains valid, with two exceptions. If a cleanup that a user has attached
    /// to the old segment's own scope throws, the block is freed. If the stack or the Java heap is exhausted, the block
    /// may be lost.
    ///
    /// {@snippet file="dev/arenakit/Snippets.java" region="release"}
    ///
    /// @param segment a segment exactly as this arena returned it
    /// @return the block as a segment of the global scope
    /// @throws IllegalArgumentException      if the segment is a slice, read-only, foreign, or already freed
    /// @throws UnsupportedOperationException if the allocator of this arena is not [NativeAllocator#libc()], or if the
    ///                                       C library has no `aligned_alloc` and the alignment of the block is above
    ///                                       16
    /// @throws WrongThreadException          if this arena is confined to another thread
    /// @throws IllegalStateException         if this arena is closed, or if it is checked and the segment is in use
    /// @throws OutOfMemoryError              if the allocator has no memory for the index
    MemorySegment release(MemorySegment segment);

    /// Returns an arena that allocates through a wrapper of this arena, such as a debug arena: for a variable of this
    /// type, whose code allocates by `allocate` and `allocateZeroed`.
    ///
    /// ```java
    /// MallocArena arena = MallocArena.ofConfined().wrapped(DebugArena::wrap);
    /// ```
    ///
    /// Blocks that the wrapper takes from elsewhere are unknown to `blockAt`, `adopt`, `release` and `stats`, and
    /// [AllocatorCallbacks] refuses the arena.
    ///
    /// @param wrapper wraps this arena, as [dev.arenakit.diagnostics.DebugArena] and
    ///                [dev.arenakit.diagnostics.FaultyArena] do
    /// @return the arena, whose `close` closes the wrapper
    default MallocArena wrapped(UnaryOperator<Arena> wrapper) {
        return new WrappedMallocArena(this, wrapper.apply(this));
    }

    /// Counts the blocks, in time proportional to their number. Nothing is counted while blocks are allocated.
    ///
    /// @return the statistics of the arena
    /// @throws WrongThreadException  if this arena is confined to another thread
    /// @throws IllegalStateException if this arena is closed
    MallocArenaStatistics stats();

    /// {@return the statistics as text, such as `MallocArena: 2 live blocks, 4.1 KiB live, 4.1 KiB native`, or why
    /// there are none}
    @Override
    String toString();

    /// Ends the lifetime of all segments and frees their blocks.
    ///
    /// If a segment is in use (by a native call or an I/O operation), this method throws and nothing has changed. A
    /// checked arena can only find out by ending one block after the other: the message then says how many have ended,
    /// and the arena remains open with the others. Until it has found out, it rejects further blocks. If a cleanup that
    /// a user has attached to a scope throws, this method frees all blocks and rethrows the exception. If a cleanup
    /// throws a [VirtualMachineError], a shared arena does not free the blocks whose scopes it ended.
    ///
    /// @throws WrongThreadException  if this arena is confined to another thread
    /// @throws IllegalStateException if this arena is already closed, or a segment is in use
    @Override
    void close();

    /// A builder of arenas, obtained from [MallocArena#builder()].
    final class Builder {
        private String name = "";
        private @Nullable NativeAllocator allocator;
        private boolean shared;
        private boolean checked;
        private @Nullable ByteAccount account;
        private @Nullable LeakDetection leakDetection = LeakProperty.DETECTION;

        private static final String DESCRIPTION = "MallocArena";

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

        /// Makes the arena shared by all threads, as with [MallocArena#ofShared()].
        ///
        /// @return this builder
        public Builder shared() {
            shared = true;
            return this;
        }

        /// Sets the allocator of the blocks, libc by default.
        ///
        /// @param allocator the allocator
        /// @return this builder
        public Builder allocator(NativeAllocator allocator) {
            this.allocator = Objects.requireNonNull(allocator, "allocator");
            return this;
        }

        /// Counts the native blocks on a budget, each with the bytes that it takes, until it is freed. This costs plain
        /// native calls, which take longer than the critical calls of blocks up to 64 KiB, and the atomic operations
        /// of the budget.
        ///
        /// The arena is not counted as open. If the budget is exceeded, an allocation throws a
        /// [dev.arenakit.diagnostics.BudgetExceededException].
        ///
        /// @param budget the budget
        /// @return this builder
        public Builder budget(MemoryBudget budget) {
            account = Budget.memoryOf(budget);
            return this;
        }

        /// Gives each block a scope of its own, which `free` and `reallocate` end, so that an access through a freed
        /// segment throws.
        ///
        /// This costs a few heap objects for each block. In a shared arena it also costs a handshake with every thread
        /// (tens of microseconds) for each block that is freed, by `free` or by `close`.
        ///
        /// @return this builder
        public Builder checked() {
            checked = true;
            return this;
        }

        /// Watches the arena for leaks. By default it is not watched, unless a
        /// [system property][dev.arenakit.diagnostics.LeakDetector] says otherwise.
        ///
        /// With [LeakDetection#SAMPLED], one of 128 calls of [#build()] returns an arena that is watched, by any
        /// builder; a session of ten blocks takes an eighth longer. With [LeakDetection#ALL], each arena takes
        /// microseconds, and is an object on the heap. A checked arena that is watched also takes the stack of each
        /// call that frees or resizes a block.
        ///
        /// @param leakDetection how the arena is watched
        /// @return this builder
        /// @throws IllegalArgumentException if leaked memory is to be reclaimed
        public Builder leakDetection(LeakDetection leakDetection) {
            this.leakDetection = LeakProperty.withoutReclaim(leakDetection);
            return this;
        }

        /// Opens the arena.
        ///
        /// @return the arena; if it is confined, it belongs to the current thread
        /// @throws IllegalCallerException if native access is denied
        public MallocArena build() {
            AllocatorFunctions source = (allocator == null ? AllocatorFunctions.libc() : allocator.functions())
                    .usedBy(name);
            if (account != null) {
                source = source.countedOn(account);
            }
            LeakDetection detection = leakDetection;
            if (detection != null && detection.level() == LeakDetection.Level.ALL) {
                return openFollowed(source, detection);
            }
            return open(source, LeakWatch.sampled(detection, DESCRIPTION, name, !shared, -1));
        }

        private MallocArena open(AllocatorFunctions source, @Nullable LeakWatch open) {
            try {
                if (open != null) {
                    LeakWatch.register(NotInlined.CALLS, open);
                }
                return shared || checked
                        ? GuardedMallocArena.open(source, shared, checked, open)
                        : ConfinedMallocArena.open(source, open);
            } catch (Throwable t) {
                LeakWatch.closed(NotInlined.CALLS, open);
                throw t;
            }
        }

        private MallocArena openFollowed(AllocatorFunctions source, LeakDetection detection) {
            LeakWatch open = new LeakWatch(detection, DESCRIPTION, name, !shared, -1);
            MallocArena arena = open(source, open);
            try {
                open.follow(arena);
                return arena;
            } catch (Throwable t) {
                arena.close();
                throw t;
            }
        }
    }
}
