package dev.arenakit.tool.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The allocations of an image with their sizes, and the sums of the sizes. Each pass measures the allocations again,
/// and none is kept in memory, unless they are sorted.
public final class MeasuredAllocations {
    /// Accepts an allocation and its sizes.
    @FunctionalInterface
    public interface Consumer {
        void accept(Allocation allocation, AllocationUsage usage) throws IOException;
    }

    /// Accepts an allocation, its sizes, and its data file.
    @FunctionalInterface
    public interface FileConsumer {
        void accept(Allocation allocation, AllocationUsage usage, AllocationUsage.Meter files) throws IOException;
    }

    /// An allocation and its sizes.
    public record Measured(Allocation allocation, AllocationUsage usage) {}

    private final ArenaImage image;
    private final DiskUsage.Meter meter;
    private final AllocationSequence allocations;
    private @Nullable List<Measured> sorted;
    private long freed;
    private long damaged;
    private DiskUsage live = DiskUsage.NONE;

    public MeasuredAllocations(ArenaImage image, DiskUsage.Meter meter) {
        this.image = image;
        this.meter = meter;
        allocations = new AllocationSequence(image);
    }

    /// Sorts the allocations, and keeps all of them in memory for the passes.
    public void sort(Comparator<Measured> order) throws IOException {
        List<Measured> all = new ArrayList<>();
        forEach((allocation, usage) -> all.add(new Measured(allocation, usage)));
        all.sort(order);
        sorted = all;
    }

    /// Reads all allocations for the first time, and sums them up.
    public void measure(Consumer consumer) throws IOException {
        forEach((allocation, usage) -> {
            if (allocation.isLive()) {
                live = live.plus(usage.disk());
                damaged += usage.state().isDamage() ? 1 : 0;
            } else {
                freed++;
            }
            consumer.accept(allocation, usage);
        });
    }

    /// Reads the same allocations again.
    public void forEach(Consumer consumer) throws IOException {
        if (sorted == null) {
            forEach((allocation, usage, _) -> consumer.accept(allocation, usage));
            return;
        }
        for (Measured measured : sorted) {
            consumer.accept(measured.allocation(), measured.usage());
        }
    }

    /// Reads the same allocations again, and gives access to their data files.
    public void forEach(FileConsumer consumer) throws IOException {
        try (AllocationUsage.Meter files = new AllocationUsage.Meter(image, meter.warning())) {
            allocations.forEach(allocation -> consumer.accept(allocation, files.measure(allocation), files));
        }
    }

    /// The number of allocations, freed ones included.
    public long count() {
        return allocations.count();
    }

    /// The number of freed allocations.
    public long freed() {
        return freed;
    }

    /// The number of allocations that have lost bytes.
    public long damaged() {
        return damaged;
    }

    /// The sum of the live allocations.
    public DiskUsage live() {
        return live;
    }
}
