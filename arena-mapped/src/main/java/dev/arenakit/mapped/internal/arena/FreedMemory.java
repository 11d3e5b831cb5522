package dev.arenakit.mapped.internal.arena;

import dev.arenakit.internal.file.FileExtents;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.PageSize;
import java.io.IOException;

/// Frees the space of a range of a data file. Nothing is stored to a hole, which would then take space.
final class FreedMemory {
    /// Below this size, zeroing takes less time than a hole once the data has been written to the device.
    private static final long LEAST_HOLE = 1 << 20;

    private FreedMemory() {}

    /// Makes a range zero, and frees its blocks if it is large and they are not kept.
    static void free(FileIdentity file, SegmentLocator.Range range, boolean keepBlocks) {
        try (FileExtents extents = file.openExtents()) {
            long start = (range.byteOffset() + PageSize.BYTES - 1) & -PageSize.BYTES;
            long end = range.end() & -PageSize.BYTES;
            // Through the mapping, which leads to the file of the arena whatever its name is by now.
            if (!keepBlocks && range.byteSize() >= LEAST_HOLE
                    && MappedPages.remove(range.file().asSlice(start, end - start))) {
                zero(extents, range, range.byteOffset(), start);
                zero(extents, range, end, range.end());
            } else {
                zero(extents, range, range.byteOffset(), range.end());
            }
        } catch (IOException e) {
            throw FileErrors.free(file.path(), range.byteSize(), e);
        } catch (InternalError e) {
            throw FileErrors.store(file.path(), e);
        }
    }

    private static void zero(FileExtents extents, SegmentLocator.Range range, long start, long end) throws IOException {
        long at = start;
        while (at < end) {
            long data = extents.nextData(at);
            if (data < 0 || data >= end) {
                return;
            }
            long hole = extents.nextHole(data);
            at = hole < 0 ? end : Math.min(hole, end);
            range.file().asSlice(data, at - data).fill((byte) 0);
        }
    }
}
