package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena over malloc and free that does not zero its memory, and that can free or resize single blocks.
///
/// **Backing.** Each allocation is one block of a [NativeAllocator], libc's by default.
///
/// **Lifetime.** The segments live until [#close()], which frees all blocks. A block can be freed earlier with [#free],
/// or resized with [#reallocate]. All segments have the scope of the arena, and a scope cannot end for a single
/// segment: **after `free` or `reallocate`, any access through the old segment is undefined, as in C. It may read the
/// bytes of another block, corrupt the allocator or terminate the JVM.** A [checked][Builder#checked()] arena gives
/// each block a scope of its own, so that such an access throws an [IllegalStateException].
///
/// **Threads.** A confined arena belongs to the thread that opened it: calls of other threads throw a
/// [WrongThreadException]. A shared arena may be used and closed by any thread; `allocate`, `free`, `reallocate` and
/// `close` may run concurrently.
///
/// **Zeroing.** Memory is not zeroed, except by [#allocateZeroed]: a segment contains whatever the memory contained
/// before. This arena suits memory that is written before it is read, such as the strings and arrays given to
/// `allocateFrom`.
///
/// **Alignment.** Any power of two. Where the C library has no `aligned_alloc`, as on Windows, an alignment above 16
/// throws an [UnsupportedOperationException].
///
/// **Exhausted memory.** If the native allocator fails, an [OutOfMemoryError] with the size is thrown.
///
/// **Cost.** One call of malloc and one call of free for each block, and no garbage. Closing the arena takes time
/// proportional to the number of blocks. Closing a shared arena also takes tens of microseconds, for a handshake with
/// every thread.
///
/// **Native access** is required: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path. Without
/// it, Java prints a warning.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="malloc"}
public final class MallocArena implements Arena {
    private final NativeAllocator allocator;
    private final Arena delegate;
    private final MemorySegment view;
    private final BlockTable blocks;
    /// Guards the table of a shared arena; null in a confined arena.
    private final @Nullable Object lock;
    private final @Nullable BlockScopes blockScopes;

    /// No parameter is a [BlockScopes]: C2 does not inline a method whose signature names a class that is not loaded,
    /// and that class is not loaded before the first checked arena.
    private MallocArena(NativeAllocator allocator, Arena delegate, MemorySegment view, BlockTable blocks,
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
        BlockTable blocks = new BlockTable();
        return new MallocArena(allocator, delegate, view, blocks, null, checked);
    }

    private static MallocArena openShared(NativeAllocator allocator, boolean checked) {
        Arena delegate = Arena.ofShared();
        return new MallocArena(allocator, delegate, Scopes.viewOf(delegate), new BlockTable(), new Object(), checked);
    }

    /// Opens an arena for the current thread over libc's malloc, whose memory is not zeroed, unlike that of
    /// [Arena#ofConfined()].
    ///
    /// @return the arena, which this thread must close
    /// @throws IllegalCallerException if native access is denied
    public static MallocArena ofConfined() {
        return openConfined(NativeAllocator.libc(), false);
    }

    /// Opens an arena for all threads over libc's malloc, whose memory is not zeroed, unlike that of
    /// [Arena#ofShared()].
    ///
    /// @return the arena, which any thread may close
    /// @throws IllegalCallerException if native access is denied
    public static MallocArena ofShared() {
        return openShared(NativeAllocator.libc(), false);
    }

    /// Returns a builder of arenas with other options: shared, checked, or over another allocator.
    ///
    /// @return a builder whose defaults are a confined, unchecked arena over libc
    public static Builder builder() {
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
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        check(byteSize, byteAlignment);
        return register(allocator.allocate(byteSize, byteAlignment), byteSize, byteAlignment);
    }

