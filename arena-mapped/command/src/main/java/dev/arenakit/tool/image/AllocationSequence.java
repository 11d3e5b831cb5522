package dev.arenakit.tool.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.util.Spliterator;

/// The allocations of an image. An image can have any number of allocations, so each pass reads them from the catalog,
/// and none is kept in memory.
///
/// A running owner may add allocations between two passes. Later passes leave out the allocations that the first pass
/// has not seen.
public final class AllocationSequence {
    /// Accepts an allocation.
    @FunctionalInterface
    public interface Consumer {
        void accept(Allocation allocation) throws IOException;
    }

    private final ArenaImage image;
    private long count = Long.MAX_VALUE;

    public AllocationSequence(ArenaImage image) {
        this.image = image;
    }

    /// The number of allocations, freed ones included. The first pass determines it.
    public long count() {
        return count;
    }

    /// Reads all allocations, freed ones included.
    public void forEach(Consumer consumer) throws IOException {
        long read = 0;
        Spliterator<Allocation> allocations = image.allocations().spliterator();
        Allocation[] next = new Allocation[1];
        for (; read < count && allocations.tryAdvance(allocation -> next[0] = allocation); read++) {
            consumer.accept(next[0]);
        }
        count = read;
    }

    /// Reads the allocations that have not been freed.
    public void forEachLive(Consumer consumer) throws IOException {
        forEach(allocation -> {
            if (allocation.isLive()) {
                consumer.accept(allocation);
            }
        });
    }
}
