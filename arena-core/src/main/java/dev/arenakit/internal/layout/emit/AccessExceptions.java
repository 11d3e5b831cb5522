package dev.arenakit.internal.layout.emit;

import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Adds index, size and layout to the messages of exceptions that an access to a segment throws.
///
/// The cause is found by evaluating the conditions of the access again, in the order in which a segment checks them. If
/// a value of the user does not fit either, the new message describes the segment, and its cause the value.
public final class AccessExceptions {
    private AccessExceptions() {}

    /// Explains the exception of a copy of consecutive structs, which requires no alignment.
    public static RuntimeException ofCopy(RuntimeException e, StructType type, MemorySegment segment, long index,
            long count) {
        StructType bytes = type.withByteAlignment(1);
        return explained(e, bytes, segment, "index=" + index + ", count=" + count, index, type.byteSize(), true);
    }

    /// Returns an exception of the same class with a longer message, or the exception itself if its cause is not the
    /// location of the struct.
    ///
    /// @param place  the index or offset, with its name
    /// @param number the index or offset
    /// @param stride the distance in bytes between two values of the number
    /// @param writes whether the access writes; a read does not fail because the segment is read-only
    public static RuntimeException explained(RuntimeException e, StructType type, @Nullable MemorySegment segment,
            String place, long number, long stride, boolean writes) {
        if (segment == null) {
            return caused(new NullPointerException("segment"), e);
        }
        long size = segment.byteSize();
        boolean outside = number < 0 || size < type.byteSize() || number > (size - type.byteSize()) / stride;
        String what = place + ", layout=" + type.name() + ", layout.byteSize=" + type.byteSize() + ", segment.byteSize="
                + size;
        return switch (e) {
            case IndexOutOfBoundsException _ when outside -> caused(new IndexOutOfBoundsException(
                    "Struct is not within the segment: " + what
                            + (place.startsWith("index") ? ", count=" + size / type.byteSize() : "")
                            + remedy(segment)),
                    e);
            case WrongThreadException _ when !segment.isAccessibleBy(Thread.currentThread()) ->
                caused(new WrongThreadException("Segment belongs to another thread: " + what + ", "
                        + Scopes.threads(segment)), e);
            case IllegalStateException _ when !segment.scope().isAlive() ->
                caused(new IllegalStateException("Segment is already closed: " + what), e);
            case IllegalArgumentException _ when isMisaligned(type, segment, number * stride) && isPlain(e) ->
                caused(new IllegalArgumentException("Segment is misaligned for the layout: " + what + ", address=0x"
                        + Long.toHexString(segment.address() + number * stride) + ", byteAlignment="
                        + type.byteAlignment() + ", segment.maxByteAlignment=" + segment.maxByteAlignment()
                        + "; allocate by the layout, or make the struct packed"), e);
            case IllegalArgumentException _ when writes && segment.isReadOnly() && isPlain(e) ->
                caused(new IllegalArgumentException("Segment is read-only: " + what), e);
            default -> e;
        };
    }

    /// Checks scope and thread of a segment for a copy of 0 structs, which the JDK does not check.
    public static void checkScope(StructType type, MemorySegment segment, long index) {
        if (!segment.scope().isAlive()) {
            throw ofCopy(new IllegalStateException("Already closed"), type, segment, index, 0);
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw ofCopy(new WrongThreadException(), type, segment, index, 0);
        }
    }

    /// The remedy for a segment that has no bytes because it is a pointer, or "".
    public static String remedy(MemorySegment segment) {
        if (segment.byteSize() > 0 || !segment.isNative()) {
            return "";
        }
        return segment.address() == 0
                ? "; the segment is the pointer NULL: compare its address with 0 before the access"
                : "; a pointer has the size 0: give its layout a target (@TargetType, @TargetByteSize), or reinterpret it";
    }

    private static boolean isMisaligned(StructType type, MemorySegment segment, long byteOffset) {
        return (segment.address() + byteOffset) % type.byteAlignment() != 0
                || (!segment.isNative() && segment.maxByteAlignment() < type.byteAlignment());
    }

    /// Returns whether the exception is of the class that a segment throws, and not of a subclass of the user.
    private static boolean isPlain(RuntimeException e) {
        return e.getClass() == IllegalArgumentException.class;
    }

    private static <E extends RuntimeException> E caused(E better, RuntimeException cause) {
        better.initCause(cause);
        return better;
    }
}
