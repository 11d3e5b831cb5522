package dev.arenakit.tool.image;

import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The images in a directory.
///
/// @param images  in the order of their names
/// @param unnamed the catalogs whose names are not text in the charset of this process; the other files of these images
///                have no path
public record ImageDirectory(List<ImageFileSet> images, List<Path> unnamed) {
    /// The reason why an image is missing, for use after the name of its catalog.
    public static final String NO_NAME = "its name is no text in " + System.getProperty("sun.jnu.encoding")
            + ": rename the files of the image, or set LC_ALL to an installed locale with the charset of the name";

    /// Finds the images in a directory.
    public static ImageDirectory of(Path directory) throws IOException {
        List<Path> unnamed = new ArrayList<>();
        return new ImageDirectory(List.copyOf(ImageFileSet.find(directory, "", unnamed::add).values()), unnamed);
    }

    /// Reports images that are missing from the list.
    ///
    /// @return whether no image is missing
    public boolean reportUnnamed(Streams streams) {
        unnamed.forEach(catalog -> streams.report(catalog + ": " + NO_NAME));
        return unnamed.isEmpty();
    }
}
