package dev.arenakit.internal.freelist;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;

/// The free lists of the stress tests: one slab of eight blocks, all of them live.
///
/// A thread has no stacks before its first call, which takes the lock: each actor frees a block of its own first.
final class StressLists {
    static final int BLOCKS = 8;
    static final int BYTE_SIZE = 8_192;
    private static final int SIZE_CLASS = SizeClasses.classOf(BYTE_SIZE);
    /// A range of one slab, and one for the tables.
    private static final long RANGE = 128 * 1024;

    private final Arena arena = Arena.ofShared();
    private boolean hasRange;
    final RangeLists lists;
    final long[] blocks = new long[BLOCKS];

    StressLists(boolean atomic) {
        // A mapping for each state would exceed the limit of a process.
        RangeProvider source = new RangeProvider(AllocatorFunctions.libc().refusing(this::refuses), null, null, null);
        lists = new RangeLists(Scopes.viewOf(arena), source, true, atomic);
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = tryAllocate();
        }
    }

    private boolean refuses(long byteSize) {
        boolean refused = byteSize > RANGE || byteSize == RANGE && hasRange;
        hasRange |= byteSize == RANGE;
        return refused;
    }

    /// A block, or 0 if all are live.
    long tryAllocate() {
        return lists.tryAllocate(SIZE_CLASS);
    }

    boolean free(int block) {
        return lists.free(blocks[block], BYTE_SIZE);
    }

    int liveBlocks() {
        return (int) lists.stats().liveBlocks();
    }

    /// How many blocks can be allocated; -1 if two of them are the same, or one is the same as one of the last blocks.
    int remaining(int last) {
        long[] live = new long[2 * BLOCKS];
        System.arraycopy(blocks, BLOCKS - last, live, 0, last);
        int count = last;
        for (long block = tryAllocate(); block != 0; block = tryAllocate()) {
            for (int i = 0; i < count; i++) {
                if (live[i] == block) {
                    return -1;
                }
            }
            live[count++] = block;
        }
        return count - last;
    }

    void close() {
        arena.close();
        lists.close();
    }
}
