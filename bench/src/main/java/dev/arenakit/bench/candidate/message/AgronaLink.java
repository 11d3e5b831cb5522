package dev.arenakit.bench.candidate.message;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/// A ring of Agrona in a mapped file for each direction. The collector unmaps the files.
final class AgronaLink implements MessageLink {
    private static final int CAPACITY = 1 << 12;
    private static final int TYPE = 7;
    /// The number of polls after which the reader looks whether the other end is alive.
    private static final int LOOK_POLLS = 1 << 20;

    private final RingBuffer sent;
    private final RingBuffer received;
    private final BooleanSupplier isConnected;
    private final MessageHandler handler;
    private long message;

    private AgronaLink(RingBuffer sent, RingBuffer received, BooleanSupplier isConnected) {
        this.sent = sent;
        this.received = received;
        this.isConnected = isConnected;
        handler = (_, buffer, offset, _) -> message = buffer.getLong(offset);
    }

    static AgronaLink open(Path directory, LinkEnd end, BooleanSupplier isConnected) throws IOException {
        return new AgronaLink(map(end.sent(directory)), map(end.received(directory)), isConnected);
    }

    private static RingBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return new OneToOneRingBuffer(new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0,
                    CAPACITY + RingBufferDescriptor.TRAILER_LENGTH)));
        }
    }

    @Override
    public void send(long number) {
        int at = sent.tryClaim(TYPE, Long.BYTES);
        if (at < 0) {
            throw new IllegalStateException("Ring is full, although it has one message at most: result=" + at);
        }
        sent.buffer().putLong(at, number);
        sent.commit(at);
    }

    @Override
    public long receive() throws IOException {
        int polls = 0;
        while (received.read(handler, 1) == 0) {
            Thread.onSpinWait();
            polls++;
            if (polls % LOOK_POLLS == 0 && !isConnected.getAsBoolean()) {
                throw new EOFException("The other end of a ring has ended");
            }
        }
        return message;
    }

    @Override
    public void close() {}
}
