package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.ValueType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/// Converts between an integer in memory, which may be unsigned, of an odd size, a bit field, an enum or a reference,
/// and its type in Java.
///
/// @param integer the integer in memory
/// @param inJava  a primitive type, or Object for the constant of an enum or a reference
/// @param read    `(long)inJava`, converts a value that was read and extended to 64 bits
/// @param write   `(inJava)long`, checks and converts a value that will be written
public record IntegerConversion(StoredInteger integer, Class<?> inJava, MethodHandle read, MethodHandle write) {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType LONGS = MethodType.methodType(long.class, long.class);

    /// Returns whether values of a primitive type in Java can hold an integer in memory.
    public static boolean supports(MemoryType type, Class<?> inJava) {
        if (type instanceof ValueType value) {
            return value.carrier() == inJava;
        }
        if (type instanceof EnumType constants) {
            return constants.carrier() == inJava || supports(constants.value(), inJava);
        }
        return (type instanceof BitFieldType bits && supports(bits.declared(), boolean.class))
                ? inJava == boolean.class
                : type.integer()
                        .filter(integer -> IntegerRange.BITS.getOrDefault(inJava, 0) >= integer.bitSize())
                        .isPresent();
    }

    /// Returns whether an unsigned integer in memory is a bit pattern in a primitive type of the same size, although a
    /// larger type has its values.
    public static boolean isBitPattern(MemoryType type, Class<?> inJava) {
        if (type instanceof ValueType || inJava == char.class || inJava == long.class) {
            return false;
        }
        StoredInteger integer = type.integer().orElseThrow();
        return !integer.isSigned() && integer.bitSize() == IntegerRange.BITS.getOrDefault(inJava, 0);
    }

    /// Returns the constants of an enum, or of a bit field of an enum.
    public static Optional<EnumType> constants(MemoryType type) {
        MemoryType declared = type instanceof BitFieldType bits ? bits.declared() : type;
        return declared instanceof EnumType constants ? Optional.of(constants) : Optional.empty();
    }

    /// Returns the conversion to a primitive type.
    ///
    /// @param where names the accessed field or component in messages
    public static IntegerConversion of(MemoryType type, Class<?> inJava, String where) {
        StoredInteger integer = type.integer().orElseThrow();
        boolean checked = integer.bitSize() < IntegerRange.BITS.getOrDefault(inJava, 0);
        MethodHandle write = checked
                ? bound(IntegerRange.of(integer, inJava, where), "checked", LONGS)
                : MethodHandles.identity(long.class);
        return new IntegerConversion(integer, inJava,
                cast(MethodHandles.identity(long.class), inJava, long.class), cast(write, long.class, inJava));
    }

    /// Returns the conversion to the constants of an enum, or to references.
    public static IntegerConversion of(MemoryType type, NumberCodec codec) {
        return new IntegerConversion(type.integer().orElseGet(() -> StoredInteger.ofBits(type)), Object.class,
                bound(codec, "decode", MethodType.methodType(Object.class, long.class)),
                bound(codec, "encode", MethodType.methodType(long.class, Object.class)));
    }

    /// Returns this conversion for another type of the constants.
    public IntegerConversion as(Class<?> reference) {
        return new IntegerConversion(integer, reference, read.asType(MethodType.methodType(reference, long.class)),
                write.asType(MethodType.methodType(long.class, reference)));
    }

    /// Adapts the VarHandle of an integer of the same size.
    public VarHandle adapt(VarHandle raw) {
        return adapt(raw, write);
    }

    /// Adapts the VarHandle for operations whose argument is a difference or a mask, which is not checked.
    public VarHandle adaptOperands(VarHandle raw) {
        return inJava.isPrimitive()
                ? adapt(raw, cast(MethodHandles.identity(long.class), long.class, inJava))
                : adapt(raw);
    }

    private VarHandle adapt(VarHandle raw, MethodHandle written) {
        if (raw.varType() == inJava) {
            return raw;
        }
        MethodHandle extended = integer.isSigned()
                ? MethodHandles.identity(long.class)
                : bound(this, "withoutSign", LONGS);
        MethodHandle widen = cast(extended, long.class, raw.varType());
        return MethodHandles.filterValue(raw, cast(written, raw.varType(), inJava),
                MethodHandles.filterReturnValue(widen, read));
    }

    /// Replaces the bits above the integer by zeros.
    long withoutSign(long value) {
        return value & integer.max();
    }

    /// Returns `(MemorySegment, long)inJava`, which reads the integer in the struct at an offset; with the index of an
    /// element if the field is an array.
    public MethodHandle getter(PackedField field) {
        return MethodHandles.filterReturnValue(field.bound("get", MethodType.methodType(long.class)), read);
    }

    /// Returns `(MemorySegment, long, inJava)void`, which writes the integer in the struct at an offset; with the index
    /// of an element if the field is an array.
    public MethodHandle setter(PackedField field) {
        MethodHandle set = field.bound("set", MethodType.methodType(void.class, long.class));
        return MethodHandles.filterArguments(set, set.type().parameterCount() - 1, write);
    }

    private static MethodHandle cast(MethodHandle handle, Class<?> result, Class<?> parameter) {
        return MethodHandles.explicitCastArguments(handle, MethodType.methodType(result, parameter));
    }

    private static MethodHandle bound(Object receiver, String name, MethodType type) {
        return KnownMethods.bind(LOOKUP, receiver, name, type);
    }
}
