package dev.arenakit.spark.internal;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/// Creates the readers of partitions, in executors.
///
/// @param imageColumn the name of the column of the image's path, or ""
/// @param pidColumn   the name of the column of the process id, or ""
record ImageReaderFactory(StructType columns, String allocation, String imageColumn, String pidColumn,
        String rowIdName, List<Filter> filters) implements PartitionReaderFactory {
    List<String> columnNames() {
        return List.of(columns.fieldNames());
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        throw new UnsupportedOperationException("Partitions are read as batches of columns");
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
        return new PartitionBatches(this, ((PartitionPlan.ImagePartition) partition).slices());
    }

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
        return true;
    }
}
