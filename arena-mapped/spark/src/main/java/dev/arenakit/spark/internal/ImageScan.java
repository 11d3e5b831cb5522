package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.RowRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// A query of a table: its columns and filters, and its plan. The numbers of structs and the holes are found once, when
/// Spark first asks for the size or the partitions.
final class ImageScan
        implements
            SupportsPushDownRequiredColumns,
            SupportsPushDownFilters,
            SupportsReportStatistics,
            Batch {
    /// A smaller partition is not worth a task.
    private static final long SMALLEST_PARTITION = 4 << 20;

    private final String table;
    private final StructType schema;
    private final ReadOptions options;
    private StructType columns;
    private List<Filter> pushed = List.of();
    private @Nullable List<PlannedImage> planned;

    /// An image, and its structs that the query asks for.
    private record PlannedImage(ImageAllocation image, boolean zeros, List<RowRange> ranges) {
        long writtenBytes() {
            return ranges.stream().filter(range -> !range.isHole()).mapToLong(RowRange::count).sum()
                    * image.structByteSize();
        }
    }

    /// The size that Spark plans with.
    record Size(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {}

    ImageScan(String table, StructType schema, ReadOptions options) {
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
    public Filter[] pushFilters(Filter[] filters) {
        StructType stored = DataTypes.createStructType(Stream.of(schema.fields())
                .filter(field -> !options.addedColumns().contains(field.name()))
                .toList());
        Map<Boolean, List<Filter>> divided = Stream.of(filters)
                .collect(Collectors.partitioningBy(filter -> RowFilters.isSupported(filter, stored)));
        pushed = divided.getOrDefault(true, List.of());
        return divided.getOrDefault(false, List.of()).toArray(Filter[]::new);
    }

    @Override
    public Filter[] pushedFilters() {
        return pushed.toArray(Filter[]::new);
    }

    @Override
    public Scan build() {
        return this;
    }

    private synchronized List<PlannedImage> planned() {
        List<PlannedImage> known = planned;
        if (known == null) {
            known = plan();
            planned = known;
        }
        return known;
    }

    private List<PlannedImage> plan() {
        List<ImageAllocation> images = SparkImageTable.open(options);
        // Images may have been added or replaced since the table was loaded.
        TableSchema.check(images, schema, options);
        RowRange wanted = pushed.stream()
                .map(filter -> RowFilters.rows(filter, rowIdName()))
                .reduce(RowRange.ALL, RowRange::intersect);
        List<PlannedImage> plan = new ArrayList<>();
        try {
            for (ImageAllocation image : images) {
                boolean zeros = options.zeros() || image.rows().isCounted();
                plan.add(new PlannedImage(image, zeros, image.ranges(wanted, zeros)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return plan;
    }

    private String rowIdName() {
        return schema.fieldNames()[0];
    }

    @Override
    public StructType readSchema() {
        return columns;
    }

    @Override
    public String description() {
        return "arenakit " + table + ", filters: " + pushed;
    }

    @Override
    public ColumnarSupportMode columnarSupportMode() {
        return ColumnarSupportMode.SUPPORTED;
    }

    @Override
    public Statistics estimateStatistics() {
        // Structs whose bytes are all zero may be no rows.
        return new Size(OptionalLong.of(writtenBytes()), OptionalLong.empty());
    }

    private long writtenBytes() {
        return planned().stream().mapToLong(PlannedImage::writtenBytes).sum();
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
        long share = writtenBytes() / SparkContext.getOrCreate().defaultParallelism();
        PartitionPlan plan = new PartitionPlan(
                Math.min(options.partitionBytes(), Math.max(SMALLEST_PARTITION, share)));
        planned().forEach(image -> plan.add(image.image, image.zeros, image.ranges));
        return plan.partitions().toArray(InputPartition[]::new);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new ImageReaderFactory(columns, options.allocation(), options.imageColumn().orElse(""),
                options.pidColumn().orElse(""), rowIdName(), pushed);
    }
}
