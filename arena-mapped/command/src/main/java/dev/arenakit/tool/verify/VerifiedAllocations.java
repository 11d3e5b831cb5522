package dev.arenakit.tool.verify;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.image.AllocationSequence;
import java.io.IOException;

/// The allocations of an image, freed ones included.
///
/// @param count    the number of allocations
/// @param byteSize the sum of the sizes
/// @param sealed   the number of sealed live allocations
record VerifiedAllocations(long count, long byteSize, long sealed) {
    static VerifiedAllocations of(ArenaImage image) throws IOException {
        AllocationSequence allocations = new AllocationSequence(image);
        long[] byteSize = {0};
        long[] sealed = {0};
        allocations.forEach(allocation -> {
            byteSize[0] = ByteSizes.sum(byteSize[0], allocation.byteSize());
            sealed[0] += allocation.isLive() && image.seal(allocation).isPresent() ? 1 : 0;
        });
        return new VerifiedAllocations(allocations.count(), byteSize[0], sealed[0]);
    }
}
