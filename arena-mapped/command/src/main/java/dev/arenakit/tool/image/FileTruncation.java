package dev.arenakit.tool.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Recognises data files that end before the end of an allocation.
public final class FileTruncation {
    private FileTruncation() {}

    /// The number of bytes of an allocation that a file of a given size contains.
    public static long remaining(long byteOffset, long byteSize, long fileByteSize) {
        return Math.clamp(fileByteSize - byteOffset, 0, byteSize);
    }

    /// A message for use after the label of the allocation, or empty if the file contains all of the allocation.
    public static Optional<String> message(Path file, long byteOffset, long byteSize, long fileByteSize) {
        long remaining = remaining(byteOffset, byteSize, fileByteSize);
        return remaining == byteSize
                ? Optional.empty()
                : Optional.of("file " + file + " is truncated: " + remaining + " of " + byteSize + " bytes are left");
    }

    /// A message for an allocation of an image, by the current sizes of its files.
    public static Optional<String> message(ArenaImage image, Allocation allocation) throws IOException {
        for (AllocationPart part : allocation.parts()) {
            Path file = image.file(part.file());
            Optional<String> message = message(file, part.byteOffset(), part.byteSize(), Files.size(file));
            if (message.isPresent()) {
                return message;
            }
        }
        return Optional.empty();
    }
}
