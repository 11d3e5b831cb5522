package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// What an interface extends whose views are to give the memory that they stand on; see [ViewMapper].
///
/// Interfaces need not extend this to be mapped.
public interface View {
    /// {@return the memory of this struct, no more and no less: a slice of the segment that the view was made for}
    MemorySegment segment();
}
