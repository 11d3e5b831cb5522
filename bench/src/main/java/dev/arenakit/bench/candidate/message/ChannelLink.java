package dev.arenakit.bench.candidate.message;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// A blocking channel for each direction, or one for both.
final class ChannelLink implements MessageLink {
    private final ReadableByteChannel received;
    private final WritableByteChannel sent;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(Long.BYTES);

    ChannelLink(ReadableByteChannel received, WritableByteChannel sent) {
        this.received = received;
        this.sent = sent;
    }

    @Override
    public void send(long message) throws IOException {
        buffer.clear().putLong(message).flip();
        while (buffer.hasRemaining()) {
            sent.write(buffer);
        }
    }

    @Override
    public long receive() throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (received.read(buffer) < 0) {
                throw new EOFException("The other end of a channel has ended: channel=" + received);
            }
        }
        return buffer.getLong(0);
    }

    @Override
    public void close() throws IOException {
        try (received) {
            sent.close();
        }
    }
}
