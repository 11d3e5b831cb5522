package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/// An array: consecutive elements of one type.
///
/// @param element       the type of the elements
/// @param length        the number of elements, which may be 0
/// @param byteAlignment the alignment in bytes, at least the alignment of the elements
/// @param count         the name of an integer member of the enclosing struct that holds the number of valid elements,
///                      counted from the first; or empty if all elements are valid
public record ArrayType(MemoryType element, long length, long byteAlignment, Optional<String> count)
        implements
            MemoryType {
    /// Creates an array type.
    ///
    /// @throws IllegalArgumentException if the length is negative or too large, if the size of an element is not a
    ///                                  multiple of its alignment, if the alignment is not a power of two or is less
    ///                                  than the alignment of the elements, if the elements are bit fields, or if the
    ///                                  name of the count is not a C identifier
    public ArrayType {
        Sizes.checkAlignment(byteAlignment);
        count.ifPresent(CIdentifiers::check);
        if (element instanceof BitFieldType) {
            throw new IllegalArgumentException("Array of bit fields: element=" + element + "; use bytes");
        }
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

    /// Creates the type of an array whose elements are all valid.
    ///
    /// @param element       the type of the elements
    /// @param length        the number of elements
    /// @param byteAlignment the alignment in bytes
    /// @throws IllegalArgumentException as by the other constructor
    public ArrayType(MemoryType element, long length, long byteAlignment) {
        this(element, length, byteAlignment, Optional.empty());
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

    /// Returns this array with a count of its valid elements.
    ///
    /// @param member the name of the member of the enclosing struct that holds the number of valid elements
    /// @return the array type with the count
    /// @throws IllegalArgumentException if the name is not a C identifier
    public ArrayType withCount(String member) {
        return new ArrayType(element, length, byteAlignment, Optional.of(member));
    }

    @Override
    public long byteSize() {
        return element.byteSize() * length;
    }

    @Override
    public List<MemoryType> innerTypes() {
        return List.of(element);
    }

    @Override
    public ArrayType withOrder(ByteOrder order) {
        return new ArrayType(element.withOrder(order), length, byteAlignment, count);
    }

    @Override
    public long naturalAlignment() {
        return element.naturalAlignment();
    }

    @Override
    public ArrayType withByteAlignment(long byteAlignment) {
        return new ArrayType(Types.atMost(byteAlignment, element), length, byteAlignment, count);
    }

    @Override
    public SequenceLayout layout() {
        return MemoryLayout.sequenceLayout(length, element.layout()).withByteAlignment(byteAlignment);
    }
}
