package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the allocations of an image that a user has named, and reports those that there are not.
final class ChosenAllocations {
    private final Streams streams;
    private final ArenaImage image;
    private final Path base;
    private boolean failed;

    ChosenAllocations(Streams streams, ArenaImage image, Path base) {
        this.streams = streams;
        this.image = image;
        this.base = base;
    }

    /// Whether there was not one of them.
    boolean hasFailed() {
        return failed;
    }

    /// Those that there are.
    List<Allocation> find(List<String> names) throws IOException {
        List<Allocation> found = new ArrayList<>();
        for (String name : names) {
            Optional<Allocation> allocation = image.find(name);
            if (allocation.isPresent()) {
                found.add(allocation.get());
            } else {
                failed = true;
                streams.complain(base + ": no allocation " + name + "; arena ls lists those that there are");
            }
        }
        return found;
    }
}
