package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// The schema of the table of several images.
///
/// The columns have the order of the first image. Each image has the same columns with the same types; their places in
/// the struct may differ.
final class TableSchema {
    private TableSchema() {}

    /// @throws IllegalArgumentException if the images have different columns
    static StructType of(List<ImageAllocation> images, ReadOptions options) {
        ImageAllocation first = images.getFirst();
        TableColumns columns = TableColumns.of(first.type());
        check(images, columns);
        List<StructField> fields = new ArrayList<>();
        fields.add(DataTypes.createStructField(columns.rowIdName(), DataTypes.LongType, false));
        columns.columns().forEach(column -> fields.add(SparkTypes.field(column, false)));
        options.imageColumn()
                .ifPresent(name -> addColumn(fields,
                        DataTypes.createStructField(name, DataTypes.StringType, false)));
        options.pidColumn()
                .ifPresent(name -> addColumn(fields,
                        DataTypes.createStructField(name, DataTypes.LongType, false)));
        return DataTypes.createStructType(fields);
    }

    private static void addColumn(List<StructField> fields, StructField added) {
        String key = added.name().toLowerCase(Locale.ROOT);
        if (fields.stream().anyMatch(field -> field.name().toLowerCase(Locale.ROOT).equals(key))) {
            throw new IllegalArgumentException("Table has a column of this name: name=" + added.name()
                    + "; choose another name");
        }
        fields.add(added);
    }

    private static void check(List<ImageAllocation> images, TableColumns first) {
        Map<String, String> expected = types(first);
        // Most images have the same type.
        Map<String, Boolean> checked = new HashMap<>();
        for (ImageAllocation image : images) {
            if (checked.putIfAbsent(image.typeText(), true) == null) {
                Map<String, String> found = types(TableColumns.of(image.type()));
                if (!found.equals(expected)) {
                    throw difference(images.getFirst(), image, expected, found);
                }
            }
        }
    }

    /// The types of the columns by their names, with the name of the column of the struct's index.
    private static Map<String, String> types(TableColumns columns) {
        Map<String, String> types = columns.columns()
                .stream()
                .collect(Collectors.toMap(ColumnType.Column::name, column -> SparkTypes.of(column.type()).sql()));
        types.put(columns.rowIdName(), DataTypes.LongType.sql());
        return types;
    }

    private static IllegalArgumentException difference(ImageAllocation first, ImageAllocation other,
            Map<String, String> expected, Map<String, String> found) {
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(found.keySet());
        String name = names.stream()
                .filter(each -> !expected.getOrDefault(each, "").equals(found.getOrDefault(each, "")))
                .findFirst()
                .orElseThrow();
        return new IllegalArgumentException("Images have different columns: column=" + name + ", base=" + first.base()
                + ", type=" + expected.getOrDefault(name, "none") + ", base=" + other.base() + ", type="
                + found.getOrDefault(name, "none") + "; load them as tables of their own");
    }
}
