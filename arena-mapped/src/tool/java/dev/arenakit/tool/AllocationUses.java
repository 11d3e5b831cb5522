package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.SparseFile;
import dev.arenakit.tool.AllocationUse.State;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/// Asks what the allocations of an image take on disk. Files stay open for the allocations that follow, a few at a time.
final class AllocationUses implements Closeable {
    private final OpenFiles<DataFile> files;

    /// @param warnings says so where holes are not known
    AllocationUses(ArenaImage image, DiskUses warnings) {
        files = new OpenFiles<>(number -> DataFile.open(image.file(number), warnings));
    }

    /// What an allocation takes.
    AllocationUse of(Allocation allocation) throws IOException {
        if (allocation.byteSize() == 0) {
            return new AllocationUse(allocation.isLive() ? State.LIVE : State.FREED, DiskUse.NONE);
        }
        AllocationUse use = files.get(allocation.file()).use(allocation.byteOffset(), allocation.byteSize());
        return allocation.isLive() ? use : new AllocationUse(State.FREED, use.disk());
    }

    /// The file that an allocation is in, open until others are asked for; empty where it cannot be read, or there is none.
    Optional<SparseFile> file(Allocation allocation) throws IOException {
        return allocation.byteSize() == 0 ? Optional.empty() : files.get(allocation.file()).file();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
