package dev.arenakit.tool.ls;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.MeasuredAllocations;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

/// The form in which images are listed. The methods return whether all files could be read and no allocation has lost
/// bytes.
interface LsForm {
    /// Prints the images in a directory.
    boolean printImages(Collection<ImageFileSet> images) throws IOException;

    /// Prints an image and its allocations.
    boolean printImage(ArenaImage image, ImageFileSet found) throws IOException;

    /// The allocations of an image.
    ///
    /// @param order the order of the allocations; empty for the order of their numbers
    static MeasuredAllocations allocations(ArenaImage image, DiskUsage.Meter meter, Optional<LsOrder> order)
            throws IOException {
        MeasuredAllocations allocations = new MeasuredAllocations(image, meter);
        if (order.isPresent()) {
            allocations.sort(order.get()
                    .comparator(measured -> measured.allocation().label(), measured -> measured.usage().disk()));
        }
        return allocations;
    }
}
