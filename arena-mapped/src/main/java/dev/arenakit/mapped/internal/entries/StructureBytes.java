package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.internal.tree.TreeScan;
import java.io.IOException;

/// Reads the memory of a structure at offsets, without mapping it. Not thread-safe.
public interface StructureBytes extends TreeScan.Source {
    /// The name of the structure, for messages.
    String name();

    /// Whether the memory has a size.
    boolean contains(long byteSize) throws IOException;

    /// The offset of the first byte at or after an offset that is outside of holes; the end of the memory if there is
    /// none.
    long nextData(long byteOffset) throws IOException;
}
