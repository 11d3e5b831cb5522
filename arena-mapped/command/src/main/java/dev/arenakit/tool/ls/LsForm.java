package dev.arenakit.tool.ls;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.util.Collection;

/// The form in which images are listed. The methods return whether all files could be read and no allocation has lost
/// bytes.
interface LsForm {
    /// Prints the images in a directory.
    boolean printImages(Collection<ImageFileSet> images) throws IOException;

    /// Prints an image and its allocations.
    boolean printImage(ArenaImage image, ImageFileSet found) throws IOException;

    /// Prints the data files of an image without a catalog.
    boolean printFiles(ImageFileSet image) throws IOException;
}
