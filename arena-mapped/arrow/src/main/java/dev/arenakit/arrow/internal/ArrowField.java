package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.util.List;
import java.util.Optional;

/// A column of Arrow, or a column within a column.
///
/// @param isNullable whether a value can be null, because it is in a union
/// @param dictionary the dictionary if the values are indices of texts
/// @param children   the elements of an array, or the members of a struct or union
public record ArrowField(String name, ColumnType type, boolean isNullable, Optional<FieldDictionary> dictionary,
        List<ArrowField> children) {
    /// The largest number of code units of a text: see [dev.arenakit.mapped.internal.column.Utf8Text].
    private static final long LARGEST_TEXT = 1L << 24;

    /// A dictionary of a column.
    ///
    /// @param indexByteSize the size of an index, a signed integer
    public record FieldDictionary(long id, int indexByteSize, TextDictionary texts) {}

    /// The largest number of bytes that a value takes, with all values within it.
    long mostBytes() {
        return switch (type) {
            case ColumnType.Fixed fixed when fixed.kind() == NumberKind.BOOLEAN -> 1;
            case ColumnType.Fixed fixed -> fixed.kind().byteSize();
            case ColumnType.Text _ when dictionary.isPresent() -> Integer.BYTES;
            case ColumnType.Text text -> {
                long units = Math.min(LARGEST_TEXT, text.type().length());
                // A code unit of UTF-16 has at most 3 bytes in UTF-8.
                yield Integer.BYTES + (text.type().unitByteSize() == 1 ? units : 3 * units);
            }
            case ColumnType.Constant _ when dictionary.isPresent() -> Integer.BYTES;
            case ColumnType.Constant constant -> Integer.BYTES + EnumNameBuffer.mostBytes(constant);
            case ColumnType.Array array -> {
                long each = children.getFirst().mostBytes();
                yield array.length() > Long.MAX_VALUE / 2 / each
                        ? Long.MAX_VALUE / 2
                        : Integer.BYTES + array.length() * each;
            }
            case ColumnType.Struct _,ColumnType.Union _ -> mostBytes(children);
        };
    }

    /// The largest number of bytes of a row.
    static long mostBytes(List<ArrowField> fields) {
        long sum = 1;
        for (ArrowField field : fields) {
            long added = sum + field.mostBytes();
            sum = added < 0 ? Long.MAX_VALUE / 2 : Math.min(added, Long.MAX_VALUE / 2);
        }
        return sum;
    }

    /// Whether this column, or a column within it, has a dictionary of texts.
    boolean hasTextDictionary() {
        return (dictionary.isPresent() && type instanceof ColumnType.Text)
                || children.stream().anyMatch(ArrowField::hasTextDictionary);
    }
}
