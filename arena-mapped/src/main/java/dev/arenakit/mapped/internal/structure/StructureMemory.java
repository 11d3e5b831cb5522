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
    default MemorySegment segment(long byteSize) {
        MemorySegment segment = segment();
        if (segment.byteSize() < byteSize) {
            throw damaged("reference beyond the memory: referred=" + byteSize + ", byteSize=" + segment.byteSize());
        }
        return segment;
    }

    /// The exception for contents that no structure has.
    default IllegalStateException damaged(String what) {
        return StructureFormat.damaged(name(), what);
    }
}
