package dev.arenakit.spark.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/// The table of the same-named allocations of images.
final class SparkImageTable implements Table, SupportsRead {
    private final StructType schema;
    private final ReadOptions options;

    SparkImageTable(StructType schema, ReadOptions options) {
        this.schema = schema;
        this.options = options;
    }

    /// Reads the records of the allocations that exist now, at least one.
    static List<ImageAllocation> open(ReadOptions options) {
        try {
            List<ImageAllocation> images = new ArrayList<>();
            for (Path base : ImageBases.find(options.paths())) {
                images.add(ImageAllocation.open(base, options.allocation()));
            }
            return images;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return options.allocation() + " of " + String.join(", ", options.paths());
    }

    @Override
    @SuppressWarnings("deprecation") // The method that replaces it calls this one.
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        return new ImageScan(name(), schema, options);
    }
}