    /// Allocates a zeroed block, through calloc if the alignment allows it.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, as from [#allocate(long, long)]
    /// @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed
    /// @throws OutOfMemoryError         if the allocator has no memory left
    public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        check(byteSize, byteAlignment);
        return register(allocator.allocateZeroed(byteSize, byteAlignment), byteSize, byteAlignment);
    }

    /// Frees one block before the arena is closed. **Do not use the segment, or a slice of it, afterwards:** only a
    /// checked arena detects such an access.
    ///
    /// A segment that is not a live block of this arena is rejected without an access to its memory. A segment that was
    /// freed before is rejected, too, until the allocator reuses its address for a block of the same size in this
    /// arena. From then on, only a checked arena can distinguish it from the new block.
    ///
    /// The first call builds an index of the live blocks, of 16 bytes for each.
    ///
    /// @param segment a segment exactly as this arena returned it
    /// @throws IllegalArgumentException if the segment is a slice, read-only, foreign, or already freed
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed, or if it is checked and the segment is in use; nothing
    ///                                  has changed then
    /// @throws OutOfMemoryError         if the allocator has no memory for the index; nothing has changed then
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

    /// Resizes a block, which may move. Its alignment, and as many of its bytes as fit, are preserved; added bytes are
    /// not zeroed. **Do not use the old segment afterwards:** only a checked arena detects such an access.
    ///
    /// If this method throws, the old segment remains valid, with one exception: if a cleanup that a user has attached
    /// to the old segment's own scope throws, both blocks are freed.
    ///
    /// @param segment     a segment exactly as this arena returned it
    /// @param newByteSize the new size in bytes
    /// @return the new segment
    /// @throws IllegalArgumentException if the size is negative, or the segment is a slice, read-only, foreign, or
    ///                                  already freed
    /// @throws WrongThreadException     if this arena is confined to another thread
    /// @throws IllegalStateException    if this arena is closed, or if it is checked and the segment is in use
    /// @throws OutOfMemoryError         if the allocator has no memory left
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
    /// If a segment is in use (by a native call or an I/O operation), this method throws and nothing has changed,
    /// except that other segments of a checked arena may have ended. If a cleanup that a user has attached to a scope
    /// throws, this method frees all blocks and rethrows the exception.
    ///
    /// @throws WrongThreadException  if this arena is confined to another thread
    /// @throws IllegalStateException if this arena is already closed, or a segment is in use
    @Override
    public void close() {
        if (lock == null) {
            closeScope();
        } else {
            synchronized (lock) {
                closeScope();
            }
        }
    }

    private void closeScope() {
        try {
            if (blockScopes == null) {
                delegate.close();
            } else {
                Scopes.checkOpen(view);
                blockScopes.closeAllAnd(delegate);
            }
        } catch (Throwable t) {
            // If the scope is still alive, a segment is in use. If it is dead, a user's cleanup threw, or this is not
            // the first close. A close of a confined arena by another thread also fails, and must not interfere with
            // the owner's close.
            if (!delegate.scope().isAlive() && view.isAccessibleBy(Thread.currentThread())) {
                blocks.freeAll(allocator);
            }
            throw t;
        }
        // No check before or after: it would make close() too large for C2 to inline.
        blocks.freeAll(allocator);
    }

    private void check(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        Sizes.checkAddressable(byteSize, byteAlignment);
    }

    private MemorySegment register(long address, long byteSize, long byteAlignment) {
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
        // Add the block last: blocks in the table are freed at close, and register() frees the block if this method
        // fails.
        blocks.add(allocator, address, BlockTable.sizeAndAlignment(byteSize, byteAlignment));
        return segment;
    }

    private MemorySegment checkedSegment(BlockScopes scopes, long address, long byteSize, long byteAlignment) {
        MemorySegment segment = scopes.open(address).asSlice(address, byteSize);
        try {
            blocks.add(allocator, address, BlockTable.sizeAndAlignment(byteSize, byteAlignment));
        } catch (Throwable t) {
            scopes.remove(address);
            throw t;
        }
        return segment;
    }

    private void release(MemorySegment segment) {
        long position = positionOf(segment);
        if (blockScopes == null) {
            // Search once: most of the cost of this method is the table.
            blocks.remove(allocator, position);
            allocator.free(segment.address(), segment.byteSize());
        } else {
            release(segment.address());
        }
    }

    /// Frees a live block, unless its own scope is in use.
    private void release(long address) {
        try {
            if (blockScopes != null) {
                blockScopes.close(address);
            }
        } finally {
            if (blockScopes == null || !blockScopes.isOpen(address)) {
                freeRegistered(address);
            }
        }
    }

    private void freeRegistered(long address) {
        long position = blocks.find(allocator, address);
        // A cleanup of the block's own scope may have closed this arena.
        if (position != BlockTable.NONE) {
            long byteSize = BlockTable.byteSize(blocks.sizeAndAlignmentAt(position));
            blocks.remove(allocator, position);
            allocator.free(address, byteSize);
        }
    }

    private MemorySegment resize(MemorySegment segment, long newByteSize) {
        long position = positionOf(segment);
        long address = segment.address();
        long byteAlignment = BlockTable.byteAlignment(blocks.sizeAndAlignmentAt(position));
        Sizes.checkAddressable(newByteSize, byteAlignment);
        if (blockScopes == null && byteAlignment <= NativeAllocator.MALLOC_ALIGNMENT) {
            long moved = allocator.reallocate(address, segment.byteSize(), newByteSize);
            blocks.replace(position, moved, BlockTable.sizeAndAlignment(newByteSize, byteAlignment));
            return view.asSlice(moved, newByteSize);
        }
        MemorySegment moved = register(allocator.allocate(newByteSize, byteAlignment), newByteSize, byteAlignment);
        Memory.copy(address, moved.address(), Math.min(segment.byteSize(), newByteSize));
        try {
            release(address);
        } catch (Throwable t) {
            release(moved.address());
            throw t;
        }
        return moved;
    }

    /// The position in the table of a segment that is exactly a live block of this arena.
    private long positionOf(MemorySegment segment) {
        long address = segment.address();
        MemorySegment.Scope scope = blockScopes == null ? delegate.scope() : blockScopes.scope(address);
        if (segment.scope().equals(scope) && !segment.isReadOnly()) {
            long position = blocks.find(allocator, address);
            if (position != BlockTable.NONE
                    && BlockTable.byteSize(blocks.sizeAndAlignmentAt(position)) == segment.byteSize()) {
                return position;
            }
        }
        throw new IllegalArgumentException("Not a live block of this arena: address=0x" + Long.toHexString(address)
                + ", byteSize=" + segment.byteSize()
                + "; pass a segment exactly as allocate returned it, and only once");
    }

    /// A builder of arenas, obtained from [MallocArena#builder()].
    public static final class Builder {
        private @Nullable NativeAllocator allocator;
        private boolean shared;
        private boolean checked;

        private Builder() {}

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

        /// Opens the arena.
        ///
        /// @return the arena; if it is confined, it belongs to the current thread
        /// @throws IllegalCallerException if native access is denied
        public MallocArena build() {
            NativeAccess.require();
            NativeAllocator source = allocator == null ? NativeAllocator.libc() : allocator;
            return shared ? openShared(source, checked) : openConfined(source, checked);
        }
    }
}
