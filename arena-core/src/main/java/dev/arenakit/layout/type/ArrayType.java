package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;

/// An array: consecutive elements of one type.
///
/// @param element       the type of the elements
/// @param length        the number of elements, which may be 0
/// @param byteAlignment the alignment in bytes, at least that of the elements
public record ArrayType(MemoryType element, long length, long byteAlignment) implements MemoryType {
    /// Creates an array type.
    ///
    /// @throws IllegalArgumentException if the length is negative or too large, if the size of an element is not a
    ///                                  multiple of its alignment, or if the alignment is not a power of two or is less
    ///                                  than that of the elements
    public ArrayType {
        Sizes.checkAlignment(byteAlignment);
        if (length < 0 || length > Long.MAX_VALUE / Math.max(1, element.byteSize())) {
            throw new IllegalArgumentException(
                    "Length of an array is out of range: length=" + length + ", element.byteSize="
                            + element.byteSize());
        }
        if (element.byteSize() % element.byteAlignment() != 0 || byteAlignment < element.byteAlignment()) {
            throw new IllegalArgumentException("Elements of an array are misaligned: element.byteSize="
                    + element.byteSize() + ", element.byteAlignment=" + element.byteAlignment() + ", byteAlignment="
                    + byteAlignment);
        }
    }

    /// Returns the type of an array with the alignment of its elements, as in C.
    ///
    /// @param element the type of the elements
    /// @param length  the number of elements
    /// @return the array type
    /// @throws IllegalArgumentException if the length is negative or too large, or if the size of an element is not a
    ///                                  multiple of its alignment
    public static ArrayType of(MemoryType element, long length) {
        return new ArrayType(element, length, element.byteAlignment());
    }

    @Override
    public long byteSize() {
        return element.byteSize() * length;
    }

    @Override
    public ArrayType withByteAlignment(long byteAlignment) {
        return new ArrayType(Types.atMost(byteAlignment, element), length, byteAlignment);
    }

    @Override
    public SequenceLayout layout() {
        return MemoryLayout.sequenceLayout(length, element.layout()).withByteAlignment(byteAlignment);
    }
}
