package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;

/// Adds member, offset, size and layout to the messages of exceptions that an accessor of a view throws.
///
/// @param type   the struct
/// @param member the member
/// @param count  the number of elements, or -1 if the member is not accessed by index
/// @param writes whether the accessor writes
public record ViewAccessExceptions(StructType type, String member, long count, boolean writes) {
    /// Returns an exception of the same class with a longer message, or the exception itself if its cause is not the
    /// location of the struct.
    ///
    /// @param base  the offset of the struct
    /// @param index the index, or -1
    public RuntimeException explained(RuntimeException e, MemorySegment segment, long base, long index) {
        if (count >= 0 && (index < 0 || index >= count)) {
            IndexOutOfBoundsException better = new IndexOutOfBoundsException("Index is not within the array: index="
                    + index + ", length=" + count + ", layout=" + type.name() + ", member=" + member);
            better.initCause(e);
            return better;
        }
        return AccessExceptions.explained(e, type, segment, "member=" + member + ", byteOffset=" + base, base, 1,
                writes);
    }
}
