package dev.arenakit.bench.candidate.message;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A stream for each direction.
final class StreamLink implements MessageLink {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private final InputStream received;
    private final OutputStream sent;
    private final byte[] bytes = new byte[Long.BYTES];

    StreamLink(InputStream received, OutputStream sent) {
        this.received = received;
        this.sent = sent;
    }

    @Override
    public void send(long message) throws IOException {
        LONG.set(bytes, 0, message);
        sent.write(bytes);
        sent.flush();
    }

    @Override
    public long receive() throws IOException {
        if (received.readNBytes(bytes, 0, Long.BYTES) < Long.BYTES) {
            throw new EOFException("The other end of a stream has ended");
        }
        return (long) LONG.get(bytes, 0);
    }

    @Override
    public void close() throws IOException {
        try (received) {
            sent.close();
        }
    }
}
