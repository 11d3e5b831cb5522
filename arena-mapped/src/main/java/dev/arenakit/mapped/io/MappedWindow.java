package dev.arenakit.mapped.io;

import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.internal.io.WindowRange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A range of a file in memory, leased from [MappedWindows] until it is closed.
///
/// **Lifetime.** The segment has a scope of its own, which [#close] ends: access through the segment, and through its
/// slices, throws an [IllegalStateException] from then on. A lease that is not closed prevents its windows from being
/// closed.
///
/// **Threads.** [MappedWindows#lease] confines the segment to the current thread, which also closes the lease.
/// [MappedWindows#leaseShared] makes a lease for all threads.
public final class MappedWindow implements AutoCloseable {
    private final MappedWindows windows;
    private final WindowRange mapping;
    private final Arena arena;
    private final MemorySegment segment;

    MappedWindow(MappedWindows windows, WindowRange mapping, Arena arena, MemorySegment segment) {
        this.windows = windows;
        this.mapping = mapping;
        this.arena = arena;
        this.segment = segment;
    }

    /// {@return the memory of the leased range, which is read-only unless the windows are writable}
    public MemorySegment segment() {
        return segment;
    }

    /// Writes the contents of the leased range, and of the rest of its first and last page, to the device.
    ///
    /// If the file has grown, [MappedWindows#force] must be called as well, because it writes the size of the file.
    ///
    /// @throws WrongThreadException         if the lease is confined to another thread
    /// @throws IllegalStateException        if the lease is closed
    /// @throws java.io.UncheckedIOException if the device fails
    public void force() {
        windows.force(mapping, segment);
    }

    /// Ends the scope of the segment. The range stays mapped, for later leases, until its addresses are needed.
    ///
    /// @throws WrongThreadException  if the lease is confined to another thread
    /// @throws IllegalStateException if the lease is already closed, or the segment is in use; nothing has changed
    @Override
    public void close() {
        Scopes.checkOpen(segment);
        arena.close();
        windows.release(mapping);
    }
}
