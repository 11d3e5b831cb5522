package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A bit field: some of the bits of an integer, as in C.
///
/// A bit field is a member of a struct or a union. [StructType.Builder#addBits] places it as a C compiler does. The
/// offset of the member is the offset of the first byte that holds bits of the field, and its size is the number of
/// bytes that hold bits of the field. Bit fields of a struct may share bytes.
///
/// In little-endian order, the bits of a byte are counted from the least significant bit, and a field that extends into
/// further bytes continues at their least significant bits. In big-endian order, bits are counted from the most
/// significant bit. A field whose declared type has one byte is counted from the least significant bit.
///
/// ```text
/// uint16_t flags : 3, offset : 13;      little-endian              big-endian
///                                       byte 0    byte 1           byte 0    byte 1
///                                       ooooofff  oooooooo         fffooooo  oooooooo
/// ```
///
/// The [#integer] of a field reads and writes it at the offset of the member.
///
/// @param declared  the declared type: a [ValueType] of a `byte`, `short`, `int`, `long` or `boolean`, an
///                  [UnsignedType] of 1, 2, 4 or 8 bytes, or an [EnumType]; its alignment is a lower bound for the
///                  alignment of the struct that a builder builds
/// @param bitOffset the number of bits before the field in the first byte, from 0 to 7
/// @param bitSize   the number of bits: at least 1, at most the number of bits of the declared type, and 1 for a
///                  `boolean`
public record BitFieldType(MemoryType declared, int bitOffset, int bitSize) implements MemoryType {
    /// Creates a bit field.
    ///
    /// @throws IllegalArgumentException if the declared type is none of the types above, if the offset or the size is
    ///                                  out of range, if the field extends over 9 bytes, if a field with a declared
    ///                                  type of one byte extends over 2 bytes in big-endian order, or if a constant of
    ///                                  an enum does not fit
    public BitFieldType {
        int largest = largestBitSize(Objects.requireNonNull(declared, "declared"));
        if (bitOffset < 0 || bitOffset >= Byte.SIZE || bitSize < 1 || bitSize > largest) {
            throw new IllegalArgumentException("Bit field is out of range: bitOffset=" + bitOffset + ", bitSize="
                    + bitSize + ", largest bitSize=" + largest);
        }
        if (bitOffset + bitSize > Long.SIZE) {
            throw new IllegalArgumentException("Bit field extends over more than 8 bytes: bitOffset=" + bitOffset
                    + ", bitSize=" + bitSize + "; add it before the fields that share its first byte");
        }
        if (declared instanceof EnumType constants) {
            constants.checkFits(bitSize);
        }
    }

    private static int largestBitSize(MemoryType declared) {
        boolean isOther = declared instanceof BitFieldType
                || (declared instanceof ValueType value && value.carrier() == char.class);
        if (isOther || declared.integer().isEmpty() || !Sizes.isPowerOfTwo(declared.byteSize())) {
            throw new IllegalArgumentException("Declared type is not that of a bit field: declared=" + declared
                    + "; use an integer of 1, 2, 4 or 8 bytes, a boolean, or an enum");
        }
        return declared instanceof ValueType value && value.carrier() == boolean.class
                ? 1
                : Byte.SIZE * (int) declared.byteSize();
    }

    /// Returns the byte order in which the bytes of the field are read.
    ///
    /// @return the byte order of the declared type; little-endian if the declared type has one byte
    public ByteOrder order() {
        return orderOf(declared);
    }

    static ByteOrder orderOf(MemoryType declared) {
        return declared.byteSize() == 1
                ? ByteOrder.LITTLE_ENDIAN
                : declared.integer().map(StoredInteger::order).orElse(ByteOrder.LITTLE_ENDIAN);
    }

    /// Returns whether the highest bit of the field is its sign.
    ///
    /// @return whether the declared type is a `byte`, `short`, `int` or `long`, or an enum whose values have such a
    ///         type
    public boolean isSigned() {
        return declared.integer().orElseThrow().isSigned();
    }

    /// Returns the position of the field in the integer of its [#byteSize] bytes in byte order [#order].
    ///
    /// @return the number of bits of the integer below the field
    public int shift() {
        return order() == ByteOrder.LITTLE_ENDIAN
                ? bitOffset
                : Byte.SIZE * (int) byteSize() - bitOffset - bitSize;
    }

    @Override
    public Optional<StoredInteger> integer() {
        return Optional.of(new StoredInteger((int) byteSize(), order(), shift(), bitSize, isSigned()));
    }

    @Override
    public List<MemoryType> innerTypes() {
        return List.of(declared);
    }

    @Override
    public BitFieldType withOrder(ByteOrder order) {
        return new BitFieldType(declared.withOrder(order), bitOffset, bitSize);
    }

    /// Returns the number of bytes that hold the bits of the field.
    ///
    /// @return the size in bytes, from 1 to 8
    @Override
    public long byteSize() {
        return Math.ceilDiv(bitOffset + bitSize, Byte.SIZE);
    }

    /// Returns the alignment of the bytes of the field.
    ///
    /// @return 1, since a bit field may begin in any byte
    @Override
    public long byteAlignment() {
        return 1;
    }

    @Override
    public long naturalAlignment() {
        return declared.naturalAlignment();
    }

    /// Returns this bit field with another alignment of the declared type. The bit field itself has an alignment of 1.
    ///
    /// @param byteAlignment the alignment of the declared type in bytes, a power of two
    /// @return the bit field with the changed declared type
    /// @throws IllegalArgumentException if the alignment is not a power of two
    @Override
    public BitFieldType withByteAlignment(long byteAlignment) {
        return new BitFieldType(declared.withByteAlignment(byteAlignment), bitOffset, bitSize);
    }

    /// Returns padding of the size of the field, since the JDK has no layouts of bits.
    @Override
    public PaddingLayout layout() {
        return MemoryLayout.paddingLayout(byteSize());
    }

    /// The bits of the field in a byte, as a mask whose lowest bit stands for the least significant bit of the byte.
    ///
    /// @param index the index of the byte, from 0 to less than the size
    int mask(int index) {
        long bits = -1L >>> (Long.SIZE - bitSize) << shift();
        int at = order() == ByteOrder.LITTLE_ENDIAN ? index : (int) byteSize() - 1 - index;
        return (int) (bits >>> (Byte.SIZE * at)) & 0xff;
    }
}
