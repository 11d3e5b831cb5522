package dev.arenakit.arrow.internal;

import dev.arenakit.arrow.internal.ArrowField.FieldDictionary;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ColumnTypes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Finds the columns that struct types have in Arrow, and their dictionaries.
public final class ArrowFields {
    /// The largest number of bytes of a row. The offsets in a batch are of type int.
    private static final long ROW_BYTES = 1L << 30;
    /// The largest number of bytes of a batch: it has fewer rows if these could need more.
    private static final long BATCH_BYTES = 1L << 26;

    private final List<ColumnType.Column> columns;
    private final Set<String> unused;
    private final Set<String> textDictionaries;
    private final List<FieldDictionary> dictionaries = new ArrayList<>();
    private final List<ArrowField> fields = new ArrayList<>();

    /// @param textDictionaries the paths of members whose texts are in dictionaries
    /// @throws IllegalArgumentException if the type has no columns, if a row could need too many bytes, or if no member
    ///                                  with text has one of the paths
    public ArrowFields(StructType type, Set<String> textDictionaries) {
        this.textDictionaries = textDictionaries;
        unused = new HashSet<>(textDictionaries);
        columns = new ColumnTypes(Integer.MAX_VALUE, Integer.MAX_VALUE, UnaryOperator.identity()).of(type);
        for (ColumnType.Column column : columns) {
            fields.add(field(column.name(), column.name(), column.type(), false, false));
        }
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("Type has no columns: struct=" + type.name());
        }
        if (rowBytes() > ROW_BYTES) {
            throw new IllegalArgumentException("Row is too large: struct=" + type.name() + ", byteSize=" + rowBytes()
                    + ", limit=" + ROW_BYTES);
        }
        if (!unused.isEmpty()) {
            throw new IllegalArgumentException("Struct has no such member with text: struct=" + type.name()
                    + ", members=" + String.join(", ", unused));
        }
    }

    /// The columns.
    public List<ArrowField> fields() {
        return fields;
    }

    /// The offsets of the columns' values in a struct.
    long[] byteOffsets() {
        return columns.stream().mapToLong(ColumnType.Column::byteOffset).toArray();
    }

    /// The largest number of bytes that a row can need.
    long rowBytes() {
        return ArrowField.mostBytes(fields);
    }

    /// The number of rows of a batch.
    ///
    /// @param limit the largest number
    public int batchRows(int limit) {
        return Math.clamp(BATCH_BYTES / rowBytes(), 1, limit);
    }

    /// The dictionaries, whose numbers are their indices.
    List<FieldDictionary> dictionaries() {
        return dictionaries;
    }

    /// @param isInArray whether the values have no dictionary: DuckDB reads 0 for a dictionary in a list of fixed size
    private ArrowField field(String name, String path, ColumnType type, boolean isNullable, boolean isInArray) {
        Optional<FieldDictionary> dictionary = Optional.empty();
        List<ArrowField> children = List.of();
        switch (type) {
            case ColumnType.Fixed _ -> {
            }
            case ColumnType.Text _ -> {
                if (textDictionaries.contains(path)) {
                    unused.remove(path);
                    dictionary = isInArray
                            ? Optional.empty()
                            : Optional.of(dictionary(Integer.BYTES, new TextDictionary()));
                }
            }
            case ColumnType.Constant constant -> dictionary = isInArray
                    ? Optional.empty()
                    : Optional.of(dictionary(
                            EnumBuffer.indexByteSize(constant.names().size()), TextDictionary.of(constant.names())));
            // Readers expect this name of the elements of a list.
            case ColumnType.Array array -> children = List.of(field("item", path, array.element(), isNullable, true));
            case ColumnType.Struct struct -> children = members(path, struct.members(), isNullable, isInArray);
            case ColumnType.Union union -> children = members(path, union.members(), true, isInArray);
        }
        return new ArrowField(name, type, isNullable, dictionary, children);
    }

    private List<ArrowField> members(String path, List<ColumnType.Column> members, boolean areNullable,
            boolean areInArray) {
        return members.stream()
                .map(member -> field(member.name(), path + "." + member.name(), member.type(), areNullable, areInArray))
                .toList();
    }

    private FieldDictionary dictionary(int indexByteSize, TextDictionary texts) {
        FieldDictionary dictionary = new FieldDictionary(dictionaries.size(), indexByteSize, texts);
        dictionaries.add(dictionary);
        return dictionary;
    }
}
