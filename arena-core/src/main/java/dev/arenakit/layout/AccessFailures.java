package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Says of an exception of the JDK which index, size and layout it was about.
final class AccessFailures {
    private AccessFailures() {}

    /// An exception of the same class that says more, or the exception itself where it has another cause than the place.
    static RuntimeException atIndex(RuntimeException e, RecordMapper<?> mapper, @Nullable MemorySegment segment,
            long index) {
        return explained(e, mapper.type(), segment, "index=" + index, index, mapper.byteSize());
    }

    /// The same for an access at an offset.
    static RuntimeException atOffset(RuntimeException e, RecordMapper<?> mapper, @Nullable MemorySegment segment,
            long byteOffset) {
        return explained(e, mapper.type(), segment, "byteOffset=" + byteOffset, byteOffset, 1);
    }

    /// The same for a number of structs whose bytes are copied: that needs no alignment.
    static RuntimeException ofCopy(RuntimeException e, RecordMapper<?> mapper, MemorySegment segment, long index,
            long count) {
        StructType bytes = mapper.type().withByteAlignment(1);
        return explained(e, bytes, segment, "index=" + index + ", count=" + count, index, mapper.byteSize());
    }

    /// The same for any struct.
    ///
    /// @param place  the index or offset with its name
    /// @param number the same as a number
    /// @param stride the bytes from one number to the next
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
            // What is left for the JDK to refuse is writing: reading has no other reason but the one before.
            case IllegalArgumentException _ when segment.isReadOnly() && isOfTheJdk(e) ->
                caused(new IllegalArgumentException("Segment is read-only: " + what), e);
            default -> e;
        };
    }

    /// Refuses a segment that is closed or another thread's, where nothing will be copied and so the JDK checks nothing.
    static void checkScope(RecordMapper<?> mapper, MemorySegment segment, long index) {
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

    /// Whether the exception says something of a segment, rather than of the user's values: it was thrown there.
    private static boolean isOfTheJdk(RuntimeException e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith("jdk.internal.foreign.");
    }

    private static <E extends RuntimeException> E caused(E better, RuntimeException cause) {
        better.initCause(cause);
        return better;
    }
}
