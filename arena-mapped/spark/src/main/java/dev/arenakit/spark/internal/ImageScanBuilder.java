package dev.arenakit.spark.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/// Collects the columns and the conditions of a query.
final class ImageScanBuilder implements SupportsPushDownRequiredColumns, SupportsPushDownV2Filters {
    private final String table;
    private final StructType schema;
    private final ReadOptions options;
    private StructType columns;
    private final List<Predicate> pushed = new ArrayList<>();
    private final List<RowCondition> conditions = new ArrayList<>();

    ImageScanBuilder(String table, StructType schema, ReadOptions options) {
        this.table = table;
        this.schema = schema;
        this.options = options;
        columns = schema;
    }

    @Override
    public void pruneColumns(StructType required) {
        // A nested struct is read as a whole: Spark asks for the values of the members that it uses.
        columns = DataTypes.createStructType(
                Stream.of(required.fieldNames()).map(name -> schema.fields()[schema.fieldIndex(name)]).toList());
    }

    @Override
    public Predicate[] pushPredicates(Predicate[] predicates) {
        PredicateTranslator translator = new PredicateTranslator(schema, options.addedColumns());
        List<Predicate> left = new ArrayList<>();
        for (Predicate predicate : predicates) {
            translator.translate(predicate).ifPresentOrElse(condition -> {
                conditions.add(condition);
                pushed.add(predicate);
            }, () -> left.add(predicate));
        }
        return left.toArray(Predicate[]::new);
    }

    @Override
    public Predicate[] pushedPredicates() {
        return pushed.toArray(Predicate[]::new);
    }

    @Override
    public Scan build() {
        return new ImageScan(table, schema, columns, options, List.copyOf(conditions), pushed.toString());
    }
}
