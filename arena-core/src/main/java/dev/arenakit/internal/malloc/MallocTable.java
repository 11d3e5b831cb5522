package dev.arenakit.internal.malloc;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;

/// An off-heap table of the blocks of an arena by address, with the size and alignment of each block.
///
/// Not thread-safe: a shared arena locks around it.
final class MallocTable {
    /*
     * A hash table with open addressing and linear probing, at most 3/4 full. A removal closes its gap by moving later
     * entries back (Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm R), so that there are no
     * tombstones. An array that is less than 1/8 full is halved, so that its memory is proportional to the number of
     * live blocks.
     *
     *        0                8                  16
     *   entry | address        | sizeAndAlignment |       address 0: an empty slot
     *           sizeAndAlignment: see MallocHeader
     */
    private static final long ENTRY = 16;
    private static final long FIRST_CAPACITY = 16;

    /// The result of [#find] for an address that is not in the table.
    static final long NONE = -1;

    private long array;
    private long capacity;
    private long count;
    /// Whether an entry is being removed or replaced. If an Error interrupts that, two slots may have the same entry,
    /// and the table cannot be used any more.
    private boolean changing;

    long count() {
        return count;
    }

    /// The size of the native array, in bytes.
    long arrayByteSize() {
        return capacity * ENTRY;
    }

    /// Adds all blocks, and the memory of this table.
    void addTo(MallocCounts counts) {
        checkWhole();
        counts.addIndex(arrayByteSize());
        for (long i = 0; i < capacity; i++) {
            if (Memory.getLong(array + i * ENTRY) != 0) {
                counts.add(sizeAndAlignmentAt(i));
            }
        }
    }

    /// Adds a block. If there is no memory for a larger array, nothing has been added.
    void add(AllocatorFunctions allocator, long address, long sizeAndAlignment) {
        checkWhole();
        long slots = slotsFor(count + 1);
        if (slots != capacity) {
            rebuild(allocator, slots);
        }
        insert(array, capacity, address, sizeAndAlignment);
        count++;
    }

    /// The position of a block, valid until the table changes, or [#NONE].
    ///
    /// @throws IllegalStateException if an Error has interrupted a change
    long find(long address) {
        checkWhole();
        return count == 0 ? NONE : find(array, capacity, address);
    }

    /// Size and alignment of the block at a position returned by [#find].
    long sizeAndAlignmentAt(long position) {
        return Memory.getLong(array + position * ENTRY + 8);
    }

    /// Removes the block at a position returned by [#find]. The position is no longer valid.
    void remove(AllocatorFunctions allocator, long position) {
        changing = true;
        remove(array, capacity, position);
        count--;
        changing = false;
        if (capacity > FIRST_CAPACITY && count * 8 < capacity) {
            try {
                rebuild(allocator, capacity / 2);
            } catch (CapacityExceededException | OutOfMemoryError e) {
                // The larger array is also correct, and the block is already removed.
                return;
            }
        }
    }

    /// Replaces the block at a position. This has the effect of [#remove] and [#add], but needs no memory.
    void replace(long position, long address, long sizeAndAlignment) {
        changing = true;
        remove(array, capacity, position);
        insert(array, capacity, address, sizeAndAlignment);
        changing = false;
    }

    /// Frees every block, and the array of this table, which is then empty.
    void freeAll(AllocatorFunctions allocator) {
        long entries = array;
        long slots = capacity;
        // First, so that a second call frees no block again if this call fails.
        array = 0;
        capacity = 0;
        count = 0;
        for (long i = 0; i < slots; i++) {
            long address = Memory.getLong(entries + i * ENTRY);
            if (address != 0 && (!changing || !isSecondEntry(entries, slots, address, i))) {
                MallocHeader.free(allocator, address, Memory.getLong(entries + i * ENTRY + 8));
            }
        }
        if (entries != 0) {
            allocator.freeBlock(entries, slots * ENTRY, AllocatorFunctions.MALLOC_ALIGNMENT);
        }
    }

    /// Whether a block has another entry, because an Error has interrupted the move of the entry. No entry has a second
    /// one while a slot is empty within a cluster, so that the search ends early.
    private static boolean isSecondEntry(long array, long capacity, long address, long position) {
        long first = find(array, capacity, address);
        return first != NONE && first != position;
    }

    private void checkWhole() {
        if (changing) {
            throw MallocRegistry.interrupted();
        }
    }

    private long slotsFor(long entries) {
        long slots = Math.max(capacity, FIRST_CAPACITY);
        while (entries * 4 > slots * 3) {
            slots *= 2;
        }
        return slots;
    }

    /// Moves the entries to an array with another number of slots.
    private void rebuild(AllocatorFunctions allocator, long slots) {
        long rebuilt = allocator.allocateBlock(slots * ENTRY, AllocatorFunctions.MALLOC_ALIGNMENT, true);
        try {
            for (long i = 0; i < capacity; i++) {
                long address = Memory.getLong(array + i * ENTRY);
                if (address != 0) {
                    insert(rebuilt, slots, address, Memory.getLong(array + i * ENTRY + 8));
                }
            }
        } catch (Throwable t) {
            allocator.freeBlock(rebuilt, slots * ENTRY, AllocatorFunctions.MALLOC_ALIGNMENT);
            throw t;
        }
        long old = array;
        long oldSlots = capacity;
        array = rebuilt;
        capacity = slots;
        if (old != 0) {
            allocator.freeBlock(old, oldSlots * ENTRY, AllocatorFunctions.MALLOC_ALIGNMENT);
        }
    }

    private static void insert(long array, long capacity, long address, long sizeAndAlignment) {
        long slot = homeSlot(address, capacity);
        while (Memory.getLong(array + slot * ENTRY) != 0) {
            slot = (slot + 1) & (capacity - 1);
        }
        put(array, slot, address, sizeAndAlignment);
    }

    private static long find(long array, long capacity, long address) {
        long slot = homeSlot(address, capacity);
        for (long found; (found = Memory.getLong(array + slot * ENTRY)) != 0; slot = (slot + 1) & (capacity - 1)) {
            if (found == address) {
                return slot;
            }
        }
        return NONE;
    }

    private static void remove(long array, long capacity, long gap) {
        long mask = capacity - 1;
        long slot = gap;
        while (true) {
            slot = (slot + 1) & mask;
            long address = Memory.getLong(array + slot * ENTRY);
            if (address == 0) {
                put(array, gap, 0, 0);
                return;
            }
            // The entry may move back into the gap, unless its home slot is cyclically after the gap.
            if (((slot - homeSlot(address, capacity)) & mask) >= ((slot - gap) & mask)) {
                put(array, gap, address, Memory.getLong(array + slot * ENTRY + 8));
                gap = slot;
            }
        }
    }

    private static void put(long array, long position, long address, long sizeAndAlignment) {
        // Empty meanwhile: no block is freed with the size of another block if an Error interrupts this method.
        Memory.putLong(array + position * ENTRY, 0);
        Memory.putLong(array + position * ENTRY + 8, sizeAndAlignment);
        Memory.putLong(array + position * ENTRY, address);
    }

    /// Fibonacci hashing (Knuth, section 6.4): addresses differ in their middle bits, and the products differ in their
    /// highest bits.
    static long homeSlot(long address, long capacity) {
        return (address * 0x9E3779B97F4A7C15L) >>> (64 - Long.numberOfTrailingZeros(capacity));
    }
}
