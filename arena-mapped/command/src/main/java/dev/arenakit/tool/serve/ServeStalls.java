package dev.arenakit.tool.serve;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Interrupts threads that write to clients that accept no bytes for a time. An interrupt closes the connection: nothing
/// else ends a write to a socket.
final class ServeStalls implements Closeable {
    /// Writes to a client.
    @FunctionalInterface
    interface Write {
        void run() throws IOException;
    }

    private final Duration limit;
    private final Set<Client> clients = ConcurrentHashMap.newKeySet();
    private final Thread watch;

    ServeStalls(Duration limit) {
        this.limit = limit;
        watch = Thread.ofPlatform().daemon().name("stalls").start(this::watch);
    }

    /// Begins to watch writes of the current thread.
    Client client() {
        Client client = new Client();
        clients.add(client);
        return client;
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(limit.dividedBy(8));
                clients.forEach(Client::check);
            }
        } catch (InterruptedException _) {
            // The server is closed.
        }
    }

    @Override
    public void close() {
        watch.interrupt();
    }

    /// A client to which the thread that has made this object writes.
    final class Client implements Closeable {
        private final Thread thread = Thread.currentThread();
        private boolean isWriting;
        private boolean isStalled;
        private long start;

        private Client() {}

        /// @throws ServeReply.ClientGoneException if the client does not accept the bytes
        void write(Write write) throws ServeReply.ClientGoneException {
            begin();
            try {
                write.run();
            } catch (IOException e) {
                throw new ServeReply.ClientGoneException(isStalled() ? "accepts no bytes" : "has gone", e);
            } finally {
                end();
            }
        }

        private synchronized void begin() {
            start = System.nanoTime();
            isWriting = true;
        }

        private synchronized void end() {
            isWriting = false;
        }

        private synchronized boolean isStalled() {
            return isStalled;
        }

        private synchronized void check() {
            if (isWriting && System.nanoTime() - start > limit.toNanos()) {
                isStalled = true;
                thread.interrupt();
            }
        }

        /// Ends watching. The thread serves other clients afterwards.
        @Override
        public void close() {
            clients.remove(this);
            if (isStalled()) {
                boolean _ = Thread.interrupted();
            }
        }
    }
}
