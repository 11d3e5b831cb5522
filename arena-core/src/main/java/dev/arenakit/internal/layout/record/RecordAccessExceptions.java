package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.value.RecordCodec;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Adds index or offset, size and layout to the messages of exceptions that a mapper of records throws.
///
/// The methods return an exception of the same class with a longer message, or the exception itself if its cause is not
/// the location of the struct.
public final class RecordAccessExceptions {
    private RecordAccessExceptions() {}

    /// Explains the exception of a read by index.
    public static RuntimeException readAtIndex(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long index) {
        return atIndex(e, mapper, segment, index, false);
    }

    /// Explains the exception of a write by index.
    public static RuntimeException writeAtIndex(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long index) {
        return atIndex(e, mapper, segment, index, true);
    }

    /// Explains the exception of a read by offset.
    public static RuntimeException readAtOffset(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long byteOffset) {
        return atOffset(e, mapper, segment, byteOffset, false);
    }

    /// Explains the exception of a write by offset.
    public static RuntimeException writeAtOffset(RuntimeException e, RecordCodec mapper,
            @Nullable MemorySegment segment,
            long byteOffset) {
        return atOffset(e, mapper, segment, byteOffset, true);
    }

    private static RuntimeException atIndex(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long index, boolean writes) {
        return AccessExceptions.explained(e, mapper.type(), segment, "index=" + index, index, mapper.byteSize(),
                writes);
    }

    private static RuntimeException atOffset(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long byteOffset, boolean writes) {
        return AccessExceptions.explained(e, mapper.type(), segment, "byteOffset=" + byteOffset, byteOffset, 1, writes);
    }
}
