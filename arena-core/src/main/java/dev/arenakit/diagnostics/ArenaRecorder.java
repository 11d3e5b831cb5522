package dev.arenakit.diagnostics;

/// Takes the events of a pool's arenas: see [recorder][dev.arenakit.SlabPool.Builder#recorder]. A recorder in
/// `arena-mapped` writes them to a file.
///
/// The methods are called by the threads that use the arenas, after the call that they report. If one throws, the
/// caller of the arena gets the exception.
public interface ArenaRecorder {
    /// Records that an arena or a frame was opened.
    ///
    /// @param isShared whether all threads may use it
    /// @return its number, not 0; 0 if the arena is not to be recorded
    long opened(boolean isShared);

    /// Records an allocation.
    ///
    /// @param arena         the number of the arena
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes
    void allocated(long arena, long byteSize, long byteAlignment);

    /// Records that an arena or a frame was closed, and its memory released.
    ///
    /// @param arena the number of the arena
    void closed(long arena);
}
