package dev.arenakit.internal.pool;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.ThreadTable;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.memory.SlabHome;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The memory of an arena for all threads.
final class SharedSlabs {
    /*
     * Each thread allocates from a piece of a slab of its own, without an atomic operation, and acquires the lock when
     * the piece is used up. The pieces of a thread become larger, so that a thread with few allocations does not take
     * 16 KiB for them. A large request, or a request that does not fit into a piece, is allocated under the lock.
     *
     * Beyond the largest length of the table, the piece of the later of two threads that collide takes the slot, and
     * the other thread takes a new piece when it comes back.
     *
     * A thread may take memory from its piece while another thread closes the arena. It then gets a segment with a dead
     * scope, through which the memory cannot be accessed.
     *
     * This is a class of its own rather than a branch in BumpSlabArena: C2 compiles the branches that it has seen,
     * and in a program that has opened shared arenas, ten blocks of a confined arena would cost 90 ns and 560 bytes,
     * instead of 13 ns and no bytes.
     */
    private static final long FIRST_PIECE = 256;
    private static final long LARGEST_PIECE = 16 * 1024;
    private static final int FIRST_LENGTH = 8;
    private static final int LARGEST_LENGTH = 256;

    private final MemorySegment view;
    /// Guards the memory and the table of pieces, but not the contents of a piece, which only its thread uses.
    private final Object lock = new Object();
    private final BumpSlabArena memory;
    private final SlabHome home;
    private final long largestPiece;
    private @Nullable Piece[] pieces = new Piece[FIRST_LENGTH];

    /// @param slab     the first slab
    /// @param delegate the arena of the scope
    /// @param view     any segment in that scope
    SharedSlabs(Slab slab, Arena delegate, MemorySegment view) {
        this.view = view;
        memory = new BumpSlabArena(null, slab, delegate, view);
        home = slab.home;
        largestPiece = Math.min(LARGEST_PIECE, slab.largest);
    }

    MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        // One call of asSlice for both paths: C2 then allocates no segment.
        return view.asSlice(bump(byteSize, byteAlignment), byteSize);
    }

    private long bump(long byteSize, long byteAlignment) {
        @Nullable
        Piece[] pieces = this.pieces;
        long id = Thread.currentThread().threadId();
        Piece piece = pieces[(int) id & (pieces.length - 1)];
        if (piece != null && piece.threadId == id && byteSize <= largestPiece && byteAlignment <= largestPiece) {
            // At least one byte each, so that no zero-length segment starts at the end of a piece.
            long reserved = byteSize == 0 ? 1 : byteSize;
            long start = Sizes.alignUp(piece.bumpPointer, byteAlignment);
            if (start + reserved <= piece.limit) {
                piece.bumpPointer = start + reserved;
                return start;
            }
        }
        return bumpSlowly(byteSize, byteAlignment, id);
    }

    /// Releases the memory, after the scope has ended.
    void release() {
        synchronized (lock) {
            memory.release();
        }
    }

    /// Holds the memory of a closed arena back until its scope ends.
    ///
    /// @return the size of the memory
    long holdBack() {
        synchronized (lock) {
            return memory.holdBack();
        }
    }

    private long bumpSlowly(long byteSize, long byteAlignment, long threadId) {
        long start = tryBumpLocked(byteSize, byteAlignment, threadId);
        // Not under the lock: this may run cleanups of users.
        if (start == 0 && home.reclaimHeldBack()) {
            start = tryBumpLocked(byteSize, byteAlignment, threadId);
        }
        if (start == 0) {
            throw memory.full(byteSize, byteAlignment);
        }
        return start;
    }

    /// Allocates memory, or returns 0 if the pool is full.
    private long tryBumpLocked(long byteSize, long byteAlignment, long threadId) {
        synchronized (lock) {
            // Under the lock, as the memory may have been released since the last check.
            Scopes.checkOpen(view);
            // An allocation of more than a quarter of a piece would waste most pieces.
            if (byteSize > largestPiece / 4 || byteAlignment > largestPiece / 4) {
                return memory.tryBump(byteSize, byteAlignment);
            }
            Piece piece = pieceOf(threadId);
            long nextByteSize = Math.min(largestPiece, 2 * piece.byteSize);
            if (byteSize > nextByteSize / 4 || byteAlignment > nextByteSize / 4) {
                // The next piece is larger, so that a thread with such blocks gets pieces soon.
                piece.byteSize = nextByteSize;
                return memory.tryBump(byteSize, byteAlignment);
            }
            long start = memory.tryBump(nextByteSize, Math.max(byteAlignment, Long.BYTES));
            if (start == 0) {
                return 0;
            }
            piece.byteSize = nextByteSize;
            piece.bumpPointer = start + Math.max(byteSize, 1);
            piece.limit = start + nextByteSize;
            return start;
        }
    }

    /// The piece of the current thread, which may be empty. The lock is held.
    private Piece pieceOf(long threadId) {
        while (true) {
            int slot = ThreadTable.slotOf(threadId, pieces.length);
            Piece piece = pieces[slot];
            if (piece != null && piece.threadId == threadId) {
                return piece;
            }
            if (piece == null || pieces.length == LARGEST_LENGTH) {
                piece = new Piece(threadId);
                pieces[slot] = piece;
                return piece;
            }
            pieces = ThreadTable.doubled(pieces);
        }
    }

    /// A part of a slab from which one thread allocates.
    private static final class Piece implements ThreadTable.Entry {
        final long threadId;
        long bumpPointer;
        long limit;
        /// The size of the piece. The next one is twice as large.
        long byteSize = FIRST_PIECE / 2;
        /// Two cache lines, so that the pieces of two threads do not share one.
        @SuppressWarnings("unused")
        private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;

        Piece(long threadId) {
            this.threadId = threadId;
        }

        @Override
        public long threadId() {
            return threadId;
        }
    }
}
