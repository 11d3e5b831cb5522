package dev.arenakit.internal.dump;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// The bytes of a stream. Bytes are skipped by reading, because [InputStream#skip] moves beyond the end of a file
/// without an error.
public record StreamExtentSource(InputStream stream) implements ExtentSource {
    private static final int BUFFER_SIZE = 1 << 16;

    @Override
    public long transferTo(Sink sink, long skip, long limit) throws IOException {
        byte[] buffer = new byte[BUFFER_SIZE];
        long skipped = 0;
        while (skipped < skip) {
            int read = stream.read(buffer, 0, (int) Math.min(BUFFER_SIZE, skip - skipped));
            if (read < 0) {
                return skipped;
            }
            skipped += read;
        }
        MemorySegment bytes = MemorySegment.ofArray(buffer);
        long left = limit;
        while (left > 0) {
            int read = stream.read(buffer, 0, (int) Math.min(BUFFER_SIZE, left));
            if (read < 0) {
                break;
            }
            if (read > 0) {
                sink.data(bytes.asSlice(0, read));
                left -= read;
            }
        }
        return skipped;
    }
}
