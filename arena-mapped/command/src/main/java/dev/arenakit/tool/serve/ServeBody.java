package dev.arenakit.tool.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.stream.LongStream;

/// The body of a reply. The buffers of a call are a chunk, and are not copied.
final class ServeBody implements GatheringByteChannel {
    private final ServeConnection connection;

    ServeBody(ServeConnection connection) {
        this.connection = connection;
    }

    @Override
    public long write(ByteBuffer[] buffers, int from, int count) throws IOException {
        long byteSize = LongStream.range(from, from + (long) count).map(i -> buffers[(int) i].remaining()).sum();
        connection.writeChunk(buffers, from, count);
        return byteSize;
    }

    @Override
    public long write(ByteBuffer[] buffers) throws IOException {
        return write(buffers, 0, buffers.length);
    }

    @Override
    public int write(ByteBuffer buffer) throws IOException {
        return (int) write(new ByteBuffer[]{buffer});
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /// The owner of the connection completes the reply.
    @Override
    public void close() {
        // Nothing is open.
    }
}
