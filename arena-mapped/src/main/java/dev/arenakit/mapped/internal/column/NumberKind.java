package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.UnsignedType;

/// The type of the numbers in a column, in the order of DuckDB's types.
public enum NumberKind {
    BOOLEAN(Byte.BYTES, 'b'), INT8(Byte.BYTES, 'c'), INT16(Short.BYTES, 's'), INT32(Integer.BYTES, 'i'), INT64(
            Long.BYTES, 'l'), UINT8(Byte.BYTES, 'C'), UINT16(Short.BYTES, 'S'), UINT32(Integer.BYTES,
                    'I'), UINT64(Long.BYTES, 'L'), FLOAT(Float.BYTES, 'f'), DOUBLE(Double.BYTES, 'g');

    private final int byteSize;
    private final char format;

    NumberKind(int byteSize, char format) {
        this.byteSize = byteSize;
        this.format = format;
    }

    /// The text by which Arrow's C data interface names the type.
    public String format() {
        return String.valueOf(format);
    }

    /// The number of bytes of a value in a column. A boolean has a byte, unless the column stores bits.
    public int byteSize() {
        return byteSize;
    }

    /// Returns the type of the numbers of a primitive type in Java.
    public static NumberKind of(Class<?> carrier) {
        return switch (carrier.getName()) {
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
