package dev.arenakit.internal.freelist;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SizeClasses.LARGE;
import static dev.arenakit.internal.freelist.SizeClasses.NONE;
import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// The slabs behind the stacks: blocks leave and return in batches. No block is ever touched.
///
/// The lock is held. Methods that change a list call nothing while they do, so that an Error cannot interrupt them;
/// between two such methods, it may lose the blocks or the slabs that were on their way.
final class SlabDepot {
    private static final int LISTS = SizeClasses.KINDS * BlockSlab.LISTS;

    private final BlockTables space;
    private final FreeSlabs runs;
    /// The slabs by number: all numbers of a slab of several slabs have the same object.
    private @Nullable BlockSlab[] slabs = new BlockSlab[64];
    /// The slabs with free blocks: for each class a list of the fullest slabs, and so on.
    private final @Nullable BlockSlab[] lists = new BlockSlab[LISTS];

    SlabDepot(BlockTables space) {
        this.space = space;
        runs = space.runs;
    }

    /// The number of slabs in use.
    int usedSlabs() {
        return runs.usedCount();
    }

    /// Takes free blocks of a class: from the fullest slabs, or else from a free slab. Fewer than requested are taken
    /// only if a slab ends.
    ///
    /// @return the number of blocks
    int take(int sizeClass, long[] into, int count) {
        int taken = 0;
        while (taken < count) {
            BlockSlab slab = fullest(sizeClass);
            if (slab == null) {
                slab = taken > 0 ? null : open(sizeClass, SizeClasses.slabsOf(sizeClass));
                if (slab == null) {
                    return taken;
                }
            }
            taken = slab.take(into, taken, count);
            relist(slab);
        }
        return taken;
    }

    private @Nullable BlockSlab fullest(int sizeClass) {
        for (int list = sizeClass * BlockSlab.LISTS; list < (sizeClass + 1) * BlockSlab.LISTS; list++) {
            BlockSlab slab = lists[list];
            if (slab != null) {
                return slab;
            }
        }
        return null;
    }

    /// Takes back a block, which is in no stack and not live. A block that two threads have freed at the same time comes
    /// back twice: the second time, its slab may be free, or may have been used again.
    void give(long block) {
        BlockSlab slab = slabOf(block);
        if (slab.kind == NONE || slab.kind == LARGE || !slab.give(block)) {
            return;
        }
        if (slab.isEmpty()) {
            release(slab);
        } else {
            relist(slab);
        }
    }

    /// Whether a slab becomes free if a block comes back, and with it the blocks of its slab that were passed before in
    /// the same look at the stacks.
    boolean isLastOfSlab(long block, int look) {
        // Where stores of other threads are seen in another order, the place of a new block has any content.
        int number = space.contains(block) ? space.numberOf(block) : 0;
        BlockSlab slab = number < slabs.length ? slabs[number] : null;
        return slab != null && slab.isLast(look);
    }

    /// The slab that a block is in.
    BlockSlab slabOf(long block) {
        BlockSlab slab = slabs[space.numberOf(block)];
        if (slab == null) {
            throw new AssertionError("No slab: block=0x" + Long.toHexString(block));
        }
        return slab;
    }

    /// Makes a free run the slab of a class.
    ///
    /// @param length the number of slabs; each class has a usual one
    /// @return the slab, or null if no run is free
    @Nullable
    BlockSlab open(int sizeClass, int length) {
        int number = runs.take(length, 1);
        if (number == FreeSlabs.NONE) {
            return null;
        }
        try {
            BlockSlab slab = slabAt(number, length);
            slab.open(sizeClass, length);
            space.clearLive(slab.start, length);
            for (int i = 0; i < length; i++) {
                slabs[number + i] = slab;
                space.clearAlignment(space.startOf(number + i));
                space.setKind(space.startOf(number + i), sizeClass);
            }
            relist(slab);
            return slab;
        } catch (Throwable t) {
            forget(number, length);
            throw t;
        }
    }

    /// Undoes an interrupted use of a run.
    private void forget(int number, int length) {
        BlockSlab slab = number < slabs.length ? slabs[number] : null;
        if (slab != null && slab.number == number) {
            slab.kind = NONE;
        }
        runs.give(number, length);
    }

    /// Makes a free run a large block.
    ///
    /// @return the block, or 0 if no run is long enough
    long takeLarge(long length, long byteAlignment) {
        int number = runs.take(length, Math.max(1, byteAlignment >>> SLAB_SHIFT));
        if (number == FreeSlabs.NONE) {
            return 0;
        }
        try {
            BlockSlab slab = slabAt(number, 1);
            slab.length = (int) length;
            slab.byteAlignment = byteAlignment;
            slab.kind = LARGE;
            space.setKind(slab.start, LARGE);
            return slab.start;
        } catch (Throwable t) {
            forget(number, (int) length);
            throw t;
        }
    }

    /// The object of a slab that has just been taken, with room for the following ones. A large block needs one object,
    /// however long it is.
    private BlockSlab slabAt(int number, int length) {
        if (number + length > slabs.length) {
            slabs = Arrays.copyOf(slabs, Math.max(number + length, 2 * slabs.length));
        }
        BlockSlab slab = slabs[number];
        long start = space.startOf(number);
        if (slab == null || slab.number != number || slab.start != start) {
            slab = new BlockSlab(number, start);
            slabs[number] = slab;
        }
        return slab;
    }

    /// Resizes a large block where it is.
    ///
    /// @return false if the slabs behind it are not free
    boolean resizeLarge(BlockSlab slab, long length) {
        int before = slab.length;
        int end = slab.number + before;
        if (length > before && !runs.takeAt(end, length - before)) {
            boolean isLast = end == runs.end() - runs.freeAtEnd();
            if (!isLast || !space.grow(length - before, 1) || !runs.takeAt(end, length - before)) {
                return false;
            }
        }
        slab.length = (int) length;
        if (length < before) {
            runs.give(slab.number + (int) length, before - (int) length);
            space.released(slab.number);
        }
        return true;
    }

    /// Makes a large block free, or a slab whose blocks are free.
    void release(BlockSlab slab) {
        int kinds = slab.kind == LARGE ? 1 : slab.length;
        slab.kind = NONE;
        relist(slab);
        for (int i = 0; i < kinds; i++) {
            space.setKind(space.startOf(slab.number + i), NONE);
        }
        runs.give(slab.number, slab.length);
        space.released(slab.number);
    }

    /// Moves a slab to the list that it belongs to.
    private void relist(BlockSlab slab) {
        int proper = slab.kind == NONE || slab.kind == LARGE ? BlockSlab.UNLISTED : slab.properList();
        int target = proper == BlockSlab.UNLISTED ? proper : slab.kind * BlockSlab.LISTS + proper;
        if (slab.list == target) {
            return;
        }
        // Nothing is called from here on.
        BlockSlab next = slab.next;
        BlockSlab previous = slab.previous;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else if (slab.list != BlockSlab.UNLISTED) {
            lists[slab.list] = next;
        }
        slab.previous = null;
        slab.next = null;
        slab.list = target;
        if (target != BlockSlab.UNLISTED) {
            BlockSlab first = lists[target];
            slab.next = first;
            if (first != null) {
                first.previous = slab;
            }
            lists[target] = slab;
        }
    }

    /// Passes each slab with blocks, and each large block, to a visitor.
    void forEach(Consumer<BlockSlab> visitor) {
        for (int i = 0; i < Math.min(slabs.length, runs.end()); i++) {
            BlockSlab slab = slabs[i];
            if (slab != null && slab.number == i && slab.kind != NONE) {
                visitor.accept(slab);
            }
        }
    }
}
