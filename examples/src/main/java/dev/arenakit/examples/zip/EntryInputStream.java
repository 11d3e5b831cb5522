package dev.arenakit.examples.zip;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The data of one entry as a stream, for one thread at a time.
final class EntryInputStream extends InputStream {
    private final InflationPool pool;
    private final Inflation inflation;
    private final EntryData data;
    private boolean closed;

    EntryInputStream(InflationPool pool, Inflation inflation, EntryData data) {
        this.pool = pool;
        this.inflation = inflation;
        this.data = data;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte @Nullable [] target, int offset, int length) throws IOException {
        Objects.requireNonNull(target, "target");
        ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
        if (closed) {
            throw new IOException("Stream is closed");
        }
        return data.read(buffer);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            pool.release(inflation);
        }
    }
}
