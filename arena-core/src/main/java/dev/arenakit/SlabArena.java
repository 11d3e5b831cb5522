package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena over slabs that a [SlabPool] has lent: allocation moves a pointer, closing gives the slabs back.
///
/// **Backing.** One slab to begin with, further slabs as they are needed. An allocation above a quarter of a slab, or
/// aligned to more than that, gets a block of the native allocator, which is freed when the arena is closed.
///
/// **Lifetime.** The segments live until [#close()]. A [frame][#pushFrame()] is a part of that time, with memory of its
/// own that is given back when the frame is closed.
///
/// **Threads.** A confined arena ([SlabPool#openConfined()]) belongs to the thread that opened it, a shared one
/// ([SlabPool#openShared()]) to all; the latter locks while it allocates.
///
/// **Zeroing.** As the pool: zeroed unless it was built with [Zeroing#NONE]. Zeroing happens when the memory is given
/// back, all in one go.
///
/// **Alignment.** Any power of two.
///
/// **When the pool is full** an allocation throws [CapacityExceededException]; the arena stays as it was.
///
/// **Cost.** An allocation takes a nanosecond or two and is constant in time; opening and closing a confined arena
/// together take a few, and zeroing grows with what was used. Neither leaves garbage as long as the arena does not escape
/// from the code that opened it. Closing a shared arena takes tens of microseconds, for a handshake with every thread.
///
/// **Native access** is needed, as for the pool.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="frames"}
public final class SlabArena implements Arena {
    private final Arena delegate;
    private final MemorySegment view;
    /// Held while a shared arena allocates or closes; a confined one needs no lock.
    private final @Nullable Object lock;

    /*
     * The bump state: what is handed out of the top slab ends at the cursor. It stands here and not in the slab, and
     * nothing that changes it lets this arena escape: then C2 keeps all of it in registers and makes no object at all.
     * Where the arena escapes it costs an object of 40 bytes, among 160 for all that it has.
     */
    private Slab slab;
    private long cursor;
    private @Nullable SlabExtras extras;

    private SlabArena(Slab slab, Arena delegate, MemorySegment view, @Nullable Object lock) {
        this.delegate = delegate;
        this.view = view;
        this.lock = lock;
        this.slab = slab;
        this.cursor = slab.address;
    }

    static SlabArena confined(SlabDepot depot) {
        Slab slab = depot.lendFirst();
        try {
            Arena delegate = Arena.ofConfined();
            MemorySegment view = Scopes.viewOf(delegate);
            return new SlabArena(slab, delegate, view, null);
        } catch (Throwable t) {
            depot.giveBack(slab);
            throw t;
        }
    }

    static SlabArena shared(SlabDepot depot) {
        Slab slab = depot.lendFromStore(Slab.FIRST);
        try {
            Arena delegate = Arena.ofShared();
            return new SlabArena(slab, delegate, Scopes.viewOf(delegate), new Object());
        } catch (Throwable t) {
            depot.giveBack(slab);
            throw t;
        }
    }

