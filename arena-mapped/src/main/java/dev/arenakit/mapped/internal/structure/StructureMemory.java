package dev.arenakit.mapped.internal.structure;

import java.lang.foreign.MemorySegment;

/// The memory of a structure. It grows, and never moves in the files.
public interface StructureMemory {
    /// The name of the structure, for messages.
    String name();

    /// The memory with the size that this process knows.
    MemorySegment segment();

    /// The memory with its present size: another process may have made it grow.
    ///
    /// @param byteSize the size that a reference of the structure requires
    /// @throws IllegalStateException if the memory is smaller, so that the reference is damaged
    MemorySegment segment(long byteSize);
}
