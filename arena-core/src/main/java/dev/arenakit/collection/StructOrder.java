package dev.arenakit.collection;

import dev.arenakit.internal.collection.StructSort;
import dev.arenakit.layout.ByteField;
import dev.arenakit.layout.CharField;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.Field;
import dev.arenakit.layout.FloatField;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.ShortField;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;

/// The order of structs by a field. Each value of the field corresponds to an unsigned number of 64 bits, and the
/// numbers have the order of the values.
final class StructOrder {
    private final Field field;
    /// The size in bits of the field's type in Java.
    private final int carrierBits;
    /// The size in bits of an unsigned integer, or 64 for other numbers.
    private final int unsignedBits;
    /// Flips the sign bit, which gives signed integers the order of unsigned numbers; 0 for unsigned integers of 8
    /// bytes, which have that order already.
    private final long signMask;

    /// @throws IllegalArgumentException if the field is not a number
    StructOrder(Field field) {
        this.field = field;
        carrierBits = switch (field) {
            case LongField _,DoubleField _ -> Long.SIZE;
            case IntField _,FloatField _ -> Integer.SIZE;
            case ShortField _,CharField _ -> Short.SIZE;
            case ByteField _ -> Byte.SIZE;
            default -> throw new IllegalArgumentException("Field has no order: " + field
                    + "; take it from a method of the mapper for a number, such as longField");
        };
        // A `char` is never negative.
        int bits = field.type() instanceof ValueType
                ? 0
                : field.type().integer().filter(integer -> !integer.isSigned()).map(StoredInteger::bitSize).orElse(0);
        unsignedBits = bits == 0 ? Long.SIZE : bits;
        // An unsigned integer of 8 bytes is read as a bit pattern.
        signMask = bits == Long.SIZE ? 0 : Long.MIN_VALUE;
    }

    boolean isFloating() {
        return field instanceof DoubleField || field instanceof FloatField;
    }

    /// Returns the number for the value of the field in the struct at an offset.
    long number(MemorySegment structs, long byteOffset) {
        return switch (field) {
            case LongField l -> ofRead(l.get(structs, byteOffset));
            case IntField i -> ofRead(i.get(structs, byteOffset));
            case DoubleField d -> of(d.get(structs, byteOffset));
            case FloatField f -> of(f.get(structs, byteOffset));
            case ShortField s -> ofRead(s.get(structs, byteOffset));
            case ByteField b -> ofRead(b.get(structs, byteOffset));
            case CharField c -> ofRead(c.get(structs, byteOffset));
            default -> throw new AssertionError(field);
        };
    }

    /// Returns the number for a value to search for.
    long of(long value) {
        if (isFloating()) {
            return of((double) value);
        }
        boolean isPattern = carrierBits == unsignedBits && value < 0 && value >= -1L << (unsignedBits - 1);
        return isPattern ? ofRead(value) : value ^ signMask;
    }

    /// Returns the number for a floating-point value, in the order of [Double#compare].
    static long of(double value) {
        long bits = Double.doubleToLongBits(value);
        return bits ^ ((bits >> 63) | Long.MIN_VALUE);
    }

    /// Returns the number for an integer that was read. An unsigned integer as large as its type in Java may be
    /// negative.
    private long ofRead(long value) {
        return (value & (-1L >>> (Long.SIZE - unsignedBits))) ^ signMask;
    }

    /// Sorts structs. Structs with equal values keep their order.
    void sort(MemorySegment structs, long byteSize, long count) {
        StructSort.sort(structs, byteSize, count, this::number);
    }
}
