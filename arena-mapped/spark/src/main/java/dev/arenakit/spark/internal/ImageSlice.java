package dev.arenakit.spark.internal;

import dev.arenakit.mapped.AllocationPart;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The structs of one image that a task reads, with all that an executor needs to read them: it opens no catalog.
///
/// @param typeText the type of the structs, as the image records it
/// @param zeros    whether structs whose bytes are all zero are rows
record ImageSlice(String base, long pid, List<FilePart> parts, String typeText, boolean zeros, List<RowRange> ranges)
        implements
            Serializable {
    /// A part of the allocation in a data file.
    record FilePart(String path, int file, long byteOffset, long byteSize) implements Serializable {}

    static ImageSlice of(ImageAllocation image, boolean zeros, List<RowRange> ranges) {
        List<FilePart> parts = new ArrayList<>();
        List<Path> files = image.files();
        for (int i = 0; i < files.size(); i++) {
            AllocationPart part = image.rows().parts().get(i);
            parts.add(new FilePart(files.get(i).toString(), part.file(), part.byteOffset(), part.byteSize()));
        }
        return new ImageSlice(image.base().toString(), image.pid(), parts, image.typeText(), zeros,
                List.copyOf(ranges));
    }

    List<Path> files() {
        return parts.stream().map(part -> Path.of(part.path)).toList();
    }

    List<AllocationPart> allocationParts() {
        return parts.stream().map(part -> new AllocationPart(part.file, part.byteOffset, part.byteSize)).toList();
    }
}
