package dev.arenakit.tool.watch;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.AllocationUsage;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;

/// Measures the figures of an image again and again.
final class WatchMeter {
    private final ArenaImage image;
    private final DiskUsage.Meter files;
    private final Growth growth = new Growth();

    /// @param files reports files that cannot be read
    WatchMeter(ArenaImage image, DiskUsage.Meter files) {
        this.image = image;
        this.files = files;
    }

    /// Measures the current figures.
    ///
    /// @param topCount the number of top allocations
    WatchFigures measure(int topCount) throws IOException {
        ImageState state = ImageState.of(image);
        WatchFigures.TopAllocations top = new WatchFigures.TopAllocations(topCount);
        Sums sums = new Sums();
        try (AllocationUsage.Meter meter = new AllocationUsage.Meter(image, files.warning())) {
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

    private void addToTop(WatchFigures.TopAllocations top, Allocation allocation, long written) {
        long grown = growth.add(allocation.number(), written);
        if (top.accepts(grown, written)) {
            top.add(new WatchFigures.TopAllocations.Entry(allocation.label(), TypeNames.of(image, allocation),
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

    /// The growth of allocations. It stores the written size of each allocation by its number.
    private static final class Growth {
        /// The number of allocations whose sizes are stored. The sizes take 16 MiB of memory.
        private static final int CAPACITY = 1 << 21;

        private long[] sizes = new long[1 << 10];
        private int count;

        /// Stores the current size of an allocation.
        ///
        /// @return the difference from the stored size; for a new allocation, the size itself
        long add(long number, long written) {
            if (number >= CAPACITY) {
                return 0;
            }
            int i = (int) number;
            if (i >= sizes.length) {
                sizes = Arrays.copyOf(sizes, Math.min(CAPACITY, Math.max(i + 1, 2 * sizes.length)));
            }
            long before = i < count ? sizes[i] : 0;
            sizes[i] = written;
            count = Math.max(count, i + 1);
            return written - before;
        }
    }
}
