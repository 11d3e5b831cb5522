package dev.arenakit;

import dev.arenakit.internal.pool.ArenaFrame;
import dev.arenakit.internal.pool.BumpSlabArena;
import dev.arenakit.internal.pool.GroupedSlabArena;
import dev.arenakit.internal.pool.RecordedSlabArena;
import dev.arenakit.internal.pool.SharedSlabArena;
import dev.arenakit.internal.pool.WrappedSlabArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;

/// An arena over slabs of a [SlabPool]: an allocation advances a pointer, and closing the arena releases its slabs to
/// the pool.
///
/// **Backing.** An arena starts with one slab and acquires further slabs as needed. An allocation that is larger than a
/// quarter of a slab, or aligned to more than that, is a block of the native allocator, unless it fits into the rest of
/// the slab. When the arena is closed, the pool keeps up to 16 such blocks of at least 64 KiB, and 64 MiB in all, for
/// later arenas.
///
/// **Lifetime.** The segments live until [#close()]. A [frame][#pushFrame()] is a part of that lifetime, with memory of
/// its own that is released when the frame is closed.
///
/// **Threads.** A confined arena ([SlabPool#openConfined()]) belongs to the thread that opened it, which can pass its
/// memory on to another thread by [#detach()]. A shared arena ([SlabPool#openShared()]) may be used by all threads.
/// Each thread takes pieces of up to 16 KiB from a slab, and allocates from its piece without a lock. **In a pool with
/// [groupedClose][SlabPool.Builder#groupedClose], the lifetime of a shared arena's segments may end later than its
/// `close`.**
///
/// **Zeroing.** Memory is zeroed, unless the pool was built with [unzeroed][SlabPool.Builder#unzeroed]. It is zeroed
/// when it is released, all at once; blocks of the native allocator are zeroed when they are allocated.
///
/// **Alignment.** Any power of two.
///
/// **Memory use.** In a confined arena, each block takes a multiple of 8 bytes, strings and empty blocks included.
///
/// **Full pool.** If the pool is full, an allocation throws a [CapacityExceededException], and the arena remains as it
/// was.
///
/// **Exhausted stack or heap.** See [SlabPool]. If the `close` of a frame was interrupted, close the frame again before
/// its arena.
///
/// **Cost.** An allocation takes constant time, a nanosecond or two. Opening and closing a confined arena takes a few
/// nanoseconds, plus the time to zero the memory that was used. Neither creates garbage, as long as the arena does not
/// escape from the code that opened it. Closing a shared arena takes tens of microseconds, for a handshake with every
/// thread.
///
/// **Native access** is required, as for the pool.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="frames"}
public sealed interface SlabArena extends Arena
        permits BumpSlabArena, SharedSlabArena, GroupedSlabArena, ArenaFrame, RecordedSlabArena, WrappedSlabArena {
    /// Allocates memory from the top slab, or a native block for a large request.
    ///
    /// @param byteSize      the size in bytes; 0 gives a zero-length segment with an address of its own
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, in the scope of this arena
    /// @throws IllegalArgumentException  if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException      if this arena is confined to another thread
    /// @throws IllegalStateException     if this arena is closed, or has an open frame
    /// @throws CapacityExceededException if the pool is full
    /// @throws OutOfMemoryError          if the native allocator has no memory left
    @Override
    MemorySegment allocate(long byteSize, long byteAlignment);

    /// Opens a frame: an arena for a part of this arena's lifetime, with a scope of its own.
    ///
    /// Until the frame is closed, only the frame can allocate; this arena cannot. Frames nest: `pushFrame` of a frame
    /// opens another frame above it, and the frame that was pushed last must be closed first.
    ///
    /// A frame has the zeroing, the alignment and the limits of its arena. Opening and closing it takes as long as for
    /// an arena, and creates no garbage.
    ///
    /// **Close each frame**, best with try-with-resources. An arena with an open frame cannot be closed, so that a
    /// frame that is forgotten keeps its arena open, and the pool as well.
    ///
    /// @return the frame, an arena for the current thread
    /// @throws UnsupportedOperationException if this arena is shared
    /// @throws WrongThreadException          if this arena is confined to another thread
    /// @throws IllegalStateException         if this arena is closed
    SlabArena pushFrame();

    /// Returns an arena that allocates through a wrapper of this arena, such as a debug arena: for a variable of this
    /// type. It cannot be detached. Its frames have wrappers of their own.
    ///
    /// ```java
    /// SlabArena arena = pool.openConfined().wrapped(DebugArena::wrap);
    /// ```
    ///
    /// @param wrapper wraps this arena, as [dev.arenakit.diagnostics.DebugArena] and
    ///                [dev.arenakit.diagnostics.FaultyArena] do
    /// @return the arena, whose `close` closes the wrapper
    default SlabArena wrapped(UnaryOperator<Arena> wrapper) {
        return new WrappedSlabArena(this, wrapper);
    }

    /// Ends the lifetime of all segments, and keeps the memory in a parcel, which another thread can
    /// [attach][SlabParcel#attach()].
    ///
    /// The scope ends as by [#close()]: the cleanups that users have attached to it run now, and memory that they have
    /// attached to it is released. If a segment is in use, this method throws, and the arena remains open. If a cleanup
    /// throws, this method releases all memory to the pool and rethrows the exception.
    ///
    /// Apart from the cleanups, this method takes constant time. The thread no longer owns the slab that it has used.
    /// From then on, [#close()] of this arena does nothing, so that an arena that may be detached can be opened in a
    /// try-with-resources statement; all other methods throw.
    ///
    /// @return the parcel, which must be attached or closed
    /// @throws UnsupportedOperationException if this arena is shared, or is a frame
    /// @throws WrongThreadException          if this arena is confined to another thread
    /// @throws IllegalStateException         if this arena is closed, a frame is open above it, or a segment is in use
    SlabParcel detach();

    /// Ends the lifetime of all segments and releases the memory: to the pool, or, if this is a frame, to its arena.
    ///
    /// If a frame is open, or if a segment is in use (by a native call or an I/O operation), this method throws, and
    /// nothing has changed. If a cleanup that a user has attached to the scope throws, this method releases all memory
    /// and rethrows the exception. If this arena was [detached][#detach()], this method does nothing. For the shared
    /// arenas of a pool with [groupedClose][SlabPool.Builder#groupedClose], see there.
    ///
    /// @throws WrongThreadException  if this arena is confined to another thread
    /// @throws IllegalStateException if this arena is already closed, a frame is open above it (the message says how
    ///                               many), or a segment is in use
    @Override
    void close();
}
