package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Seals allocations of an image that an arena has reopened, and writes them to the device.
public final class ImageSealer {
    private ImageSealer() {}

    /// Seals allocations.
    ///
    /// @param base        the base of the image
    /// @param allocations the allocations, which are read while they are sealed
    /// @param seal        seals an allocation
    /// @param force       writes the image to the device
    /// @return the number of allocations
    public static long seal(Path base, Stream<Allocation> allocations, Consumer<Allocation> seal, Runnable force)
            throws IOException {
        TreeSet<Integer> files = new TreeSet<>();
        long count = 0;
        for (Iterator<Allocation> each = allocations.iterator(); each.hasNext(); count++) {
            Allocation allocation = each.next();
            seal.accept(allocation);
            allocation.parts().forEach(part -> files.add(part.file()));
        }
        for (int file : files) {
            SafeFiles.force(ImagePaths.data(base, file));
        }
        force.run();
        return count;
    }
}
