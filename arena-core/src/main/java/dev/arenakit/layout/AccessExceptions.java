package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Adds index, size and layout to the messages of exceptions that an access to a segment throws.
final class AccessExceptions {
    private AccessExceptions() {}

    /// Returns an exception of the same class with a longer message, or the exception itself if its cause is not the
    /// location of the struct.
    static RuntimeException atIndex(RuntimeException e, RecordMapper<?> mapper, @Nullable MemorySegment segment,
            long index) {
        return explained(e, mapper.type(), segment, "index=" + index, index, mapper.byteSize());
    }

    /// The same for an access by offset.
    static RuntimeException atOffset(RuntimeException e, RecordMapper<?> mapper, @Nullable MemorySegment segment,
            long byteOffset) {
        return explained(e, mapper.type(), segment, "byteOffset=" + byteOffset, byteOffset, 1);
    }

    /// The same for a copy of consecutive structs, which requires no alignment.
    static RuntimeException ofCopy(RuntimeException e, StructMapper<?> mapper, MemorySegment segment, long index,
            long count) {
        StructType bytes = mapper.type().withByteAlignment(1);
        return explained(e, bytes, segment, "index=" + index + ", count=" + count, index, mapper.byteSize());
    }

    /// The same for an access to a struct of any type.
    ///
    /// @param place  the index or offset, with its name
    /// @param number the index or offset
    /// @param stride the distance in bytes between two values of the number
    static RuntimeException explained(RuntimeException e, StructType type, @Nullable MemorySegment segment,
            String place, long number, long stride) {
        if (segment == null) {
            return caused(new NullPointerException("segment"), e);
        }
        long size = segment.byteSize();
        boolean outside = number < 0 || size < type.byteSize() || number > (size - type.byteSize()) / stride;
        String what = place + ", layout=" + type.name() + ", layout.byteSize=" + type.byteSize() + ", segment.byteSize="
                + size;
        return switch (e) {
            case IndexOutOfBoundsException _ when outside -> caused(new IndexOutOfBoundsException(
                    "Struct is not within the segment: " + what + ", count=" + size / type.byteSize()), e);
            case WrongThreadException _ when !segment.isAccessibleBy(Thread.currentThread()) ->
                caused(new WrongThreadException("Segment belongs to another thread: " + what + ", thread="
                        + Thread.currentThread().getName()), e);
            case IllegalStateException _ when !segment.scope().isAlive() ->
                caused(new IllegalStateException("Segment is already closed: " + what), e);
            case IllegalArgumentException _ when isMisaligned(type, segment, number * stride) && isOfTheJdk(e) ->
                caused(new IllegalArgumentException("Segment is misaligned for the layout: " + what + ", address=0x"
                        + Long.toHexString(segment.address() + number * stride) + ", byteAlignment="
                        + type.byteAlignment() + ", segment.maxByteAlignment=" + segment.maxByteAlignment()
                        + "; allocate by the layout, or make the struct packed"), e);
            // The only remaining cause is a write: a read has no other reason to fail here.
            case IllegalArgumentException _ when segment.isReadOnly() && isOfTheJdk(e) ->
                caused(new IllegalArgumentException("Segment is read-only: " + what), e);
            default -> e;
        };
    }

    /// Checks scope and thread of a segment for a copy of 0 structs, for which the JDK checks neither.
    static void checkScope(StructMapper<?> mapper, MemorySegment segment, long index) {
        if (!segment.scope().isAlive()) {
            throw ofCopy(new IllegalStateException("Already closed"), mapper, segment, index, 0);
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw ofCopy(new WrongThreadException(), mapper, segment, index, 0);
        }
    }

    private static boolean isMisaligned(StructType type, MemorySegment segment, long byteOffset) {
        return (segment.address() + byteOffset) % type.byteAlignment() != 0
                || (!segment.isNative() && segment.maxByteAlignment() < type.byteAlignment());
    }

    /// Returns whether the JDK's segment threw the exception; otherwise a value of the user caused it.
    private static boolean isOfTheJdk(RuntimeException e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith("jdk.internal.foreign.");
    }

    private static <E extends RuntimeException> E caused(E better, RuntimeException cause) {
        better.initCause(cause);
        return better;
    }
}
