package dev.arenakit.internal.layout.emit;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemorySegment;

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

    /// Returns the size of a struct without its last union.
    private static long smallest(StructType type) {
        Member last = type.members().getLast();
        return last.byteOffset() + (last.type() instanceof StructType struct ? smallest(struct) : 0);
    }

    /// Returns the exception for a view whose struct is cut off by the end of the segment: the given exception, unless
    /// a record could be read there. A view needs the bytes of all members of its unions, because it may write any
    /// member.
    public static RuntimeException refuseView(RuntimeException explained, StructType type, MemorySegment segment,
            String place,
            long number, long stride) {
        if (!(explained instanceof IndexOutOfBoundsException) || !exist(type) || number < 0
                || number > segment.byteSize() / stride) {
            return explained;
        }
        long present = segment.byteSize() - number * stride;
        long smallest = smallest(type);
        if (present < smallest || present >= type.byteSize()) {
            return explained;
        }
        RuntimeException better = new IndexOutOfBoundsException("View needs all bytes of the struct, and the segment"
                + " ends within its last union: " + place + ", layout=" + type.name() + ", layout.byteSize="
                + type.byteSize() + ", present=" + present + ", segment.byteSize=" + segment.byteSize()
                + "; read a record, or copy the bytes to memory of the layout");
        better.initCause(explained);
        return better;
    }
}
