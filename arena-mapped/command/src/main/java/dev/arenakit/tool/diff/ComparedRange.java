package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.tool.image.DataExtents;
import dev.arenakit.tool.image.OpenFileCache;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The bytes of a compared allocation, by their offsets in the allocation.
///
/// @param files the data files of the image
/// @param parts the parts of the allocation, at least one
record ComparedRange(OpenFileCache<ComparedImage.DataFile> files, List<AllocationPart> parts)
        implements
            ComparedBytes {
    /// The first offset with data, from a given offset on; greater than all offsets if only holes follow.
    long nextData(long at) throws IOException {
        return Math.max(at, extent(at, true));
    }

    /// The end of the extent that contains an offset, or else of the next extent. An extent ends with its file.
    long dataEnd(long at) throws IOException {
        return extent(at, false);
    }

    private long extent(long at, boolean isStart) throws IOException {
        long first = 0;
        for (int i = 0;; i++) {
            AllocationPart part = parts.get(i);
            boolean isLast = i == parts.size() - 1;
            if (isLast || at < first + part.byteSize()) {
                DataExtents file = files.get(part.file()).extents();
                long from = part.byteOffset() + Math.max(0, at - first);
                long start = file.start(from) - part.byteOffset();
                if (isLast || start < part.byteSize()) {
                    long end = file.end(from) - part.byteOffset();
                    return first + (isStart ? start : isLast ? end : Math.min(end, part.byteSize()));
                }
            }
            first += part.byteSize();
        }
    }

    @Override
    public void read(long at, MemorySegment into) throws IOException {
        long first = 0;
        long done = 0;
        for (int i = 0; i < parts.size() && done < into.byteSize(); i++) {
            AllocationPart part = parts.get(i);
            long skipped = at + done - first;
            if (i == parts.size() - 1 || skipped < part.byteSize()) {
                long byteSize = into.byteSize() - done;
                long here = i == parts.size() - 1 ? byteSize : Math.min(byteSize, part.byteSize() - skipped);
                read(part, skipped, into.asSlice(done, here));
                done += here;
            }
            first += part.byteSize();
        }
    }

    private void read(AllocationPart part, long at, MemorySegment into) throws IOException {
        ComparedImage.DataFile file = files.get(part.file());
        if (file.isAhead(part.byteSize()) && file.isAhead(into.byteSize())) {
            MemorySegment bytes = file.readAhead(part.byteOffset() + at, into.byteSize());
            MemorySegment.copy(bytes, 0, into, 0, bytes.byteSize());
            into.asSlice(bytes.byteSize()).fill((byte) 0);
            return;
        }
        long[] position = {0};
        file.file().transferTo(new ExtentSource.Sink() {
            @Override
            public void data(MemorySegment bytes) {
                MemorySegment.copy(bytes, 0, into, position[0], bytes.byteSize());
                position[0] += bytes.byteSize();
            }

            @Override
            public void zeros(long byteSize) {
                into.asSlice(position[0], byteSize).fill((byte) 0);
                position[0] += byteSize;
            }
        }, part.byteOffset() + at, into.byteSize());
        into.asSlice(position[0]).fill((byte) 0);
    }
}
