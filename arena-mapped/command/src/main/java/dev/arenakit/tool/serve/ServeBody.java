package dev.arenakit.tool.serve;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// The body of a reply. If the client is too slow, the writing thread is interrupted, which closes the connection.
final class ServeBody implements WritableByteChannel {
    /// Writes to the connection.
    @FunctionalInterface
    private interface Transfer {
        void run() throws IOException;
    }

    /// The client has closed the connection, or is too slow.
    static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGoneException(IOException cause) {
            super(cause instanceof ClosedByInterruptException ? "the client is too slow" : "the client has gone",
                    cause);
        }
    }

    /// The JDK's server copies what is written at once, into a buffer of up to twice the size.
    private static final int BYTES = 1 << 17;

    private final OutputStream out;
    private final ScheduledExecutorService timers;
    private final Duration stall;
    private final byte[] bytes = new byte[BYTES];

    /// @param stall the time in which the client accepts what is written at once
    ServeBody(OutputStream out, ScheduledExecutorService timers, Duration stall) {
        this.out = out;
        this.timers = timers;
        this.stall = stall;
    }

    @Override
    public int write(ByteBuffer buffer) throws ClientGoneException {
        int byteSize = buffer.remaining();
        within(() -> {
            while (buffer.hasRemaining()) {
                int count = Math.min(bytes.length, buffer.remaining());
                buffer.get(bytes, 0, count);
                out.write(bytes, 0, count);
            }
        });
        return byteSize;
    }

    /// Completes the reply.
    void finish() throws ClientGoneException {
        within(out::close);
    }

    private void within(Transfer transfer) throws ClientGoneException {
        Future<?> timer = timers.schedule(Thread.currentThread()::interrupt, stall.toNanos(), TimeUnit.NANOSECONDS);
        try {
            transfer.run();
        } catch (IOException e) {
            throw new ClientGoneException(e);
        } finally {
            timer.cancel(false);
        }
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /// Does nothing, so that a reply that is incomplete remains incomplete.
    @Override
    public void close() {
        // Nothing is open.
    }
}
