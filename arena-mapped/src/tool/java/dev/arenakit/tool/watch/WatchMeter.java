package dev.arenakit.tool.watch;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.AllocationUsageMeter;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.image.UnknownHolesWarning;
import java.io.IOException;
import java.time.Instant;
import java.util.OptionalLong;

/// Measures the figures of an image again and again.
final class WatchMeter {
    private final ArenaImage image;
    private final UnknownHolesWarning warning;
    private final WatchGrowth growth = new WatchGrowth();

    /// @param warning is printed if the file system does not report holes
    WatchMeter(ArenaImage image, UnknownHolesWarning warning) {
        this.image = image;
        this.warning = warning;
    }

    /// Measures the current figures.
    ///
    /// @param topCount the number of top allocations
    WatchFigures measure(int topCount) throws IOException {
        ImageState state = ImageState.of(image);
        WatchTopAllocations top = new WatchTopAllocations(topCount);
        Sums sums = new Sums();
        try (AllocationUsageMeter meter = new AllocationUsageMeter(image, warning)) {
            new AllocationSequence(image).forEach(allocation -> {
                OptionalLong stored = meter.measure(allocation).disk().storedByteSize();
                sums.add(allocation, stored);
                addToTop(top, allocation, stored.orElse(0));
            });
        }
        OwnerRecord owner = state.owners().isEmpty()
                ? new OwnerRecord(0, Instant.EPOCH, Instant.EPOCH, "", false)
                : state.owners().getLast();
        return new WatchFigures(System.nanoTime(), state.word(), owner.pid(), owner.opened(), sums.count, sums.freed,
                sums.byteSize, sums.stored.orElse(-1), top.entries());
    }

    private void addToTop(WatchTopAllocations top, Allocation allocation, long stored) {
        long grown = growth.add(allocation.index(), stored);
        if (top.accepts(grown, stored)) {
            top.add(new WatchTopAllocations.Entry(allocation.label(), TypeNames.of(image, allocation),
                    allocation.byteSize(), stored, grown));
        }
    }

    private static final class Sums {
        private long count;
        private long freed;
        private long byteSize;
        private OptionalLong stored = OptionalLong.of(0);

        void add(Allocation allocation, OptionalLong storedByteSize) {
            stored = ByteSizes.sum(stored, storedByteSize);
            if (allocation.isLive()) {
                count++;
                byteSize = ByteSizes.sum(byteSize, allocation.byteSize());
            } else {
                freed++;
            }
        }
    }
}
