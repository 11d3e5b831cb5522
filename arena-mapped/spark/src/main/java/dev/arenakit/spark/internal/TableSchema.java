package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.ColumnTypes;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.spark.internal.vector.SparkTypes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// The schema of the table of several images.
///
/// The columns have the order of the first image. Each image has the same columns with the same types; their places in
/// the struct may differ.
final class TableSchema {
    /// All arrays have the same type in Spark.
    private static final ColumnTypes TYPES = new ColumnTypes(Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE,
            name -> name.toLowerCase(Locale.ROOT));

    private TableSchema() {}

    /// @throws IllegalArgumentException if the images have different columns
    static StructType of(List<ImageAllocation> images, ReadOptions options) {
        List<StructField> fields = new ArrayList<>(fields(images.getFirst()).toList());
        options.imageColumn().ifPresent(name -> addColumn(fields, name, DataTypes.StringType));
        options.pidColumn().ifPresent(name -> addColumn(fields, name, DataTypes.LongType));
        StructType schema = DataTypes.createStructType(fields);
        check(images, schema, options);
        return schema;
    }

    static TableColumns columns(dev.arenakit.layout.type.StructType type) {
        return TableColumns.of(type, TYPES);
    }

    private static void addColumn(List<StructField> fields, String name, DataType type) {
        String key = name.toLowerCase(Locale.ROOT);
        if (fields.stream().anyMatch(field -> field.name().toLowerCase(Locale.ROOT).equals(key))) {
            throw new IllegalArgumentException("Table has a column of this name: name=" + name
                    + "; choose another name");
        }
        fields.add(DataTypes.createStructField(name, type, false));
    }

    /// Checks that the images have the columns of a table.
    ///
    /// @throws IllegalArgumentException if an image has other columns
    static void check(List<ImageAllocation> images, StructType schema, ReadOptions options) {
        Map<String, String> expected = types(Stream.of(schema.fields()));
        expected.keySet().removeAll(options.addedColumns());
        // Most images have the same type.
        Set<String> checked = new HashSet<>();
        for (ImageAllocation image : images) {
            if (checked.add(image.typeText())) {
                check(image, types(fields(image)), expected);
            }
        }
    }

    private static Stream<StructField> fields(ImageAllocation image) {
        TableColumns columns = columns(image.type());
        return Stream.concat(Stream.of(DataTypes.createStructField(columns.rowIdName(), DataTypes.LongType, false)),
                columns.columns().stream().map(column -> SparkTypes.field(column, false)));
    }

    /// The types of columns by their names.
    private static Map<String, String> types(Stream<StructField> fields) {
        return fields.collect(Collectors.toMap(StructField::name, field -> field.dataType().sql()));
    }

    private static void check(ImageAllocation image, Map<String, String> found, Map<String, String> expected) {
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(found.keySet());
        for (String name : names) {
            String type = found.getOrDefault(name, "none");
            String expectedType = expected.getOrDefault(name, "none");
            if (!type.equals(expectedType)) {
                throw new IllegalArgumentException("Image has other columns than the table: base=" + image.base()
                        + ", column=" + name + ", type=" + type + ", expected=" + expectedType
                        + "; load it as a table of its own");
            }
        }
    }
}
