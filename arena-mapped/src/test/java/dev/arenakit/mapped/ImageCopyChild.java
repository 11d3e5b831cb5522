package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Path;

/// Copies and repairs an image in a process whose system calls a test records.
final class ImageCopyChild {
    private ImageCopyChild() {}

    public static void main(String[] arguments) throws IOException {
        Path base = Path.of(arguments[0]);
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(base.resolveSibling("copy"));
        }
        ArenaImage.repair(base, base.resolveSibling("mended"), _ -> {
            // Nobody watches the progress.
        });
    }
}
