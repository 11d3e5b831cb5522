package dev.arenakit.tool.du;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.util.Collection;

/// The form in which sizes are printed. The methods return whether all files could be read and no allocation has lost
/// bytes.
interface DuForm {
    /// Prints the sizes of images.
    boolean printImages(Collection<ImageFileSet> images) throws IOException;

    /// Prints the sizes of an image and its allocations.
    boolean printImage(ArenaImage image, ImageFileSet found) throws IOException;
}
