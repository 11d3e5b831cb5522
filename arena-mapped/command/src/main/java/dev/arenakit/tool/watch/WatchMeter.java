package dev.arenakit.tool.watch;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.AllocationUsageMeter;
import dev.arenakit.tool.image.DiskUsageMeter;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.time.Instant;

/// Measures the figures of an image again and again.
final class WatchMeter {
    private final ArenaImage image;
    private final DiskUsageMeter files;
    private final WatchGrowth growth = new WatchGrowth();

    /// @param files reports files that cannot be read
    WatchMeter(ArenaImage image, DiskUsageMeter files) {
        this.image = image;
        this.files = files;
    }

    /// Measures the current figures.
    ///
    /// @param topCount the number of top allocations
    WatchFigures measure(int topCount) throws IOException {
        ImageState state = ImageState.of(image);
        WatchTopAllocations top = new WatchTopAllocations(topCount);
        Sums sums = new Sums();
        try (AllocationUsageMeter meter = new AllocationUsageMeter(image, files.warning())) {
            new AllocationSequence(image).forEach(allocation -> {
                sums.add(allocation);
                addToTop(top, allocation, meter.measure(allocation).disk().storedByteSize().orElse(0));
            });
        }
        OwnerRecord owner = state.owners().isEmpty()
                ? new OwnerRecord(0, Instant.EPOCH, Instant.EPOCH, "", false)
                : state.owners().getLast();
        return new WatchFigures(System.nanoTime(), state.word(), owner.pid(), owner.opened(), sums.count, sums.freed,
                sums.byteSize, files.onDisk(ImageFileSet.of(image.base())).orElse(-1), top.entries());
    }

    private void addToTop(WatchTopAllocations top, Allocation allocation, long written) {
        long grown = growth.add(allocation.number(), written);
        if (top.accepts(grown, written)) {
            top.add(new WatchTopAllocations.Entry(allocation.label(), TypeNames.of(image, allocation),
                    allocation.byteSize(), written, grown));
        }
    }

    private static final class Sums {
        private long count;
        private long freed;
        private long byteSize;

        void add(Allocation allocation) {
            if (allocation.isLive()) {
                count++;
                byteSize = ByteSizes.sum(byteSize, allocation.byteSize());
            } else {
                freed++;
            }
        }
    }
}
