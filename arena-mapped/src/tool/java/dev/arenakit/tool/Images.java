package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Opens images by what a user has typed.
final class Images {
    private Images() {}

    /// What is missing of an allocation, whose bytes then end early: nothing for a sound one.
    ///
    /// @return what is wrong, for use behind its label, or nothing
    static Optional<String> lost(ArenaImage image, Allocation allocation) throws IOException {
        if (allocation.file() < 0) {
            return Optional.empty();
        }
        Path file = image.file(allocation.file());
        long left = Math.max(0, Files.size(file) - allocation.byteOffset());
        return left >= allocation.byteSize()
                ? Optional.empty()
                : Optional
                        .of("file " + file + " is truncated: of " + allocation.byteSize() + " bytes there are " + left);
    }

    /// Opens an image that has a catalog.
    ///
    /// @param base of the image, or its catalog
    /// @throws IOException that says what there is instead, for use behind the base
    static ArenaImage open(Path base) throws IOException {
        Path meant = FoundImage.baseOf(base);
        try {
            return ArenaImage.open(meant);
        } catch (NoSuchFileException e) {
            FoundImage found = FoundImage.of(meant);
            if (!found.numbers().isEmpty()) {
                throw new IOException("no catalog, only data files: arena ls lists them, arena hexdump prints one", e);
            }
            throw new IOException("no such image", e);
        }
    }
}
