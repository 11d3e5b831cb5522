package dev.arenakit.spark.internal;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Finds the structs of an allocation that are not in holes.
final class WrittenRows {
    /// To read a smaller hole takes less time than to begin another read.
    private static final long SMALLEST_HOLE = 1 << 16;

    private WrittenRows() {}

    /// Returns the ranges in order, each with at least one struct.
    ///
    /// @param wanted    the structs that a query asks for
    /// @param withHoles whether structs in holes are rows
    static List<RowRange> find(ImageAllocation image, RowRange wanted, boolean withHoles) throws IOException {
        long byteSize = image.structByteSize();
        RowRange all = wanted.intersect(new RowRange(0, image.structCount(), false));
        if (image.columnRows() >= 0) {
            return all.count() > 0 ? List.of(all) : List.of();
        }
        List<RowRange> ranges = new ArrayList<>();
        try (AllocationBytes bytes = open(image.files(), image.rows().parts())) {
            long end = all.first();
            while (end < all.end()) {
                long data = bytes.nextData(end * byteSize);
                long first = Math.min(data / byteSize, all.end());
                if (withHoles && first > end) {
                    ranges.add(new RowRange(end, first, true));
                }
                if (first == all.end()) {
                    break;
                }
                end = Math.min(Math.ceilDiv(endOfData(bytes, data, all.end() * byteSize), byteSize), all.end());
                ranges.add(new RowRange(first, end, false));
            }
        }
        return ranges;
    }

    private static long endOfData(AllocationBytes bytes, long data, long limit) throws IOException {
        long hole = bytes.nextHole(data);
        while (hole < limit) {
            long next = bytes.nextData(hole);
            if (next >= limit || next - hole >= SMALLEST_HOLE) {
                break;
            }
            hole = bytes.nextHole(next);
        }
        return hole;
    }

    /// Opens data files, and checks that they are complete.
    static AllocationBytes open(List<Path> files, List<AllocationPart> parts) throws IOException {
        long expected = parts.stream().mapToLong(AllocationPart::byteSize).sum();
        AllocationBytes bytes;
        try {
            bytes = new AllocationBytes(files, parts);
        } catch (NoSuchFileException e) {
            throw new IOException("Data file is missing: " + ImageBases.describe(Path.of(e.getFile()))
                    + "; driver and executors read images at the same path", e);
        }
        if (bytes.byteSize() < expected) {
            bytes.close();
            throw new EOFException("Data file is truncated: " + ImageBases.describe(files.getLast()) + ", byteSize="
                    + bytes.byteSize() + ", expected=" + expected);
        }
        return bytes;
    }
}
