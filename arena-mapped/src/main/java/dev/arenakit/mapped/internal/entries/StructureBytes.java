package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.internal.tree.TreeScan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Reads the memory of a structure at offsets, without mapping it. Not thread-safe.
public interface StructureBytes extends TreeScan.Source {
    /// The name of the structure, for messages.
    String name();

    /// The size of the memory when it was last requested.
    long byteSize();

    /// Whether the memory has a size now: a running owner makes it grow.
    @Override
    boolean contains(long byteSize) throws IOException;

    /// Reads a range that the memory [contains][#contains].
    ///
    /// @throws IOException if the file cannot be read, or is truncated
    @Override
    void read(long byteOffset, MemorySegment into) throws IOException;

    /// The offset of the first byte at or after an offset that is outside of holes; the end of the memory if there is
    /// none.
    long nextData(long byteOffset) throws IOException;
}
