package dev.arenakit.tool;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.SparseFile;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/// The bytes of an allocation, by their offsets in it.
///
/// @param file  where they stand
/// @param start where they begin there
record DataRange(File file, long start) {
    /// The offset at or behind another at which there is data, or more than any offset.
    long nextData(long at) throws IOException {
        return Math.max(at, file.data(start + at).start - start);
    }

    /// The end of the data that there is at or behind an offset.
    long dataEnd(long at) throws IOException {
        return file.data(start + at).end - start;
    }

    /// Reads bytes: zeros for holes, and behind the end.
    void read(long at, MemorySegment into) throws IOException {
        long[] position = {0};
        file.file.transferTo(new ExtentSource.Sink() {
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

    /// Bytes as an array.
    byte[] bytes(long at, int count) throws IOException {
        byte[] bytes = new byte[count];
        read(at, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /// Data between holes.
    private record Extent(long start, long end) {}

    /// A data file, of which the stretch of data that was asked for last is remembered: to find its end, some file systems look at all of
    /// it.
    static final class File implements Closeable {
        private final SparseFile file;
        private long holeStart;
        private Extent next = new Extent(0, 0);

        File(SparseFile file) {
            this.file = file;
        }

        private Extent data(long at) throws IOException {
            if (at < holeStart || at >= next.end) {
                OptionalLong data = file.nextData(at);
                holeStart = at;
                next = data.isEmpty()
                        ? new Extent(Long.MAX_VALUE, Long.MAX_VALUE)
                        : new Extent(data.getAsLong(), file.nextHole(data.getAsLong()).orElse(data.getAsLong() + 1));
            }
            return next;
        }

        long byteSize() throws IOException {
            return file.byteSize();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