    /// Allocates from the top slab, or a native block for a large request.
    ///
    /// @param byteSize      the size in bytes; 0 gives a zero-length segment with an address of its own
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, in the scope of this arena
    /// @throws IllegalArgumentException  when the size is negative or the alignment not a power of two
    /// @throws WrongThreadException      when a confined arena is used by another thread
    /// @throws IllegalStateException     when this arena is closed, or has a frame open
    /// @throws CapacityExceededException when the pool is full
    /// @throws OutOfMemoryError          when the native allocator has no memory left
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        if (lock == null) {
            return allocateOpen(byteSize, byteAlignment);
        }
        synchronized (lock) {
            return allocateOpen(byteSize, byteAlignment);
        }
    }

    /// Opens a part of this arena's lifetime, with a scope of its own. Until it is closed, allocate from it and not from
    /// this arena. Frames nest: the next one goes on top, and is to be closed first.
    ///
    /// A frame zeroes or not, aligns and fills up as its arena does. It costs some 20 ns and, since its arena has to know its
    /// scope, 80 bytes on the heap: where another arena of the pool will do, that is cheaper.
    ///
    /// @return the frame, an arena for the current thread
    /// @throws UnsupportedOperationException when this arena is shared
    /// @throws WrongThreadException          when another thread opened this arena
    /// @throws IllegalStateException         when this arena is closed
    public Arena pushFrame() {
        if (lock != null) {
            throw new UnsupportedOperationException(
                    "A shared arena has no frames: open a confined arena of the pool in the thread that wants one");
        }
        Scopes.checkOpen(view);
        SlabExtras extras = extras();
        // A cleanup of the top frame's scope may call this while that frame is being closed.
        extras.checkTopIsOpen();
        Arena scope = Arena.ofConfined();
        MemorySegment frameView = Scopes.viewOf(scope);
        SlabFrame pushed = new SlabFrame(this, scope, frameView, extras.push(scope), slab, cursor, extras.blocks);
        // So that what the frame has used can be zeroed in whole blocks; the mark keeps the cursor as it was.
        cursor = Sizes.alignUp(cursor, Memory.ZERO_BLOCK);
        return pushed;
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Closes the open frames from the top, ends the lifetime of all segments and gives the memory back to the pool.
    ///
    /// When somebody is inside a segment (a native call, an I/O operation), this throws, and all that has changed is that
    /// frames above may be closed. When a cleanup that a user has attached to the scope throws, everything is given back
    /// and the exception passed on.
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

    private MemorySegment allocateOpen(long byteSize, long byteAlignment) {
        Scopes.checkOpen(view);
        if (depth() > 0) {
            throw new IllegalStateException("Arena has a frame open: allocate from the frame, or close it first");
        }
        return carve(view, byteSize, byteAlignment);
    }

    /// Takes memory for this arena or its top frame, whose view of memory is given.
    MemorySegment carve(MemorySegment view, long byteSize, long byteAlignment) {
        if (slab.isTooSmallFor(byteSize, byteAlignment)) {
            return view.asSlice(takeBlock(byteSize, byteAlignment), byteSize);
        }
        // At least one byte each, so that no zero-length segment lies at the end of a slab.
        long reserved = byteSize == 0 ? 1 : byteSize;
        long start = Sizes.alignUp(cursor, byteAlignment);
        if (start + reserved > slab.limit) {
            slab = slab.depot.lendFurther(slab, cursor);
            start = Sizes.alignUp(slab.address, byteAlignment);
        }
        cursor = start + reserved;
        return view.asSlice(start, byteSize);
    }

    private long takeBlock(long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        SlabExtras extras = extras();
        NativeBlock block = slab.depot.lendBlock(byteSize, byteAlignment, extras.blocks);
        extras.blocks = block;
        return block.address;
    }

    private SlabExtras extras() {
        if (extras == null) {
            extras = new SlabExtras();
        }
        return extras;
    }

    /// How many frames are open.
    int depth() {
        return extras == null ? 0 : extras.depth();
    }

    /// Takes back what was carved since a frame was pushed. The scope of the frame is dead.
    void pop(SlabFrame popped) {
        SlabExtras extras = Objects.requireNonNull(this.extras);
        extras.pop();
        slab.depot.giveBack(extras.blocks, popped.blockMark);
        extras.blocks = popped.blockMark;
        if (slab != popped.slabMark) {
            slab.depot.giveBack(slab, cursor, popped.slabMark);
            slab = popped.slabMark;
            cursor = slab.address + slab.used;
        }
        long begin = Sizes.alignUp(popped.cursorMark, Memory.ZERO_BLOCK);
        slab.clean(begin, cursor - begin);
        cursor = popped.cursorMark;
    }

    private void end() {
        Throwable thrown = depth() > 0 ? closeFrames() : null;
        boolean wasAlive = delegate.scope().isAlive();
        try {
            delegate.close();
        } catch (Throwable t) {
            if (thrown != null) {
                t.addSuppressed(thrown);
            }
            // Still alive: somebody is inside. Dead: a cleanup of the user's threw. Another thread's close of a confined
            // arena fails too, and must not meet the owner's.
            if (wasAlive && !delegate.scope().isAlive() && view.isAccessibleBy(Thread.currentThread())) {
                giveBack();
            }
            throw t;
        }
        giveBack();
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
    }

    private @Nullable Throwable closeFrames() {
        // First of all: another thread must not come as far as the scopes of the owner's frames.
        Scopes.checkOpen(view);
        return Objects.requireNonNull(extras).closeFrames();
    }

    private void giveBack() {
        // C2 inlines no method whose signature names a class that is not loaded, as that of blocks often is.
        if (extras != null && extras.blocks != null) {
            slab.depot.giveBack(extras.blocks, null);
        }
        if (slab.below == null) {
            // As nearly always: no list to walk, and nothing to write into it.
            slab.clean(slab.address, cursor - slab.address);
            slab.depot.giveBack(slab);
        } else {
            slab.depot.giveBack(slab, cursor, null);
        }
    }
}
