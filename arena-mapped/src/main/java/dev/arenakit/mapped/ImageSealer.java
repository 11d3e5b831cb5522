package dev.arenakit.mapped;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Seals allocations of an image that has no owner.
final class ImageSealer {
    private ImageSealer() {}

    /// Implements [ArenaImage#seal(Path, Predicate)].
    static long seal(Path base, Predicate<? super Allocation> which) throws IOException {
        // Check first: to reopen an image writes to it.
        try (ArenaImage image = ArenaImage.open(base)) {
            if (image.ownerState() == OwnerState.ALIVE) {
                throw OwnedImage.owned(base, ", or seal in it with InfiniteArena.seal");
            }
            return sealReopened(image, which);
        } catch (UncheckedIOException e) {
            // The message has more than that of the cause: what was to be done, and the remedy.
            throw new IOException(e.getMessage(), e);
        }
    }

    private static long sealReopened(ArenaImage image, Predicate<? super Allocation> which) throws IOException {
        TreeSet<Integer> files = new TreeSet<>();
        long count = 0;
        try (InfiniteArena arena = InfiniteArena.builder(image.base()).reopen();
                Stream<Allocation> allocations = image.allocations()) {
            Iterator<Allocation> each = allocations.filter(Allocation::isLive).filter(which).iterator();
            for (; each.hasNext(); count++) {
                Allocation allocation = each.next();
                arena.seal(allocation);
                allocation.parts().forEach(part -> files.add(part.file()));
            }
            for (int file : files) {
                SafeFiles.force(image.file(file));
            }
            arena.force();
        }
        return count;
    }
}
