package dev.arenakit.diagnostics;

/// Thrown by a [DebugArena] when bytes outside a block, or bytes of a freed block, have been overwritten.
///
/// The message has the offset from the start of the block, and the bytes that were found there. The cause has the stack
/// of the allocation. Only native code, and segments made by `reinterpret`, can write there.
public final class CorruptedBlockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The address of the block.
    private final long address;

    /// The offset of the first wrong byte.
    private final long offset;

    /// Creates an exception.
    ///
    /// @param message what was found
    /// @param address the address of the block
    /// @param offset  the offset of the first byte that was overwritten, from the start of the block
    /// @param cause   where the block was allocated or freed
    public CorruptedBlockException(String message, long address, long offset, Throwable cause) {
        super(message, cause);
        this.address = address;
        this.offset = offset;
    }

    /// {@return the address of the block}
    public long address() {
        return address;
    }

    /// {@return the offset in bytes of the first byte that was overwritten, from the start of the block: negative
    /// before the block, and not less than its size behind the block}
    public long offset() {
        return offset;
    }
}
