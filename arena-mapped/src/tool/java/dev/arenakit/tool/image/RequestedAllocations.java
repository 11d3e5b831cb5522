package dev.arenakit.tool.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the allocations of an image that the user has named. Names that do not exist are reported.
public final class RequestedAllocations {
    private final Streams streams;
    private final ArenaImage image;
    private final Path base;
    private boolean failed;

    public RequestedAllocations(Streams streams, ArenaImage image, Path base) {
        this.streams = streams;
        this.image = image;
        this.base = base;
    }

    /// Finds allocations by name, or by number as `#7`.
    ///
    /// @return the allocations that exist
    public List<Allocation> find(List<String> names) throws IOException {
        List<Allocation> found = new ArrayList<>();
        for (String name : names) {
            Optional<Allocation> allocation = image.find(name);
            if (allocation.isPresent()) {
                found.add(allocation.get());
            } else {
                failed = true;
                streams.report(base + ": no allocation named " + name + " (try arena ls)");
            }
        }
        return found;
    }

    /// Whether a name did not exist.
    public boolean hasFailed() {
        return failed;
    }
}
