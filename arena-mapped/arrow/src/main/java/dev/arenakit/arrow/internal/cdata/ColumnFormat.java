package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;

/// The texts by which the C data interface names types.
public final class ColumnFormat {
    static final String STRUCT = "+s";
    static final String TEXT = "u";

    private ColumnFormat() {}

    static String of(ColumnType type) {
        if (ArrowColumns.dictionary(type).isPresent()) {
            return switch (ArrowColumns.indexByteSize(type)) {
                case Byte.BYTES -> of(NumberKind.INT8);
                case Short.BYTES -> of(NumberKind.INT16);
                default -> of(NumberKind.INT32);
            };
        }
        return switch (type) {
            case ColumnType.Fixed fixed -> of(fixed.kind());
            case ColumnType.Text _,ColumnType.Constant _ -> TEXT;
            case ColumnType.Array array -> array.isList() ? "+l" : "+w:" + array.length();
            case ColumnType.Struct _,ColumnType.Union _ -> STRUCT;
        };
    }

    public static String of(NumberKind kind) {
        return switch (kind) {
            case BOOLEAN -> "b";
            case INT8 -> "c";
            case UINT8 -> "C";
            case INT16 -> "s";
            case UINT16 -> "S";
            case INT32 -> "i";
            case UINT32 -> "I";
            case INT64 -> "l";
            case UINT64 -> "L";
            case FLOAT -> "f";
            case DOUBLE -> "g";
        };
    }
}
