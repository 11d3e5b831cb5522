package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StoredInteger;
import java.lang.foreign.MemorySegment;

/// Reads a member of a struct on which other members depend, such as the number of valid elements.
///
/// @param byteOffset the offset of the member in the struct
public record IntegerColumnReader(long byteOffset, StoredInteger stored) {
    static IntegerColumnReader of(Member member) {
        return new IntegerColumnReader(member.byteOffset(), StoredInteger.ofBits(member.type()));
    }

    /// Reads the member of the struct at an offset.
    public long read(MemorySegment segment, long struct) {
        return stored.get(segment, struct + byteOffset);
    }
}
