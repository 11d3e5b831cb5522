package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;

/// What a range of memory holds: how large it is, how it is aligned, and how its bytes are to be read.
///
/// A type says more than a [MemoryLayout], which is derived from it: that 16 bytes are text in UTF-8, that an `int` stands
/// for a constant of an enum, which of a union's members is valid. Types are immutable, compared by value, and safe for use
/// by several threads.
public sealed interface MemoryType
        permits ValueType, StringType, EnumType, AddressType, ArrayType, StructType, UnionType {
    /// The JDK's layout as a type, as [StructType#of(java.lang.foreign.StructLayout)] does it for structs.
    ///
    /// @param layout the layout, not of padding
    /// @return the type
    /// @throws IllegalArgumentException when it is padding, a member that is not padding has no name, or a name is no identifier
    ///                                  of C
    static MemoryType of(MemoryLayout layout) {
        return JdkLayouts.type(layout);
    }

    /// The size in bytes.
    ///
    /// @return the size, which may be 0
    long byteSize();

    /// The alignment in bytes, a power of two: the type stands at multiples of it.
    ///
    /// @return the alignment
    long byteAlignment();

    /// This type at another alignment. What it consists of keeps its place; where the alignment becomes smaller, that of its
    /// parts does too, down to 1 as in a packed struct.
    ///
    /// @param byteAlignment the alignment in bytes, a power of two
    /// @return the type at that alignment
    /// @throws IllegalArgumentException when the alignment is not a power of two
    MemoryType withByteAlignment(long byteAlignment);

    /// The JDK's layout of this type, without a name of its own; the members of structs and unions have theirs.
    ///
    /// @return the layout
    MemoryLayout layout();
}
