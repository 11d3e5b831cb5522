package dev.arenakit.bench.candidate.message;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A Unix-domain socket. The end of the benchmark listens.
final class SocketLink implements MessageLink {
    private final ServerSocketChannel listening;
    private @Nullable ChannelLink channel;

    private SocketLink(ServerSocketChannel listening) {
        this.listening = listening;
    }

    static MessageLink open(Path directory, LinkEnd end) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        if (end == LinkEnd.PEER) {
            SocketChannel connected = SocketChannel.open(address);
            return new ChannelLink(connected, connected);
        }
        return new SocketLink(ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address));
    }

    /// Accepts the connection that the other end has begun.
    @Override
    public void connect() throws IOException {
        SocketChannel accepted = listening.accept();
        channel = new ChannelLink(accepted, accepted);
    }

    @Override
    public void send(long message) throws IOException {
        Objects.requireNonNull(channel).send(message);
    }

    @Override
    public long receive() throws IOException {
        return Objects.requireNonNull(channel).receive();
    }

    @Override
    public void close() throws IOException {
        try (listening) {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
