package dev.arenakit.tool.diff;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The bytes of an allocation or of a struct, by their offsets.
interface ComparedBytes {
    /// Reads bytes. Holes, and bytes beyond the end, are zero.
    void read(long at, MemorySegment into) throws IOException;

    /// Returns bytes as an array.
    default byte[] bytes(long at, int count) throws IOException {
        byte[] bytes = new byte[count];
        read(at, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /// The bytes of a struct.
    static ComparedBytes of(MemorySegment struct) {
        return (at, into) -> MemorySegment.copy(struct, at, into, 0, into.byteSize());
    }
}
