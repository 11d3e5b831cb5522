package dev.arenakit.mapped;

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

    TransferException(String message, long byteCount) {
        super(message);
        this.byteCount = byteCount;
    }

    TransferException(String message, long byteCount, IOException cause) {
        super(message, cause);
        this.byteCount = byteCount;
    }

    /// {@return the number of bytes that were transferred before}
    public long byteCount() {
        return byteCount;
    }
}
