package dev.arenakit;

import dev.arenakit.internal.pool.DetachedSlabs;
import java.lang.foreign.MemorySegment;

/// The memory of a [SlabArena] that changes hands: the thread that owned the arena has [detached][SlabArena#detach()]
/// it, and another thread attaches it.
///
/// A request that begins on one thread can be finished by another, without a copy and without a shared arena, whose
/// close takes a handshake with every thread. The first thread detaches its arena and passes the parcel on, for example
/// through a queue. The second thread calls [#attach()], which opens an arena of its own over the same memory, and
/// [#segment] for the segments that it needs.
///
/// **Backing.** The slabs and large blocks of the arena, with all bytes that were written to them. Until it is attached
/// or closed, a parcel counts as an open arena of its pool, which cannot be closed.
///
/// **Lifetime.** A parcel is attached once, or else closed. **Close a parcel that nobody will attach**: it keeps its
/// memory otherwise, and [leak detection][SlabPool.Builder#leakDetection] reports it if it has become unreachable. The
/// [listener][dev.arenakit.diagnostics.LeakDetection#listener] gets the place where the arena was detached.
///
/// **Threads.** Any thread may attach or close a parcel; if several threads try, one of them succeeds. [#segment] is
/// for the thread that has attached it.
///
/// **Zeroing.** The bytes of the parcel stay as they are. They are zeroed when the parcel or the arena over it is
/// closed, unless the pool was built with [unzeroed][SlabPool.Builder#unzeroed].
///
/// **Cost.** [SlabArena#detach()], [#attach()] and [#segment] of an arena with one slab take some tens of nanoseconds
/// and create some objects on the heap. They copy no bytes.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="detach"}
public sealed interface SlabParcel extends AutoCloseable permits DetachedSlabs {
    /// Opens an arena for the current thread over the memory of this parcel, with a scope of its own.
    ///
    /// The arena continues where the detached arena has stopped: its allocations have other addresses than all earlier
    /// segments. It can have frames, and can itself be detached.
    ///
    /// @return the arena, which this thread must close
    /// @throws IllegalStateException if this parcel has been attached or closed
    SlabArena attach();

    /// Returns a segment of the address and the size of a segment of the detached arena, in the scope of the arena that
    /// was attached. It is read-only if the old segment is.
    ///
    /// This method takes constant time, unless the memory of the arena consists of many slabs or large blocks, which it
    /// searches from the newest to the oldest.
    ///
    /// @param old a segment of the detached arena, or a part of one
    /// @return the segment
    /// @throws IllegalArgumentException if the segment is not in the scope of the detached arena, or is not memory of
    ///                                  its slabs and large blocks, such as a mapped file
    /// @throws WrongThreadException     if another thread has attached this parcel
    /// @throws IllegalStateException    if this parcel is not attached, or its arena is closed
    MemorySegment segment(MemorySegment old);

    /// Releases the memory to the pool. If this parcel has been attached or closed, this method does nothing: the
    /// memory of an attached parcel belongs to its arena.
    @Override
    void close();
}
