package dev.arenakit.spark.internal;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// The structs of one image that a task reads, with all that an executor needs to read them: it opens no catalog.
///
/// @param files    the paths of the data files of the parts
/// @param typeText the type of the structs, as the image records it
/// @param zeros    whether structs whose bytes are all zero are rows
record ImageSlice(String base, long pid, List<String> files, List<AllocationPart> parts, String typeText,
        boolean zeros, List<RowRange> ranges) implements Serializable {
    static ImageSlice of(ImageAllocation image, boolean zeros, List<RowRange> ranges) {
        return new ImageSlice(image.base().toString(), image.pid(), image.files().stream().map(Path::toString).toList(),
                List.copyOf(image.rows().parts()), image.typeText(), zeros, List.copyOf(ranges));
    }

    AllocationBytes open() throws IOException {
        return open(files.stream().map(Path::of).toList(), parts);
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
