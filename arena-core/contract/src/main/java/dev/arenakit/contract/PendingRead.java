package dev.arenakit.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// An asynchronous read into a buffer, pending from the constructor until [#complete]. It keeps the buffer's scope
/// alive.
final class PendingRead implements AutoCloseable {
    private final AsynchronousSocketChannel reader;
    private final AsynchronousSocketChannel writer;
    private final Future<Integer> read;

    PendingRead(ByteBuffer buffer) {
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Future<AsynchronousSocketChannel> accepted = server.accept();
            reader = AsynchronousSocketChannel.open();
            var _ = get(reader.connect(server.getLocalAddress()));
            writer = get(accepted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        read = reader.read(buffer);
    }

    /// Completes the read with this byte.
    void complete(byte value) {
        int written = get(writer.write(ByteBuffer.wrap(new byte[]{value})));
        int bytes = get(read);
        if (written != 1 || bytes != 1) {
            throw new AssertionError("Wrote " + written + " and read " + bytes + " bytes instead of 1");
        }
    }

    /// Completes the read unless it is complete. The JDK never ends the use of a buffer whose read is canceled, or
    /// whose channel is closed; its arena could not be closed.
    @Override
    public void close() {
        try (reader; writer) {
            if (!read.isDone()) {
                complete((byte) 0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("Input or output on the loopback interface failed", e);
        }
    }
}
