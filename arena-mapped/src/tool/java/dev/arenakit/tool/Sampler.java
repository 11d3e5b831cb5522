package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageOwner;

import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Looks at an image from time to time.
final class Sampler {
    private final ArenaImage image;
    private final DiskUses uses;
    private final Growth growth = new Growth();

    /// @param uses says so where it is not known what is on disk
    Sampler(ArenaImage image, DiskUses uses) {
        this.image = image;
        this.uses = uses;
    }

    /// What the image is now.
    ///
    /// @param most how many of the allocations that grow most are wanted
    Sample sample(int most) throws IOException {
        ImageState state = ImageState.of(image);
        long count = 0;
        long freed = 0;
        long byteSize = 0;
        OptionalLong stored = OptionalLong.of(0);
        Sample.Leaders leaders = new Sample.Leaders(most);
        try (AllocationUses parts = new AllocationUses(image, uses);
                Stream<Allocation> allocations = image.allocations()) {
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                Allocation allocation = each.next();
                OptionalLong use = parts.of(allocation).disk().storedByteSize();
                stored = ByteSizes.sum(stored, use);
                if (allocation.isLive()) {
                    count++;
                    byteSize = ByteSizes.sum(byteSize, allocation.byteSize());
                } else {
                    freed++;
                }
                lead(leaders, allocation, use.orElse(0));
            }
        }
        ImageOwner owner = state.owners().isEmpty()
                ? new ImageOwner(0, Instant.EPOCH, Instant.EPOCH, "", false)
                : state.owners().getLast();
        return new Sample(System.nanoTime(), state.word(), owner.pid(), owner.opened(), count, freed, byteSize,
                stored.orElse(-1), leaders.all());
    }

    private void lead(Sample.Leaders leaders, Allocation allocation, long stored) {
        long grown = growth.add(allocation.index(), stored);
        if (leaders.accepts(grown, stored)) {
            leaders.add(new Sample.Top(allocation.label(), TypeNames.of(image, allocation), allocation.byteSize(),
                    stored, grown));
        }
    }
}
