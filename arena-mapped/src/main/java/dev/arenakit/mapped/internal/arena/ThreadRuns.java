package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.internal.catalog.CatalogRun;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.data.Chunk;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The runs of the threads that allocate from an arena.
final class ThreadRuns {
    /*
     * Each thread allocates in a run of its own, and claims the next one under the lock of the arena. Its runs become
     * larger, both in the catalog and in the chunk, so that a thread with few allocations takes little space in both.
     *
     * The table has one slot for each value of the lowest bits of the thread's id. On a collision it is doubled, up to
     * a limit. Beyond the limit, the later thread takes the slot, and the earlier thread claims a new run when it
     * allocates again.
     */
    private static final int LARGEST_LENGTH = 256;

    /// The sizes of a run in the catalog: 8 to 504 slots. The largest is a page.
    private static final int FIRST_LINES = 2;
    private static final int MOST_LINES = 64;

    /// The sizes of a run in the chunk.
    private static final long FIRST_BYTE_SIZE = 1 << 14;
    private static final long LARGEST_BYTE_SIZE = 1 << 20;

    private final CatalogWriter catalog;
    /// The largest size and alignment of an allocation in a run.
    private final long largest;
    private @Nullable Owned[] table = new Owned[1];

    /// @param chunkByteSize the size of a chunk
    ThreadRuns(CatalogWriter catalog, long chunkByteSize) {
        this.catalog = catalog;
        largest = Math.min(LARGEST_BYTE_SIZE, chunkByteSize) / 8;
    }

    /// Whether an allocation is recorded in a run. A larger allocation would waste most of a range, and gets a line of
    /// its own.
    boolean isSmall(long byteSize, long byteAlignment) {
        return byteSize <= largest && byteAlignment <= largest;
    }

    /// The run of the current thread, or null.
    @Nullable
    CatalogRun current() {
        @Nullable
        Owned[] table = this.table;
        long id = Thread.currentThread().threadId();
        Owned owned = table[(int) id & (table.length - 1)];
        return owned == null || owned.threadId != id ? null : owned.run;
    }

    /// Claims the next run of the current thread. The lock is held.
    ///
    /// @return the run, which has room for the allocation, or null if the chunk has no room
    @Nullable
    CatalogRun next(Chunk chunk, long byteSize, long byteAlignment) {
        Owned owned = ofThread(Thread.currentThread().threadId());
        CatalogRun previous = owned.run;
        long needed = byteSize + byteAlignment - 1;
        long claimed = Math.max(owned.byteSize, 4 * Long.highestOneBit(needed));
        long start = -1;
        long end = -1;
        if (previous != null && previous.isIn(chunk.segment())) {
            start = previous.bumpPointer();
            end = previous.limit();
        }
        // A run whose slots are used up continues in its range, if that has room for several allocations.
        if (end - start < Math.max(4 * needed, owned.byteSize / 4)) {
            // Claim at least the rest of the previous range, which stays in use if the run cannot be recorded.
            claimed = Math.max(claimed, end - start);
            start = chunk.claim(start, end, claimed, needed);
            if (start < 0) {
                return null;
            }
            end = Math.min(start + claimed, chunk.limit());
        }
        CatalogRun run = catalog.addRun(owned.lines, chunk.file(), chunk.segment(), chunk.baseAddress(), start,
                end - start);
        owned.run = run;
        owned.lines = Math.min(2 * owned.lines, MOST_LINES);
        owned.byteSize = Math.min(2 * owned.byteSize, LARGEST_BYTE_SIZE);
        if (previous != null) {
            previous.end();
        }
        return run;
    }

    /// Gives back the unused range of the current thread's run, if no other range follows, so that a large allocation
    /// fits into the chunk. The lock is held.
    ///
    /// @return whether it was given back
    boolean giveBack(Chunk chunk) {
        Owned owned = ofThread(Thread.currentThread().threadId());
        CatalogRun run = owned.run;
        if (run == null || !run.isIn(chunk.segment())) {
            return false;
        }
        // Forget the run before the range is given back: an error in between must not leave the range in use here.
        owned.run = null;
        if (!chunk.giveBack(run.bumpPointer(), run.limit())) {
            owned.run = run;
            return false;
        }
        run.end();
        return true;
    }

    /// The runs that may still be written.
    List<CatalogRun> open() {
        List<CatalogRun> open = new ArrayList<>();
        for (Owned owned : table) {
            if (owned != null && owned.run != null) {
                open.add(owned.run);
            }
        }
        return open;
    }

    private Owned ofThread(long threadId) {
        while (true) {
            int index = (int) threadId & (table.length - 1);
            Owned owned = table[index];
            if (owned != null && owned.threadId == threadId) {
                return owned;
            }
            if (owned == null || table.length == LARGEST_LENGTH) {
                owned = new Owned(threadId);
                table[index] = owned;
                return owned;
            }
            grow();
        }
    }

    private void grow() {
        @Nullable
        Owned[] larger = new Owned[2 * table.length];
        for (Owned owned : table) {
            if (owned != null) {
                larger[(int) owned.threadId & (larger.length - 1)] = owned;
            }
        }
        // A thread that sees the new table must also see its own run in it.
        VarHandle.releaseFence();
        table = larger;
    }

    /// The run of a thread, and the sizes of its next one.
    private static final class Owned {
        final long threadId;
        @Nullable
        CatalogRun run;
        int lines = FIRST_LINES;
        long byteSize = FIRST_BYTE_SIZE;

        Owned(long threadId) {
            this.threadId = threadId;
        }
    }
}
