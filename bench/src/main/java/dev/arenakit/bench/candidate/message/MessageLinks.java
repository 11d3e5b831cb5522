package dev.arenakit.bench.candidate.message;

import dev.arenakit.collection.concurrent.WaitStrategy;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/// The ways to send messages.
public enum MessageLinks {
    /// Two rings of this library, whose readers spin: `RingBuffer.spsc` between threads, `RingFile` between processes.
    RING_SPIN,
    /// The same rings. Their readers sleep until they are woken.
    RING_FUTEX,
    /// Two `OneToOneRingBuffer` in mapped files, whose readers spin.
    AGRONA,
    /// Two pipes. Between processes, they are the standard input and output of the peer.
    PIPE,
    /// A Unix-domain socket.
    SOCKET;

    /// Opens the end of the benchmark, or of a peer in the same process.
    ///
    /// @param directory   the directory of files that both ends share
    /// @param end         the end
    /// @param isProcess   whether the ends are in two processes
    /// @param isConnected whether the other end may still send a message
    MessageLink open(Path directory, LinkEnd end, boolean isProcess, BooleanSupplier isConnected) throws IOException {
        return switch (this) {
            case RING_SPIN -> RingLink.open(directory, end, isProcess, WaitStrategy.spin(), isConnected);
            case RING_FUTEX -> RingLink.open(directory, end, isProcess, WaitStrategy.futex(), isConnected);
            case AGRONA -> AgronaLink.open(directory, end, isConnected);
            case SOCKET -> SocketLink.open(directory, end);
            case PIPE -> {
                if (!isProcess || end != LinkEnd.PEER) {
                    throw new IllegalArgumentException("This end of a pipe is not opened by name: end=" + end);
                }
                yield new StreamLink(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
            }
        };
    }
}
