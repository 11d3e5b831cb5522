package dev.arenakit.internal.layout.field;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Completes the messages of exceptions that the operations of a field throw.
///
/// @param struct the struct
/// @param path   the path of the field
/// @param length the number of elements, or -1 if the field is not accessed by element
public record FieldAccessExceptions(StructType struct, String path, long length) {
    /// Explains the exception of an operation.
    ///
    /// @param place   the index or offset
    /// @param byIndex whether it is an index
    /// @param element the index of the element, or -1
    /// @param writes  whether the operation writes
    public RuntimeException explained(RuntimeException e, @Nullable MemorySegment segment, long place, boolean byIndex,
            long element, boolean writes) {
        if (length >= 0 && (element < 0 || element >= length)) {
            IndexOutOfBoundsException better = new IndexOutOfBoundsException("Element is not within the array: element="
                    + element + ", length=" + length + ", layout=" + struct.name() + ", path=" + path);
            better.initCause(e);
            return better;
        }
        return AccessExceptions.explained(e, struct, segment, (byIndex ? "index=" : "byteOffset=") + place, place,
                byIndex ? struct.byteSize() : 1, writes);
    }

    /// The exception for an operation that the JDK does not offer for the field.
    public UnsupportedOperationException unsupported(String operation) {
        return new UnsupportedOperationException("Field does not support the operation: operation=" + operation
                + ", layout=" + struct.name() + ", path=" + path
                + "; it requires a field that is aligned to its size, and the atomic operations one of 4 or 8 bytes");
    }
}
