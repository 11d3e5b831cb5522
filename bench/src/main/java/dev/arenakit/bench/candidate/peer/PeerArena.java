package dev.arenakit.bench.candidate.peer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A confined arena over an allocator that has no arenas, so that the allocator can be measured wherever arenas are
/// measured. It gives each block the scope and the bounds of a segment, and frees all blocks when it is closed.
///
/// The memory is not zeroed. The peers by themselves are also candidates, in benchmarks that have methods for them. The
/// difference is the cost of scope and bounds.
public final class PeerArena implements Arena {
    /// Larger than any address space.
    private static final long MAX_BYTE_SIZE = 1L << 47;

    private final Arena arena = Arena.ofConfined();
    private final Thread owner = Thread.currentThread();
    private final Blocks blocks;
    private boolean closed;

    /// Blocks that are freed together.
    public interface Blocks {
        /// Allocates a block.
        ///
        /// @param byteSize size of the block, positive
        /// @return its address
        /// @throws OutOfMemoryError if the peer has no such block
        long allocate(long byteSize);

        /// Frees all blocks.
        void free();
    }

    /// Creates an arena.
    ///
    /// @param blocks the blocks of the arena; none is allocated yet
    public PeerArena(Blocks blocks) {
        this.blocks = blocks;
    }

    @SuppressWarnings("restricted")
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        if (byteSize < 0 || byteAlignment <= 0 || (byteAlignment & (byteAlignment - 1)) != 0) {
            throw new IllegalArgumentException(
                    "Invalid request: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment);
        }
        if (!Thread.currentThread().equals(owner)) {
            throw new WrongThreadException("Attempted access outside owning thread: owner=" + owner);
        }
        if (closed) {
            throw new IllegalStateException("Already closed");
        }
        if (byteSize > MAX_BYTE_SIZE - byteAlignment) {
            throw new OutOfMemoryError("Too large: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment);
        }
        long address = blocks.allocate(Math.max(byteSize, 1));
        if ((address & (byteAlignment - 1)) != 0) {
            // The first block is freed with all other blocks.
            address = (blocks.allocate(byteSize + byteAlignment) + byteAlignment - 1) & -byteAlignment;
        }
        return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        try {
            arena.close();
        } finally {
            // Only the owner frees blocks. The call of another thread has failed.
            if (Thread.currentThread().equals(owner) && !closed && !arena.scope().isAlive()) {
                closed = true;
                blocks.free();
            }
        }
    }
}
