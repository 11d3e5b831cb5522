package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The types in memory of components that contain no other components: numbers, enums, addresses, text.
final class LeafTypes {
    private static final String FLEXIBLE = "a flexible array is the last member of a view, as in"
            + " `@Length(flexible = true) int data(long index)`; records have none";

    private LeafTypes() {}

    /// Returns the type of an integer or enum as another component refers to it, or empty if it is neither.
    static Optional<MemoryType> number(ComponentDeclaration component) {
        if (!component.type().isEnum() && !component.isInteger()) {
            return Optional.empty();
        }
        MemoryType declared = component.type().isEnum()
                ? enumType(component, ByteOrder.nativeOrder())
                : primitive(component, ByteOrder.nativeOrder());
        return Optional.of(component.annotation(Bits.class)
                .<MemoryType>map(bits -> new BitFieldType(declared, 0, bits.value()))
                .orElse(declared));
    }

    /// Returns the type of a primitive component or element.
    static MemoryType primitive(ComponentDeclaration component, ByteOrder order) {
        ValueType natural = ValueType.of(component.type(), order);
        Optional<Unsigned> unsigned = component.annotation(Unsigned.class);
        if (unsigned.isEmpty()) {
            return natural;
        }
        int byteSize = unsigned.get().value();
        if (byteSize < 1 || byteSize > natural.byteSize()) {
            throw component.refusal("Size of an unsigned integer is out of range", "@Unsigned says " + byteSize
                    + "; use 1 to " + natural.byteSize() + ", or a larger type");
        }
        return UnsignedType.of(byteSize, order);
    }

    /// Returns the type of an enum. It is unsigned if a value requires it, and, like in gcc, if it is a bit field
    /// without negative values.
    static EnumType enumType(ComponentDeclaration component, ByteOrder order) {
        ClassAnnotations annotations = new ClassAnnotations(component.type());
        annotations.checkEnum();
        Optional<ByteSize> own = component.annotation(ByteSize.class);
        Optional<ByteSize> declared = own.isPresent() ? own : annotations.byteSize();
        int byteSize = declared.isPresent() ? declared.get().value() : Integer.BYTES;
        Class<?> carrier = switch (byteSize) {
            case 1 -> byte.class;
            case 2 -> short.class;
            case 4 -> int.class;
            case 8 -> long.class;
            default -> throw component.refusal("Size is not that of an enum", "@ByteSize says " + byteSize
                    + "; use 1, 2, 4 or 8");
        };
        try {
            ClassAnnotations.checkName(annotations.name());
            EnumConstants constants = EnumConstants.of(component.type());
            MemoryType value = isUnsigned(constants.constants(), byteSize, component.annotation(Bits.class).isPresent())
                    ? UnsignedType.of(byteSize, order)
                    : ValueType.of(carrier, order);
            return new EnumType(annotations.name(), value, constants.constants(), constants.otherwise());
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }

    private static boolean isUnsigned(List<EnumType.Constant> constants, int byteSize, boolean bits) {
        long largest = -1L >>> (Long.SIZE - Byte.SIZE * byteSize + 1);
        boolean unsigned = bits;
        for (EnumType.Constant constant : constants) {
            if (constant.value() < 0) {
                return false;
            }
            unsigned |= constant.value() > largest;
        }
        return unsigned;
    }

    /// Returns the bytes at an address, or empty if their number is not declared.
    static Optional<MemoryType> bytesAt(ComponentDeclaration component) {
        return component.annotation(TargetByteSize.class)
                .map(TargetByteSize::value)
                .map(byteSize -> {
                    if (byteSize < 1) {
                        throw component.refusal("Size of the target is less than 1", "@TargetByteSize says " + byteSize
                                + "; leave it out where the size is not known");
                    }
                    return ArrayType.of(ValueType.of(byte.class), byteSize);
                });
    }

    /// Returns the type of text.
    ///
    /// @param length the number of code units
    static StringType text(ComponentDeclaration component, long length, ByteOrder order) {
        Optional<Encoding> encoding = component.annotation(Encoding.class);
        try {
            if (encoding.isEmpty()) {
                return StringType.of(length, StandardCharsets.UTF_8);
            }
            StringType text = StringType.of(length, charset(encoding.get(), order));
            if (encoding.get().padding() == Encoding.Padding.SPACE) {
                text = text.withPadding(StringType.Padding.SPACE);
            }
            int prefix = encoding.get().prefix();
            return prefix == 0 ? text : text.withPrefix(prefix, order);
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }

    private static Charset charset(Encoding encoding, ByteOrder order) {
        if (!encoding.charset().isEmpty()) {
            return Charset.forName(encoding.charset());
        }
        boolean big = order == ByteOrder.BIG_ENDIAN;
        return switch (encoding.value()) {
            case UTF_8 -> StandardCharsets.UTF_8;
            case ASCII -> StandardCharsets.US_ASCII;
            case UTF_16 -> big ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
            case UTF_32 -> big ? StandardCharsets.UTF_32BE : StandardCharsets.UTF_32LE;
        };
    }

    /// Returns the lengths of an array in its dimensions, followed by the length of the text if its elements are text.
    static long[] lengths(ComponentDeclaration component) {
        Optional<Length> length = component.annotation(Length.class);
        if (length.isEmpty()) {
            throw component.refusal("Length is missing",
                    "add @Length(n): the number of elements, or of code units of text");
        }
        long[] lengths = length.get().value();
        if (length.get().flexible()) {
            return flexible(component, length.get());
        }
        int expected = component.innermost().type() == String.class ? 1 : 0;
        for (Class<?> type = component.type(); type.isArray(); type = type.getComponentType()) {
            expected++;
        }
        if (lengths.length != expected) {
            throw component.refusal("Number of lengths does not match the type", "@Length has " + lengths.length
                    + " numbers; it takes " + expected + ": one for each dimension of an array, and one for text");
        }
        for (long one : lengths) {
            if (one < 1) {
                throw component.refusal("Length is less than 1", "@Length says " + one + "; " + FLEXIBLE);
            }
        }
        return lengths;
    }

    private static long[] flexible(ComponentDeclaration component, Length length) {
        Class<?> element = component.type().getComponentType();
        if (component.owner().isRecord() || element == null || element.isArray() || element == String.class
                || length.value().length > 0 || !length.counted().isEmpty()) {
            throw component.refusal("Flexible array has another form", FLEXIBLE);
        }
        return new long[]{0};
    }
}
