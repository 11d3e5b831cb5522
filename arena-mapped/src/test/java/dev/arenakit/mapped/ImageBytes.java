package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Reads longs from a source.
final class ImageBytes {
    private ImageBytes() {}

    /// The complete longs in a range. They are fewer if the source ends early.
    static List<Long> of(ExtentSource source, long skip, int byteSize) throws IOException {
        byte[] bytes = new byte[byteSize];
        int[] end = {0};
        source.transferTo(new ExtentSource.Sink() {
            @Override
            public void data(MemorySegment data) {
                MemorySegment.copy(data, 0, MemorySegment.ofArray(bytes), end[0], data.byteSize());
                end[0] += (int) data.byteSize();
            }

            @Override
            public void zeros(long zeros) {
                end[0] += (int) zeros;
            }
        }, skip, byteSize);
        List<Long> longs = new ArrayList<>();
        for (int at = 0; at + Long.BYTES <= end[0]; at += Long.BYTES) {
            longs.add(MemorySegment.ofArray(bytes).get(JAVA_LONG_UNALIGNED, at));
        }
        return longs;
    }
}
