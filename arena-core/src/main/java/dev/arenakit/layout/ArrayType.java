package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;

/// Values of one type, one after the other.
///
/// @param element       the type of each
/// @param length        how many there are
/// @param byteAlignment the alignment in bytes, at least that of the elements
public record ArrayType(MemoryType element, long length, long byteAlignment) implements MemoryType {
    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when the length is negative, the size of an element no multiple of its alignment,
    ///                                  or the alignment less than that of the elements
    public ArrayType {
        Types.checkAlignment(byteAlignment);
        if (length < 0 || length > Long.MAX_VALUE / Math.max(1, element.byteSize())) {
            throw new IllegalArgumentException("Not a length of an array: length=" + length + ", element.byteSize="
                    + element.byteSize());
        }
        if (element.byteSize() % element.byteAlignment() != 0 || byteAlignment < element.byteAlignment()) {
            throw new IllegalArgumentException("Elements of an array would be misaligned: element.byteSize="
                    + element.byteSize() + ", element.byteAlignment=" + element.byteAlignment() + ", byteAlignment="
                    + byteAlignment);
        }
    }

    /// An array aligned as its elements, as in C.
    ///
    /// @param element the type of each element
    /// @param length how many there are
    /// @return the array type
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
