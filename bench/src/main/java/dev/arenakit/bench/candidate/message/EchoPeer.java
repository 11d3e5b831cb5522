package dev.arenakit.bench.candidate.message;

import dev.arenakit.bench.candidate.stored.StoreDirectory;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A thread or a process that returns each message, and the connection to it. Shared files are on a tmpfs.
public final class EchoPeer implements AutoCloseable {
    /// The peer is a thread of this process.
    public static final String THREAD = "thread";

    /// The peer is a process.
    public static final String PROCESS = "process";

    private final StoreDirectory directory;
    private @Nullable Thread thread;
    private @Nullable Process process;
    private @Nullable MessageLink link;

    private EchoPeer(StoreDirectory directory) {
        this.directory = directory;
    }

    /// Starts a peer.
    ///
    /// @param links how messages are sent
    /// @param place [#THREAD] or [#PROCESS]
    /// @return the peer, which the caller closes
    /// @throws IOException if the connection cannot be made; the peer has ended
    /// @throws dev.arenakit.bench.candidate.peer.UnavailableException if the machine has no tmpfs
    public static EchoPeer start(MessageLinks links, String place) throws IOException {
        EchoPeer peer = new EchoPeer(StoreDirectory.create(StoreDirectory.TMPFS));
        try {
            if (place.equals(PROCESS)) {
                peer.startProcess(links);
            } else {
                peer.startThread(links);
            }
            return peer;
        } catch (Throwable t) {
            try (peer) {
                throw t;
            }
        }
    }

    private void startThread(MessageLinks links) throws IOException {
        MessageLink other;
        if (links == MessageLinks.PIPE) {
            Pipe requests = Pipe.open();
            Pipe replies = Pipe.open();
            link = new ChannelLink(replies.source(), requests.sink());
            other = new ChannelLink(requests.source(), replies.sink());
        } else {
            Path files = directory.path();
            link = links.open(files, LinkEnd.BENCHMARK, false, this::isAlive);
            other = links.open(files, LinkEnd.PEER, false, () -> !Thread.currentThread().isInterrupted());
            link.connect();
        }
        thread = Thread.ofPlatform().daemon().name("echo").start(() -> echo(other));
    }

    /// Returns messages until the thread is interrupted, or the other end is closed.
    private static void echo(MessageLink link) {
        try (link) {
            EchoProcess.echo(link);
        } catch (IOException _) {
            // The end of this thread is the end of the connection, which the other thread notices.
        }
    }

    private void startProcess(MessageLinks links) throws IOException {
        Path files = directory.path();
        if (links != MessageLinks.PIPE) {
            link = links.open(files, LinkEnd.BENCHMARK, true, this::isAlive);
        }
        Process started = EchoProcess.start(links, files);
        process = started;
        if (started.getInputStream().read() != EchoProcess.READY) {
            throw new IOException("The process of the peer has not started; its messages are in the log: links="
                    + links);
        }
        if (links == MessageLinks.PIPE) {
            link = new StreamLink(started.getInputStream(), started.getOutputStream());
        } else {
            Objects.requireNonNull(link).connect();
        }
    }

    boolean isAlive() {
        return (thread != null && thread.isAlive()) || (process != null && process.isAlive());
    }

    /// Sends a message, and waits until it comes back.
    ///
    /// @param message the message
    /// @return the message that has come back
    /// @throws IOException if the peer has ended
    public long exchange(long message) throws IOException {
        MessageLink connection = Objects.requireNonNull(link);
        connection.send(message);
        return connection.receive();
    }

    /// {@return the id of the process; -1 if the peer is a thread}
    long pid() {
        return process == null ? -1 : process.pid();
    }

    /// {@return the directory of the shared files}
    Path directory() {
        return directory.path();
    }

    /// Ends the peer, and deletes the shared files.
    @Override
    public void close() throws IOException {
        try (directory; MessageLink _ = link) {
            if (thread != null) {
                thread.interrupt();
                join(thread);
            }
            if (process != null) {
                process.destroyForcibly().onExit().join();
            }
        }
    }

    private static void join(Thread ended) {
        boolean isInterrupted = false;
        while (ended.isAlive()) {
            try {
                ended.join();
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
