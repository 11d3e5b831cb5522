package dev.arenakit.mapped.io;

import java.io.IOException;

/// A transfer between memory and a file, channel or stream has ended early. The message has the number of bytes that
/// were transferred; these are good.
///
/// The cause is the exception of the channel, such as a [java.nio.channels.ClosedByInterruptException]. There is none
/// if the source has ended or the transfer was cancelled.
public final class TransferException extends IOException {
    private static final long serialVersionUID = 1L;

    /// The number of bytes that were transferred before.
    private final long byteCount;

    /// Makes an exception for a transfer that was cancelled, or whose source has ended.
    ///
    /// @param message   the message
    /// @param byteCount the number of bytes that were transferred before
    public TransferException(String message, long byteCount) {
        super(message);
        this.byteCount = byteCount;
    }

    /// Makes an exception for a transfer whose channel has thrown an exception.
    ///
    /// @param message   the message
    /// @param byteCount the number of bytes that were transferred before
    /// @param cause     the exception of the channel
    public TransferException(String message, long byteCount, IOException cause) {
        super(message, cause);
        this.byteCount = byteCount;
    }

    /// {@return the number of bytes that were transferred before}
    public long byteCount() {
        return byteCount;
    }
}
