package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena over malloc and free that does not zero what it allocates, and that can free or resize single blocks.
///
/// **Backing.** One block of a [NativeAllocator], by default libc's, for each allocation.
///
/// **Lifetime.** The segments live until [#close()], which frees all blocks. A block can be freed earlier with [#free],
/// or resized with [#reallocate]. The scope of a segment is the arena's, and a scope cannot end for one segment alone:
/// **after `free` or `reallocate`, any access through the old segment is undefined, as it is in C: it may read another
/// block's bytes, corrupt the allocator or end the JVM.** A [checked][Builder#checked()] arena gives each block a scope
/// of its own, so that such an access throws [IllegalStateException].
///
/// **Threads.** A confined arena belongs to the thread that opened it: other threads get a [WrongThreadException]. A
/// shared arena may be used and closed by any thread; allocate, free, reallocate and close are safe against each other.
///
/// **Zeroing.** None: a segment holds whatever the memory held before, except from [#allocateZeroed]. Use it where
/// memory is written before it is read; text and arrays given to `allocateFrom` are.
///
/// **Alignment.** Any power of two. Where the C library has no aligned_alloc, as on Windows, those above 16 are an
/// [UnsupportedOperationException].
///
/// **When memory ends** the native allocator's refusal becomes an [OutOfMemoryError] with the size.
///
/// **Cost.** One call of malloc and one of free for each block, and no garbage. Closing takes time in proportion to the
/// number of blocks. Closing a shared arena takes tens of microseconds besides, for a handshake with every thread.
///
/// **Native access** is needed: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path; without it Java warns.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="malloc"}
public final class MallocArena implements Arena {
    private final NativeAllocator allocator;
    private final Arena delegate;
    private final MemorySegment view;
    private final BlockLedger blocks;
    /// Guards the ledger of a shared arena; a confined one needs no guard.
    private final @Nullable Object lock;
    private final @Nullable BlockScopes blockScopes;

    /// No parameter is a [BlockScopes]: C2 inlines no method whose signature names a class that is not loaded yet, and
    /// nobody loads that one before the first checked arena.
    private MallocArena(NativeAllocator allocator, Arena delegate, MemorySegment view, BlockLedger blocks,
            @Nullable Object lock, boolean checked) {
        this.allocator = allocator;
        this.delegate = delegate;
        this.view = view;
        this.blocks = blocks;
        this.lock = lock;
        this.blockScopes = checked ? new BlockScopes(lock != null) : null;
    }

    private static MallocArena openConfined(NativeAllocator allocator, boolean checked) {
        Arena delegate = Arena.ofConfined();
        MemorySegment view = Scopes.viewOf(delegate);
        BlockLedger blocks = new BlockLedger();
        return new MallocArena(allocator, delegate, view, blocks, null, checked);
    }

    private static MallocArena openShared(NativeAllocator allocator, boolean checked) {
        Arena delegate = Arena.ofShared();
        return new MallocArena(allocator, delegate, Scopes.viewOf(delegate), new BlockLedger(), new Object(), checked);
    }

    /// Opens an arena for the current thread over libc's malloc.
    ///
    /// @return the arena, to be closed by this thread
    /// @throws IllegalCallerException when native access is denied
    public static MallocArena ofConfined() {
        return openConfined(NativeAllocator.libc(), false);
    }

    /// Opens an arena for all threads over libc's malloc.
    ///
    /// @return the arena, to be closed by any thread
    /// @throws IllegalCallerException when native access is denied
    public static MallocArena ofShared() {
        return openShared(NativeAllocator.libc(), false);
    }

    /// Begins an arena with other choices: shared, checked, or over another allocator.
    ///
    /// @return a builder of confined, unchecked arenas over libc
    public static Builder builder() {
        return new Builder();
    }

