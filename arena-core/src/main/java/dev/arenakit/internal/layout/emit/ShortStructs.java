package dev.arenakit.internal.layout.emit;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;

/// Structs whose last member is a union: at the end of a segment, such a struct may be cut off after the valid member
/// of the union.
public final class ShortStructs {
    private ShortStructs() {}

    /// Returns whether a struct can be shorter than its size.
    public static boolean exist(StructType type) {
        if (type.members().isEmpty()) {
            return false;
        }
        MemoryType last = type.members().getLast().type();
        return last instanceof UnionType union
                ? union.discriminator().isPresent()
                        && union.members().stream().anyMatch(member -> member.limit() < union.byteSize())
                : last instanceof StructType struct && exist(struct);
    }

    /// The size of a struct without its last union.
    public static long smallest(StructType type) {
        Member last = type.members().getLast();
        return last.byteOffset() + (last.type() instanceof StructType struct ? smallest(struct) : 0);
    }
}
