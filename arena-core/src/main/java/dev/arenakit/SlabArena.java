package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

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
public sealed interface SlabArena extends Arena permits PlainSlabArena, LockedSlabArena {
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
    MemorySegment allocate(long byteSize, long byteAlignment);

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
    Arena pushFrame();

    /// Closes the open frames from the top, ends the lifetime of all segments and gives the memory back to the pool.
    ///
    /// When somebody is inside a segment (a native call, an I/O operation), this throws, and all that has changed is that
    /// frames above may be closed. When a cleanup that a user has attached to the scope throws, everything is given back
    /// and the exception passed on.
    ///
    /// @throws WrongThreadException  when a confined arena is closed by another thread
    /// @throws IllegalStateException when this arena is closed already, or in use just now
    @Override
    void close();
}
