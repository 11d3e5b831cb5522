package dev.arenakit.tool.serve;

import dev.arenakit.tool.image.ImageDirectory;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The images that are served, by their names. The name of an image is the last name of its base.
///
/// @param targets bases of images, and directories, each for the images that it has at the time of a request
record ServeImages(List<Path> targets) {
    /// Finds the bases of all images. If two images have the same name, the first one has it.
    Map<String, Path> bases() throws IOException {
        Map<String, Path> bases = new LinkedHashMap<>();
        for (Path target : targets) {
            for (Path base : bases(target)) {
                bases.putIfAbsent(name(base), base);
            }
        }
        return bases;
    }

    /// The bases of the images that a target stands for.
    static List<Path> bases(Path target) throws IOException {
        return Files.isDirectory(target)
                ? ImageDirectory.of(target)
                        .images()
                        .stream()
                        .filter(ImageFileSet::hasCatalog)
                        .map(ImageFileSet::base)
                        .toList()
                : List.of(ImageFileSet.baseOf(target));
    }

    static String name(Path base) {
        return String.valueOf(base.getFileName());
    }
}
