package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// Says of an exception that an accessor of a view met what it was about.
///
/// @param type   the struct
/// @param member the member
/// @param count  how many elements it has, or -1 where it is not read by index
record ViewFailures(StructType type, String member, long count) {
    /// An exception of the same class that says more, or the exception itself where there is no more to say.
    ///
    /// @param base  the offset of the struct
    /// @param index the index, or -1
    RuntimeException explained(RuntimeException e, MemorySegment segment, long base, long index) {
        if (count >= 0 && (index < 0 || index >= count)) {
            IndexOutOfBoundsException better = new IndexOutOfBoundsException("Index is not within the array: index="
                    + index + ", length=" + count + ", layout=" + type.name() + ", member=" + member);
            better.initCause(e);
            return better;
        }
        return AccessFailures.explained(e, type, segment, "member=" + member + ", byteOffset=" + base, base, 1);
    }
}
