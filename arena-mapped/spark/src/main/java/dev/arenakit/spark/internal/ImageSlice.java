package dev.arenakit.spark.internal;

import dev.arenakit.mapped.AllocationPart;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/// The structs of one image that a task reads, with all that an executor needs to read them: it opens no catalog.
///
/// @param files    the paths of the data files of the parts
/// @param parts    the file number, the offset and the size of each part
/// @param typeText the type of the structs, as the image records it
/// @param zeros    whether structs whose bytes are all zero are rows
record ImageSlice(String base, long pid, List<String> files, List<long[]> parts, String typeText, boolean zeros,
        List<RowRange> ranges) implements Serializable {
    static ImageSlice of(ImageAllocation image, boolean zeros, List<RowRange> ranges) {
        return new ImageSlice(image.base().toString(), image.pid(),
                image.files().stream().map(Path::toString).toList(),
                image.rows()
                        .parts()
                        .stream()
                        .map(part -> new long[]{part.file(), part.byteOffset(), part.byteSize()})
                        .toList(),
                image.typeText(), zeros, List.copyOf(ranges));
    }

    List<Path> paths() {
        return files.stream().map(Path::of).toList();
    }

    List<AllocationPart> allocationParts() {
        return parts.stream().map(part -> new AllocationPart((int) part[0], part[1], part[2])).toList();
    }

    long byteSize() {
        return parts.stream().mapToLong(part -> part[2]).sum();
    }
}
