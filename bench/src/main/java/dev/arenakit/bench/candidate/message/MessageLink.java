package dev.arenakit.bench.candidate.message;

import java.io.IOException;

/// One end of a connection that carries messages of 8 bytes in both directions. It belongs to one thread at a time.
interface MessageLink extends AutoCloseable {
    /// Completes the connection after the other end was opened.
    default void connect() throws IOException {}

    /// Sends a message.
    void send(long message) throws IOException;

    /// Waits for a message, and returns it.
    ///
    /// @throws IOException if the other end is closed, or if its thread or process has ended
    long receive() throws IOException;

    @Override
    void close() throws IOException;
}
