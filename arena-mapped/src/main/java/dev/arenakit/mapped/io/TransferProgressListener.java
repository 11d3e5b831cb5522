package dev.arenakit.mapped.io;

/// Observes a transfer of a [SegmentReader] or [SegmentWriter], and can cancel it.
@FunctionalInterface
public interface TransferProgressListener {
    /// Called after each piece of a transfer, by the thread that transfers.
    ///
    /// @param byteCount the number of bytes that were transferred so far
    /// @param byteSize  the number of bytes that were requested, or -1 if the transfer ends where its source ends
    /// @return whether to go on; `false` cancels the transfer
    boolean transferred(long byteCount, long byteSize);
}
