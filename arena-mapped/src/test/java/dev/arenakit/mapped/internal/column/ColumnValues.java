package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.buffer.ColumnBuffer;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Reads columns as Java objects, the way the specification of Arrow reads them.
record ColumnValues(ColumnType type, ColumnBuffer column, long length) {
    /// Copies structs to columns, and returns the values of each struct.
    static List<List<@Nullable Object>> of(ColumnTypes types, StructType type, MemorySegment structs) {
        List<ColumnType.Column> columns = types.of(type);
        long count = structs.byteSize() / type.byteSize();
        StructColumns batch = new StructColumns(columns, type.byteSize(),
                (byteSize, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]));
        batch.begin();
        batch.write(structs, 0, type.byteSize(), count, 0);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (long row = 0; row < count; row++) {
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                values.add(new ColumnValues(columns.get(i).type(), batch.buffer(i), count).get(row));
            }
            rows.add(values);
        }
        return rows;
    }

    private MemorySegment buffer(int index) {
        return column.buffers(length).get(index);
    }

    private @Nullable Object get(long index) {
        if (column.nullCount(length) > 0 && !bit(buffer(0), index)) {
            return null;
        }
        return switch (type) {
            case ColumnType.Fixed fixed when fixed.isBit() -> bit(buffer(1), index);
            case ColumnType.Fixed fixed -> number(fixed.kind(), buffer(1), index * fixed.kind().byteSize());
            case ColumnType.Text text when text.dictionary().isPresent() -> throw new IllegalArgumentException();
            case ColumnType.Text text when text.isView() -> view(16 * index);
            case ColumnType.Text _ -> text(index);
            case ColumnType.Constant constant when constant.indexByteSize() == 0 -> text(index);
            case ColumnType.Constant constant -> constant.names().get(name(constant.indexByteSize(), index));
            case ColumnType.Array array when array.isList() -> elements(array, offset(index), offset(index + 1));
            case ColumnType.Array array -> elements(array, index * array.length(), (index + 1) * array.length());
            case ColumnType.Struct struct -> members(struct.members(), index);
            case ColumnType.Union union -> members(union.members(), index);
        };
    }

    private static boolean bit(MemorySegment bits, long index) {
        return ((bits.get(JAVA_BYTE, index / 8) >> (index % 8)) & 1) == 1;
    }

    private static Object number(NumberKind kind, MemorySegment at, long offset) {
        return switch (kind) {
            case BOOLEAN -> switch (at.get(JAVA_BYTE, offset)) {
                case 0 -> false;
                case 1 -> true;
                default -> throw new IllegalArgumentException();
            };
            case INT8 -> (long) at.get(JAVA_BYTE, offset);
            case INT16 -> (long) at.get(JAVA_SHORT_UNALIGNED, offset);
            case INT32 -> (long) at.get(JAVA_INT_UNALIGNED, offset);
            case INT64 -> at.get(JAVA_LONG_UNALIGNED, offset);
            case UINT8 -> Byte.toUnsignedLong(at.get(JAVA_BYTE, offset));
            case UINT16 -> Short.toUnsignedLong(at.get(JAVA_SHORT_UNALIGNED, offset));
            case UINT32 -> Integer.toUnsignedLong(at.get(JAVA_INT_UNALIGNED, offset));
            case UINT64 -> unsigned(at.get(JAVA_LONG_UNALIGNED, offset));
            case FLOAT -> at.get(JAVA_FLOAT_UNALIGNED, offset);
            case DOUBLE -> at.get(JAVA_DOUBLE_UNALIGNED, offset);
        };
    }

    static Object unsigned(long value) {
        return value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value));
    }

    private int name(int byteSize, long index) {
        return switch (byteSize) {
            case 1 -> Byte.toUnsignedInt(buffer(1).get(JAVA_BYTE, index));
            case 2 -> Short.toUnsignedInt(buffer(1).get(JAVA_SHORT_UNALIGNED, 2 * index));
            default -> buffer(1).get(JAVA_INT_UNALIGNED, 4 * index);
        };
    }

    private int offset(long index) {
        return buffer(1).get(JAVA_INT_UNALIGNED, 4 * index);
    }

    private String text(long index) {
        return string(buffer(2), offset(index), offset(index + 1) - offset(index));
    }

    private String view(long at) {
        int byteSize = buffer(1).get(JAVA_INT_UNALIGNED, at);
        if (byteSize > 12) {
            int offset = buffer(1).get(JAVA_INT_UNALIGNED, at + 12);
            String text = string(buffer(2), offset, byteSize);
            if (buffer(1).asSlice(at + 4, 4).mismatch(buffer(2).asSlice(offset, 4)) != -1) {
                throw new IllegalArgumentException("Prefix differs: text=" + text);
            }
            return text;
        }
        for (int i = byteSize; i < 12; i++) {
            if (buffer(1).get(JAVA_BYTE, at + 4 + i) != 0) {
                throw new IllegalArgumentException("No zeros follow: byteSize=" + byteSize);
            }
        }
        return string(buffer(1), at + 4, byteSize);
    }

    private static String string(MemorySegment bytes, long offset, long byteSize) {
        return new String(bytes.asSlice(offset, byteSize).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private List<@Nullable Object> elements(ColumnType.Array array, long from, long to) {
        ColumnValues elements = new ColumnValues(array.element(), column.child(0), column.childLength(length));
        List<@Nullable Object> values = new ArrayList<>();
        for (long i = from; i < to; i++) {
            values.add(elements.get(i));
        }
        return values;
    }

    private Map<String, @Nullable Object> members(List<ColumnType.Column> members, long index) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (int i = 0; i < members.size(); i++) {
            values.put(members.get(i).name(),
                    new ColumnValues(members.get(i).type(), column.child(i), column.childLength(length)).get(index));
        }
        return values;
    }
}
