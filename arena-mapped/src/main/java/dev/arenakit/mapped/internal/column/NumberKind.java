package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;

/// The type of the numbers in a column.
public enum NumberKind {
    BOOLEAN(Byte.BYTES), INT8(Byte.BYTES), INT16(Short.BYTES), INT32(Integer.BYTES), INT64(Long.BYTES), UINT8(
            Byte.BYTES), UINT16(
                    Short.BYTES), UINT32(Integer.BYTES), UINT64(Long.BYTES), FLOAT(Float.BYTES), DOUBLE(Double.BYTES);

    private final int byteSize;

    NumberKind(int byteSize) {
        this.byteSize = byteSize;
    }

    /// The number of bytes of a value in a column. A boolean has a byte, unless the column stores bits.
    public int byteSize() {
        return byteSize;
    }

    static NumberKind of(ValueType value) {
        return switch (value.carrier().getName()) {
            case "boolean" -> BOOLEAN;
            case "byte" -> INT8;
            case "short" -> INT16;
            case "char" -> UINT16;
            case "int" -> INT32;
            case "long" -> INT64;
            case "float" -> FLOAT;
            default -> DOUBLE;
        };
    }

    /// Integers of 3, 5, 6 and 7 bytes have the next larger type.
    static NumberKind of(UnsignedType unsigned) {
        return switch ((int) unsigned.byteSize()) {
            case 1 -> UINT8;
            case 2 -> UINT16;
            case 3, 4 -> UINT32;
            default -> UINT64;
        };
    }
}
