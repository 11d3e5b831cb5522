package dev.arenakit.spark.internal;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/// Finds the tables of options.
public final class ImageProvider implements TableProvider {
    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        ReadOptions read = ReadOptions.of(options);
        return TableSchema.of(SparkImageTable.open(read), read);
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new SparkImageTable(schema, ReadOptions.of(new CaseInsensitiveStringMap(properties)));
    }
}
