package dev.arenakit.internal.freelist;

import dev.arenakit.internal.CacheLinePadding;
import dev.arenakit.internal.ThreadTable;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.BlockTables.ALL;
import static dev.arenakit.internal.freelist.BlockTables.INT;
import static dev.arenakit.internal.freelist.BlockTables.LONG;
import static dev.arenakit.internal.freelist.BlockTables.UNSIGNED;

/// The free blocks that a thread has at hand: a stack for each size class, in native memory.
///
/// ```
///   0    top of the stack of each kind, an int: the number of free slots << 16 | the offset of the highest block
///   512  the slots of each stack; the lowest contains 0, which is no block
/// ```
///
/// An empty stack is recognized by the 0, and a full one by its top, which becomes negative. The stacks of kinds that
/// are no classes are empty and full.
final class Stacks extends CacheLinePadding implements ThreadTable.Entry {
    static final long BYTE_SIZE = 1 << 15;
    private static final int SLOTS = SizeClasses.KINDS * Integer.BYTES;
    /// Stacks of 62 blocks and an empty slot: the tops of two stacks rarely have the same cache set.
    private static final int MOST = 62;
    /// A stack holds at most so many bytes, so that the blocks at hand of a thread take a few megabytes at most.
    private static final long MOST_BYTE_SIZE = 64 * 1024;
    /// Added to a top, it pushes a block.
    static final int PUSH = Long.BYTES - (1 << 16);
    /// The tops of empty stacks.
    private static final int[] EMPTY = new int[SizeClasses.KINDS];

    static {
        int offset = SLOTS;
        for (int kind = 0; kind < SizeClasses.KINDS; kind++) {
            long byteSize = SizeClasses.byteSizeOf(kind);
            int depth = byteSize == 0 ? 0 : Math.clamp(MOST_BYTE_SIZE / byteSize, 1, MOST);
            EMPTY[kind] = depth << 16 | offset;
            offset += (depth + 1) * Long.BYTES;
        }
        assert offset <= BYTE_SIZE;
    }

    /// The address of the stacks, [shifted][BlockTables#UNSIGNED].
    final long address;
    /// Keeps memory that is freed when it is unreachable, or null.
    @SuppressWarnings("unused")
    private final @Nullable MemorySegment collected;
    private @Nullable WeakReference<Thread> owner;
    private long threadId;
    /// Not 0 while the owner is using the stacks without the lock.
    long busy;
    /// The next unowned stacks.
    @Nullable
    Stacks next;

    Stacks(long address, @Nullable MemorySegment collected) {
        this.address = address << UNSIGNED;
        this.collected = collected;
        for (int kind = 0; kind < SizeClasses.KINDS; kind++) {
            LONG.set(ALL, address + bottom(kind), 0L);
            setTop(this.address, kind, EMPTY[kind]);
        }
    }

    /// Makes the current thread the owner.
    void own(WeakReference<Thread> thread, long id) {
        owner = thread;
        threadId = id;
    }

    @Override
    public long threadId() {
        return threadId;
    }

    /// Whether the owner has not terminated.
    boolean isOwned() {
        WeakReference<Thread> reference = owner;
        Thread thread = reference == null ? null : reference.get();
        return thread != null && thread.isAlive();
    }

    private static int bottom(int kind) {
        return EMPTY[kind] & 0xFFFF;
    }

    /// The number of blocks that a stack has room for.
    static int depth(int kind) {
        return EMPTY[kind] >>> 16;
    }

    /// The top of the stack of a kind.
    static int top(long address, int kind) {
        return (int) INT.get(ALL, (address >>> UNSIGNED) + kind * 4L);
    }

    static void setTop(long address, int kind, int top) {
        INT.set(ALL, (address >>> UNSIGNED) + kind * 4L, top);
    }

    /// The block at a top, or 0 if the stack is empty.
    static long block(long address, int top) {
        return (long) LONG.get(ALL, (address >>> UNSIGNED) + (top & 0xFFFF));
    }

    /// Adds a block to a stack.
    ///
    /// @param top the top plus [#PUSH], which is not negative
    static void push(long address, int kind, int top, long block) {
        LONG.set(ALL, (address >>> UNSIGNED) + (top & 0xFFFF), block);
        setTop(address, kind, top);
    }

    /// Takes a block from a stack.
    ///
    /// @return the block, or 0 if the stack is empty
    long pop(int kind) {
        int top = top(address, kind);
        long block = block(address, top);
        if (block != 0) {
            setTop(address, kind, top - PUSH);
        }
        return block;
    }

    /// Whether a stack has no room for another block.
    boolean isFull(int kind) {
        return top(address, kind) + PUSH < 0;
    }

    /// Adds a block to a stack that has room for it. An Error loses the block.
    void push(int kind, long block) {
        push(address, kind, top(address, kind) + PUSH, block);
    }

    /// The number of blocks on a stack.
    int count(int kind) {
        return depth(kind) - (top(address, kind) >> 16);
    }

    /// Copies the blocks of a stack, which its owner may be using.
    ///
    /// @return the number of blocks
    int copy(int kind, long[] into) {
        int count = count(kind);
        copy(kind, count, into);
        return count;
    }

    private void copy(int kind, int count, long[] into) {
        long slots = (address >>> UNSIGNED) + bottom(kind) + Long.BYTES;
        for (int i = 0; i < count; i++) {
            into[i] = (long) LONG.get(ALL, slots + (long) i * Long.BYTES);
        }
    }

    /// Removes the older blocks of a stack.
    ///
    /// @param left how many blocks remain
    /// @param into gets the removed blocks
    /// @return the number of removed blocks
    int drain(int kind, int left, long[] into) {
        int removed = Math.max(0, count(kind) - left);
        copy(kind, removed, into);
        if (removed > 0 && left > 0) {
            // The newest blocks are first lost, and then moved down: an Error loses them.
            int rest = count(kind) - removed;
            long slots = (address >>> UNSIGNED) + bottom(kind) + Long.BYTES;
            setTop(address, kind, EMPTY[kind]);
            for (int i = 0; i < rest; i++) {
                long block = (long) LONG.get(ALL, slots + (long) (removed + i) * Long.BYTES);
                LONG.set(ALL, slots + (long) i * Long.BYTES, block);
            }
            setTop(address, kind, EMPTY[kind] + rest * PUSH);
        } else if (removed > 0) {
            setTop(address, kind, EMPTY[kind]);
        }
        return removed;
    }
}
