package dev.arenakit.spark.internal;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/// Reads the structs of a partition, image by image.
final class PartitionBatches implements PartitionReader<ColumnarBatch> {
    private final ImageReaderFactory query;
    private final Iterator<ImageSlice> slices;
    private @Nullable SliceReader reader;

    PartitionBatches(ImageReaderFactory query, List<ImageSlice> slices) {
        this.query = query;
        this.slices = slices.iterator();
    }

    @Override
    public boolean next() throws IOException {
        while (reader == null || !reader.next()) {
            close();
            if (!slices.hasNext()) {
                return false;
            }
            reader = new SliceReader(query, slices.next());
        }
        return true;
    }

    @Override
    public ColumnarBatch get() {
        return Objects.requireNonNull(reader, "no batch was read").batch();
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
