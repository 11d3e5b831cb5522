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
    /// Explains the exception of an operation by offset.
    ///
    /// @param element the index of the element, or -1
    /// @param writes  whether the operation writes
    public RuntimeException atOffset(RuntimeException e, @Nullable MemorySegment segment, long byteOffset, long element,
            boolean writes) {
        return isOutside(element)
                ? outside(e, element)
                : AccessExceptions.explained(e, struct, segment, "byteOffset=" + byteOffset, byteOffset, 1, writes);
    }

    /// Explains the exception of an operation by index.
    ///
    /// @param element the index of the element, or -1
    /// @param writes  whether the operation writes
    public RuntimeException atIndex(RuntimeException e, @Nullable MemorySegment segment, long index, long element,
            boolean writes) {
        return isOutside(element)
                ? outside(e, element)
                : AccessExceptions.explained(e, struct, segment, "index=" + index, index, struct.byteSize(), writes);
    }

    private boolean isOutside(long element) {
        return length >= 0 && (element < 0 || element >= length);
    }

    private RuntimeException outside(RuntimeException e, long element) {
        IndexOutOfBoundsException better = new IndexOutOfBoundsException("Element is not within the array: element="
                + element + ", length=" + length + ", layout=" + struct.name() + ", path=" + path);
        better.initCause(e);
        return better;
    }

    /// The exception for an operation that the JDK does not offer for the field.
    public UnsupportedOperationException unsupported(String operation) {
        return new UnsupportedOperationException("Field does not support the operation: operation=" + operation
                + ", layout=" + struct.name() + ", path=" + path
                + "; it requires a field that is aligned to its size, and the atomic operations one of 4 or 8 bytes");
    }
}
