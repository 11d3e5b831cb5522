package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;

import dev.arenakit.tool.image.DataExtents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The bytes of an allocation that is compared, by their offsets in it.
///
/// @param file  the extents of the data file
/// @param start the offset of the allocation in the file
record ComparedRange(DataExtents file, long start) {
    /// The first offset with data that is not before another offset; greater than all offsets if there is none.
    long nextData(long at) throws IOException {
        return Math.max(at, file.start(start + at) - start);
    }

    /// The end of the extent that contains an offset or else follows it.
    long dataEnd(long at) throws IOException {
        return file.end(start + at) - start;
    }

    /// Reads bytes. Holes, and bytes beyond the end of the file, are zero.
    void read(long at, MemorySegment into) throws IOException {
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
        }, start + at, into.byteSize());
        into.asSlice(position[0]).fill((byte) 0);
    }

    /// Returns bytes as an array.
    byte[] bytes(long at, int count) throws IOException {
        byte[] bytes = new byte[count];
        read(at, MemorySegment.ofArray(bytes));
        return bytes;
    }
}
