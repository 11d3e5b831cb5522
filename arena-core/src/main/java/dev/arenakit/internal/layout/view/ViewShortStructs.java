package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.emit.ShortStructs;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;

/// Views of structs whose last member is a union, at the end of a segment that ends within that union.
public final class ViewShortStructs {
    private ViewShortStructs() {}

    /// Returns the exception for a view whose struct is cut off by the end of the segment: the given exception, unless
    /// a record could be read there. A view needs the bytes of all members of its unions, because it may write any
    /// member.
    public static RuntimeException refuseView(RuntimeException explained, StructType type, MemorySegment segment,
            String place,
            long number, long stride) {
        if (!(explained instanceof IndexOutOfBoundsException) || !ShortStructs.exist(type) || number < 0
                || number > segment.byteSize() / stride) {
            return explained;
        }
        long present = segment.byteSize() - number * stride;
        long smallest = ShortStructs.smallest(type);
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
