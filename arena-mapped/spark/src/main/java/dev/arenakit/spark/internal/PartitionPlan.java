package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.RowRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/// Divides the structs of images into partitions of about the same number of bytes.
final class PartitionPlan {
    /// To open an image takes as much time as to read so many bytes.
    private static final long OPEN_BYTES = 1 << 20;
    /// The least number of images in a partition, if all are small.
    private static final int SMALL_IMAGES = 16;
    /// A row in a hole takes time, but no read.
    private static final long HOLE_ROW_BYTES = 1;

    private final long partitionBytes;
    private final long openBytes;
    private final List<ImagePartition> partitions = new ArrayList<>();
    private List<ImageSlice> slices = new ArrayList<>();
    private long bytes;

    /// The structs that one task reads.
    record ImagePartition(List<ImageSlice> slices) implements InputPartition {}

    PartitionPlan(long partitionBytes) {
        this.partitionBytes = partitionBytes;
        openBytes = Math.min(OPEN_BYTES, partitionBytes / SMALL_IMAGES);
    }

    /// Adds the structs of an image.
    ///
    /// @param zeros whether structs whose bytes are all zero are rows
    void add(ImageAllocation image, boolean zeros, List<RowRange> ranges) {
        List<RowRange> taken = new ArrayList<>();
        if (bytes + openBytes >= partitionBytes) {
            finish();
        }
        bytes += openBytes;
        for (RowRange range : ranges) {
            long rowBytes = range.isHole() ? HOLE_ROW_BYTES : image.structByteSize();
            for (RowRange left = range; left.count() > 0;) {
                RowRange part = left.first(Math.max(1, (partitionBytes - bytes) / rowBytes));
                taken.add(part);
                bytes += part.count() * rowBytes;
                left = left.after(part);
                if (bytes >= partitionBytes) {
                    slices.add(ImageSlice.of(image, zeros, taken));
                    taken.clear();
                    finish();
                }
            }
        }
        if (!taken.isEmpty()) {
            slices.add(ImageSlice.of(image, zeros, taken));
        }
    }

    private void finish() {
        if (!slices.isEmpty()) {
            partitions.add(new ImagePartition(List.copyOf(slices)));
        }
        slices = new ArrayList<>();
        bytes = 0;
    }

    List<ImagePartition> partitions() {
        finish();
        return partitions;
    }
}