    /// Allocates a block whose bytes are not zeroed.
    ///
    /// @param byteSize      the size in bytes; 0 gives a zero-length segment with an address of its own
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, in the scope of this arena (of its own in a checked arena)
    /// @throws IllegalArgumentException when the size is negative or the alignment not a power of two
    /// @throws WrongThreadException     when a confined arena is used by another thread
    /// @throws IllegalStateException    when this arena is closed
    /// @throws OutOfMemoryError         when the allocator has no such block
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        check(byteSize, byteAlignment);
        return enter(allocator.allocate(byteSize, byteAlignment), byteSize, byteAlignment);
    }

    /// Allocates a block of zeros, through calloc where the alignment allows.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, as from [#allocate(long, long)]
    /// @throws IllegalArgumentException when the size is negative or the alignment not a power of two
    /// @throws WrongThreadException     when a confined arena is used by another thread
    /// @throws IllegalStateException    when this arena is closed
    /// @throws OutOfMemoryError         when the allocator has no such block
    public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        check(byteSize, byteAlignment);
        return enter(allocator.allocateZeroed(byteSize, byteAlignment), byteSize, byteAlignment);
    }

    /// Frees one block before the arena is closed. **Do not use the segment, or a slice of it, afterwards:** only a
    /// checked arena notices.
    ///
    /// A segment that is no live block of this arena is refused without a look at its memory. A segment that has been
    /// freed is one of these until the allocator hands its address out again for a block of the same size; from then on
    /// only a checked arena can tell the two apart.
    ///
    /// The first call builds an index of the live blocks, 16 bytes for each.
    ///
    /// @param segment a segment exactly as this arena returned it
    /// @throws IllegalArgumentException when it is a slice, read-only, foreign, or already freed
    /// @throws WrongThreadException     when a confined arena is used by another thread
    /// @throws IllegalStateException    when this arena is closed, or when the segment of a checked arena is in use by a
    ///                                  thread just now; nothing has changed then
    /// @throws OutOfMemoryError         when the allocator has no memory for the index; nothing has changed then
    public void free(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        Scopes.checkOpen(view);
        if (lock == null) {
            release(segment);
        } else {
            synchronized (lock) {
                Scopes.checkOpen(view);
                release(segment);
            }
        }
    }

    /// Resizes a block, which may move, and keeps its alignment and as many of its bytes as fit; bytes added are not
    /// zeroed. **Do not use the old segment afterwards:** only a checked arena notices.
    ///
    /// When this throws, the old segment is what it was. The exception to that is what a cleanup throws that a user has
    /// attached to the old segment's own scope: it ends both blocks.
    ///
    /// @param segment     a segment exactly as this arena returned it
    /// @param newByteSize its size from now on, in bytes
    /// @return the new segment
    /// @throws IllegalArgumentException when the size is negative, or the segment is a slice, read-only, foreign, or
    ///                                  already freed
    /// @throws WrongThreadException     when a confined arena is used by another thread
    /// @throws IllegalStateException    when this arena is closed, or when the segment of a checked arena is in use
    /// @throws OutOfMemoryError         when the allocator has no such block
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Objects.requireNonNull(segment, "segment");
        Sizes.checkArguments(newByteSize, 1);
        Scopes.checkOpen(view);
        if (lock == null) {
            return resize(segment, newByteSize);
        }
        synchronized (lock) {
            Scopes.checkOpen(view);
            return resize(segment, newByteSize);
        }
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Ends the lifetime of all segments and frees their blocks.
    ///
    /// When somebody is inside a segment (a native call, an I/O operation), this throws and nothing has changed, except
    /// that in a checked arena other segments may have ended. When a cleanup that a user has attached to a scope throws,
    /// everything is freed and the exception passed on.
    ///
    /// @throws WrongThreadException  when a confined arena is closed by another thread
    /// @throws IllegalStateException when this arena is closed already, or in use just now
    @Override
    public void close() {
        if (lock == null) {
            end();
        } else {
            synchronized (lock) {
                end();
            }
        }
    }

    private void end() {
        try {
            if (blockScopes == null) {
                delegate.close();
            } else {
                Scopes.checkOpen(view);
                blockScopes.closeAllAnd(delegate);
            }
        } catch (Throwable t) {
            // Alive: somebody is inside. Dead: a cleanup of the user's threw, or this is not the first close. Another
            // thread's close of a confined arena fails too, and must not meet the owner's.
            if (!delegate.scope().isAlive() && view.isAccessibleBy(Thread.currentThread())) {
                blocks.freeAll(allocator);
            }
            throw t;
        }
        // Neither a check before nor one here: they would make close() too large for C2 to inline.
        blocks.freeAll(allocator);
    }

    private void check(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        Sizes.checkAddressable(byteSize, byteAlignment);
    }

    private MemorySegment enter(long address, long byteSize, long byteAlignment) {
        try {
            if (lock == null) {
                return segment(address, byteSize, byteAlignment);
            }
            synchronized (lock) {
                Scopes.checkOpen(view);
                return segment(address, byteSize, byteAlignment);
            }
        } catch (Throwable t) {
            allocator.free(address, byteSize);
            throw t;
        }
    }

    private MemorySegment segment(long address, long byteSize, long byteAlignment) {
        if (blockScopes != null) {
            return checkedSegment(blockScopes, address, byteSize, byteAlignment);
        }
        MemorySegment segment = view.asSlice(address, byteSize);
        // Last, since what stands in the ledger is freed at close, and what fails is freed by enter().
        blocks.add(allocator, address, BlockLedger.shape(byteSize, byteAlignment));
        return segment;
    }

    private MemorySegment checkedSegment(BlockScopes scopes, long address, long byteSize, long byteAlignment) {
        MemorySegment segment = scopes.open(address).asSlice(address, byteSize);
        try {
            blocks.add(allocator, address, BlockLedger.shape(byteSize, byteAlignment));
        } catch (Throwable t) {
            scopes.forget(address);
            throw t;
        }
        return segment;
    }

    private void release(MemorySegment segment) {
        long position = positionOf(segment);
        if (blockScopes == null) {
            // Found once: the ledger is most of what this costs.
            blocks.remove(allocator, position);
            allocator.free(segment.address(), segment.byteSize());
        } else {
            release(segment.address());
        }
    }

    /// Frees a live block, unless it has a scope of its own that is in use.
    private void release(long address) {
        try {
            if (blockScopes != null) {
                blockScopes.close(address);
            }
        } finally {
            if (blockScopes == null || !blockScopes.isOpen(address)) {
                freeListed(address);
            }
        }
    }

    private void freeListed(long address) {
        long position = blocks.find(allocator, address);
        // A cleanup of the block's own scope may have closed this arena.
        if (position != BlockLedger.NONE) {
            long byteSize = BlockLedger.byteSize(blocks.shapeAt(position));
            blocks.remove(allocator, position);
            allocator.free(address, byteSize);
        }
    }

    private MemorySegment resize(MemorySegment segment, long newByteSize) {
        long position = positionOf(segment);
        long address = segment.address();
        long byteAlignment = BlockLedger.byteAlignment(blocks.shapeAt(position));
        Sizes.checkAddressable(newByteSize, byteAlignment);
        if (blockScopes == null && byteAlignment <= NativeAllocator.MALLOC_ALIGNMENT) {
            long moved = allocator.reallocate(address, segment.byteSize(), newByteSize);
            blocks.replace(position, moved, BlockLedger.shape(newByteSize, byteAlignment));
            return view.asSlice(moved, newByteSize);
        }
        MemorySegment moved = enter(allocator.allocate(newByteSize, byteAlignment), newByteSize, byteAlignment);
        Memory.copy(address, moved.address(), Math.min(segment.byteSize(), newByteSize));
        try {
            release(address);
        } catch (Throwable t) {
            release(moved.address());
            throw t;
        }
        return moved;
    }

    /// Where the ledger has a segment that is exactly a live block of this arena.
    private long positionOf(MemorySegment segment) {
        long address = segment.address();
        MemorySegment.Scope scope = blockScopes == null ? delegate.scope() : blockScopes.scope(address);
        if (segment.scope().equals(scope) && !segment.isReadOnly()) {
            long position = blocks.find(allocator, address);
            if (position != BlockLedger.NONE
                    && BlockLedger.byteSize(blocks.shapeAt(position)) == segment.byteSize()) {
                return position;
            }
        }
        throw new IllegalArgumentException("Not a live block of this arena: address=0x" + Long.toHexString(address)
                + ", byteSize=" + segment.byteSize()
                + "; pass a segment as allocate returned it, once, and no slice or read-only view of it");
    }

    /// Chooses what [MallocArena#builder()] makes.
    public static final class Builder {
        private @Nullable NativeAllocator allocator;
        private boolean shared;
        private boolean checked;

        private Builder() {}

        /// An arena for all threads, as from [MallocArena#ofShared()].
        ///
        /// @return this builder
        public Builder shared() {
            shared = true;
            return this;
        }

        /// Takes the blocks from this allocator instead of libc's.
        ///
        /// @param allocator the allocator
        /// @return this builder
        public Builder allocator(NativeAllocator allocator) {
            this.allocator = Objects.requireNonNull(allocator, "allocator");
            return this;
        }

        /// Gives each block a scope of its own, which `free` and `reallocate` end, so that an access through a freed
        /// segment throws. Costs some heap objects for each block; in a shared arena also a handshake with every thread
        /// (tens of microseconds) whenever a block is freed, at close as well.
        ///
        /// @return this builder
        public Builder checked() {
            checked = true;
            return this;
        }

        /// Opens the arena.
        ///
        /// @return the arena; a confined one belongs to the current thread
        /// @throws IllegalCallerException when native access is denied
        public MallocArena build() {
            NativeAccess.require();
            NativeAllocator source = allocator == null ? NativeAllocator.libc() : allocator;
            return shared ? openShared(source, checked) : openConfined(source, checked);
        }
    }
}
