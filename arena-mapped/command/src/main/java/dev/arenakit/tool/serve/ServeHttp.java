package dev.arenakit.tool.serve;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// The server: accepts connections, gives a thread to each of them, and closes those with clients that are too slow.
final class ServeHttp implements Closeable {
    /// The largest number of connections. Others wait until one of them ends.
    private static final int CONNECTIONS = 256;
    private static final int LONGEST_CHECK_MILLIS = 1000;
    private static final int RETRY_MILLIS = 100;

    private final ServeHandler handler;
    private final ServeLimits limits;
    private final ServerSocketChannel server;
    private final Semaphore free = new Semaphore(CONNECTIONS);
    private final Set<ServeConnection> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("serve-", 0).factory());

    /// Starts a server.
    ///
    /// @throws IOException if the address cannot be bound
    ServeHttp(ServeHandler handler, ServeLimits limits, InetSocketAddress address) throws IOException {
        this.handler = handler;
        this.limits = limits;
        server = ServerSocketChannel.open();
        try {
            server.bind(address);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        threads.execute(this::accept);
        threads.execute(this::checkTimes);
    }

    /// The address to which the server is bound.
    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    private void accept() {
        try {
            while (true) {
                free.acquire();
                acceptOne();
            }
        } catch (InterruptedException | ClosedChannelException e) {
            // The server is closed.
        }
    }

    private void acceptOne() throws InterruptedException, ClosedChannelException {
        SocketChannel channel = null;
        try {
            channel = server.accept();
            SocketChannel accepted = channel;
            threads.execute(() -> handle(accepted));
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException | RejectedExecutionException | OutOfMemoryError e) {
            // The system has no more descriptors, threads or memory, or the server is being closed.
            free.release();
            close(channel);
            Thread.sleep(RETRY_MILLIS);
        }
    }

    private static void close(@Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException | OutOfMemoryError e) {
            // The client has gone.
        }
    }

    private void handle(SocketChannel channel) {
        try (ServeConnection connection = new ServeConnection(channel, limits.stall())) {
            connections.add(connection);
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                handler.handle(connection);
            } finally {
                connections.remove(connection);
            }
        } catch (IOException e) {
            // The client has gone.
        } finally {
            free.release();
        }
    }

    private void checkTimes() {
        long millis = Math.min(LONGEST_CHECK_MILLIS, Math.max(1, limits.stall().toMillis() / 8));
        try {
            while (true) {
                Thread.sleep(millis);
                checkAll();
            }
        } catch (InterruptedException e) {
            // The server is closed.
        }
    }

    private void checkAll() {
        try {
            connections.forEach(ServeConnection::checkTime);
        } catch (OutOfMemoryError e) {
            // The next check closes what this one has missed.
        }
    }

    /// Ends all transfers. The clients see that they are incomplete.
    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
        for (ServeConnection connection : connections) {
            connection.close();
        }
    }
}
