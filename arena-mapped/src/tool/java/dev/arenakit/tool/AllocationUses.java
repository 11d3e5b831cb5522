package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.SparseFile;
import dev.arenakit.tool.AllocationUse.State;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Asks what the allocations of an image take on disk. Files stay open for the allocations that follow, a few at a time.
final class AllocationUses implements Closeable {
    /// As many files as threads may well be cutting allocations out of at a time.
    private static final int OPEN_FILES = 16;

    private final ArenaImage image;
    private final DiskUses warnings;
    /// By their numbers, the one that was used last at the end.
    private final Map<Integer, DataFile> files = new LinkedHashMap<>(OPEN_FILES, 0.75f, true);

    /// @param warnings says so where holes are not known
    AllocationUses(ArenaImage image, DiskUses warnings) {
        this.image = image;
        this.warnings = warnings;
    }

    /// What an allocation takes.
    AllocationUse of(Allocation allocation) throws IOException {
        if (allocation.byteSize() == 0) {
            return new AllocationUse(allocation.isLive() ? State.LIVE : State.FREED, DiskUse.NONE);
        }
        AllocationUse use = file(allocation.file()).use(allocation.byteOffset(), allocation.byteSize());
        return allocation.isLive() ? use : new AllocationUse(State.FREED, use.disk());
    }

    /// The file that an allocation is in, open until others are asked for; empty where it cannot be read, or there is none.
    Optional<SparseFile> file(Allocation allocation) throws IOException {
        return allocation.byteSize() == 0 ? Optional.empty() : file(allocation.file()).file();
    }

    @Override
    public void close() throws IOException {
        for (DataFile file : files.values()) {
            file.close();
        }
    }

    private DataFile file(int number) throws IOException {
        DataFile open = files.get(number);
        if (open != null) {
            return open;
        }
        if (files.size() == OPEN_FILES) {
            Iterator<DataFile> eldest = files.values().iterator();
            eldest.next().close();
            eldest.remove();
        }
        DataFile file = DataFile.open(image.file(number), warnings);
        files.put(number, file);
        return file;
    }
}
