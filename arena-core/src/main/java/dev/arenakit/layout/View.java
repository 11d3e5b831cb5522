package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// A view that gives access to the memory of its struct. An interface that a [ViewMapper] maps may extend this
/// interface, but need not.
public interface View {
    /// {@return the memory of this struct, a slice of the segment that the view was created with}
    MemorySegment segment();
}
