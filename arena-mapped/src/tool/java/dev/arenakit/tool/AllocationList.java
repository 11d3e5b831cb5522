package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.Progress.Task;

import java.io.IOException;
import java.util.Iterator;
import java.util.stream.Stream;

/// The allocations of an image, of which there may be any number: they are read twice, and none is kept.
final class AllocationList {
    /// Takes an allocation and what it takes on disk.
    @FunctionalInterface
    interface Consumer {
        void accept(Allocation allocation, AllocationUse use) throws IOException;
    }

    private final Streams streams;
    private final ArenaImage image;
    private final String name;
    private final DiskUses uses;
    /// How many there were when they were read first: a living owner may add some meanwhile.
    private long count = Long.MAX_VALUE;
    private long freed;
    private long damaged;
    private DiskUse live = DiskUse.NONE;
    private DiskUse all = DiskUse.NONE;

    /// @param name     of the image, for the progress
    /// @param uses asks for what files take
    AllocationList(Streams streams, ArenaImage image, String name, DiskUses uses) {
        this.streams = streams;
        this.image = image;
        this.name = name;
        this.uses = uses;
    }

    /// Reads all allocations for the first time, and sums them up.
    void measure(Consumer consumer) throws IOException {
        long[] read = {0};
        forEach((allocation, use) -> {
            read[0]++;
            all = all.plus(use.disk());
            if (allocation.isLive()) {
                live = live.plus(use.disk());
                damaged += use.state().isDamage() ? 1 : 0;
            } else {
                freed++;
            }
            consumer.accept(allocation, use);
        });
        count = read[0];
    }

    /// Reads the same allocations again.
    void forEach(Consumer consumer) throws IOException {
        try (Task task = streams.progress().start("reading " + name, "allocations");
                AllocationUses parts = new AllocationUses(image, uses);
                Stream<Allocation> allocations = image.allocations().limit(count)) {
            long read = 0;
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                Allocation allocation = each.next();
                consumer.accept(allocation, parts.of(allocation));
                task.at(++read);
            }
        }
    }

    /// How many there are.
    long count() {
        return count;
    }

    /// How many have been given back.
    long freed() {
        return freed;
    }

    /// How many have lost bytes.
    long damaged() {
        return damaged;
    }

    /// What those that have not been given back take.
    DiskUse live() {
        return live;
    }

    /// What the data files take. Where each holds an allocation and nothing else, all of them have been asked.
    DiskUse files(FoundImage found) {
        return image.isChunked() ? uses.of(found) : all;
    }
}
