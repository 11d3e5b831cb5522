package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/// The type of the contents of a region of memory: its size, its alignment, and the meaning of its bytes.
///
/// A type has more information than the [MemoryLayout] that is derived from it: for example that 16 bytes are text in
/// UTF-8, that an `int` is a constant of an enum, or how the valid member of a union is identified. Types are
/// immutable, compared by value, and safe for use by several threads. All sizes, offsets and alignments are in bytes.
///
/// | type | describes |
/// |---|---|
/// | [ValueType] | a primitive value in a given byte order |
/// | [UnsignedType] | an unsigned integer of 1 to 8 bytes |
/// | [BitFieldType] | some bits of an integer, in a struct or union |
/// | [StringType] | text of a fixed length |
/// | [EnumType] | an integer whose values have names |
/// | [AddressType] | an address |
/// | [RefType] | a reference: the offset of a struct |
/// | [ArrayType] | consecutive elements of one type |
/// | [StructType] | members at increasing offsets |
/// | [UnionType] | members that share the same memory |
public sealed interface MemoryType
        permits ValueType, UnsignedType, BitFieldType, StringType, EnumType, AddressType, RefType, ArrayType,
        StructType, UnionType {
    /// Converts a layout of the JDK to a type, as [StructType#of(java.lang.foreign.StructLayout)] does for structs.
    ///
    /// @param layout the layout
    /// @return the type
    /// @throws IllegalArgumentException if the layout is padding, if a member that is not padding has no name, or if a
    ///                                  name is not a C identifier
    static MemoryType of(MemoryLayout layout) {
        return JdkLayouts.type(layout);
    }

    /// Returns the name.
    ///
    /// @return the name of a struct, union or enum, or "" if it has none; "" for all other types
    default String name() {
        return "";
    }

    /// Returns the members.
    ///
    /// @return the members of a struct or union; an empty list for all other types
    default List<Member> members() {
        return List.of();
    }

    /// Returns the types that this type is directly made of.
    ///
    /// @return the types of the members, of the elements of an array, and of the target of an address, and the declared
    ///         type of a bit field; an empty list if there are none
    default List<MemoryType> innerTypes() {
        return members().stream().map(Member::type).toList();
    }

    /// Returns how integers of this type are stored.
    ///
    /// @return the storage of an integer, a `boolean`, an enum or a bit field; empty for all other types
    default Optional<StoredInteger> integer() {
        return Optional.empty();
    }

    /// Returns whether a value of this type is a single number, address or reference.
    ///
    /// @return whether the type is a number, a `boolean`, an enum, a bit field, an address or a reference
    default boolean isScalar() {
        return integer().isPresent();
    }

    /// Returns the size.
    ///
    /// @return the size in bytes, which may be 0
    long byteSize();

    /// Returns the alignment. The offset of a value of this type is a multiple of the alignment.
    ///
    /// @return the alignment in bytes, a power of two
    long byteAlignment();

    /// Returns the alignment that this type has by default, in a struct that is not packed.
    ///
    /// @return the alignment in bytes: for a number, an enum, an address or a reference, its size, or 1 if the size is
    ///         no power of two; for a text, the size of a code unit, or 1 if its length precedes it; for a bit field or
    ///         an array, the natural alignment of the declared type or of the elements; for a struct or union, its
    ///         declared alignment
    default long naturalAlignment() {
        return Sizes.isPowerOfTwo(byteSize()) ? byteSize() : 1;
    }

    /// Returns this type with another alignment. The size and the offsets of members do not change. The alignments of
    /// members and elements are reduced to the given alignment if they are larger, as in a packed struct.
    ///
    /// @param byteAlignment the alignment in bytes, a power of two
    /// @return the type with the alignment
    /// @throws IllegalArgumentException if the alignment is not a power of two, or leaves the elements of an array
    ///                                  misaligned
    MemoryType withByteAlignment(long byteAlignment);

    /// Returns this type with another byte order of all its values, as [StructType#withOrder] does for structs.
    ///
    /// @param order the byte order
    /// @return the type with the byte order
    /// @throws IllegalArgumentException if a bit field with a declared type of one byte would extend over two bytes in
    ///                                  big-endian order
    MemoryType withOrder(ByteOrder order);

    /// Converts this type to a layout of the JDK.
    ///
    /// @return the layout, which has no name; the layouts of the members of structs and unions have the names of the
    ///         members
    MemoryLayout layout();
}
