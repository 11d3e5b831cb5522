package dev.arenakit;

import dev.arenakit.internal.Memory;

/// An off-heap table of the native blocks that an arena must free, with the size and alignment of each.
///
/// Not thread-safe: a shared arena locks around it.
final class BlockTable {
    /*
     * The table starts as a log. Its first entry is a pair of fields, so that an arena of one block needs no native
     * array; the other entries are in a native array that doubles. An arena that never frees a single block only
     * appends.
     *
     * The first search for a block turns the log into an index: a hash table of the same entries by address, with open
     * addressing and linear probing, at most 3/4 full. A removal closes its gap by moving later entries back (Knuth,
     * The Art of Computer Programming, volume 3, section 6.4, algorithm R), so that there are no tombstones. An array
     * that is less than 1/8 full is halved, so that its memory is proportional to the number of live blocks.
     *
     *        0                8                  16
     *   entry | address        | sizeAndAlignment |       address 0: an empty slot of the index
     *           sizeAndAlignment = byteSize << 6 | log2(byteAlignment)
     *
     * The slow paths are static and take primitives only: if the table escaped to them, its arena would no longer be
     * scalar-replaced.
     */
    private static final long ENTRY = 16;
    private static final long FIRST_CAPACITY = 16;

    /// The result of [#find] for an address that is not in the table.
    static final long NONE = -1;

    private long firstAddress;
    private long firstSizeAndAlignment;
    private long array;
    private long capacity;
    private long count;
    private boolean indexed;

    /// Encodes size and alignment in one word: the largest size has 48 bits, the exponent of the alignment 6.
    static long sizeAndAlignment(long byteSize, long byteAlignment) {
        return (byteSize << 6) | Long.numberOfTrailingZeros(byteAlignment);
    }

    static long byteSize(long sizeAndAlignment) {
        return sizeAndAlignment >>> 6;
    }

    static long byteAlignment(long sizeAndAlignment) {
        return 1L << sizeAndAlignment;
    }

    long count() {
        return count;
    }

    /// The size of the native array, in bytes.
    long arrayByteSize() {
        return capacity * ENTRY;
    }

    /// Adds a block. If this method throws, nothing has been added.
    void add(NativeAllocator allocator, long address, long sizeAndAlignment) {
        if (indexed) {
            if ((count + 1) * 4 > capacity * 3) {
                resize(allocator, capacity * 2);
            }
            insert(array, capacity, address, sizeAndAlignment);
        } else if (count == 0) {
            firstAddress = address;
            firstSizeAndAlignment = sizeAndAlignment;
        } else {
            if (count > capacity) {
                long larger = Math.max(FIRST_CAPACITY, capacity * 2);
                array = allocator.reallocate(array, capacity * ENTRY, larger * ENTRY);
                capacity = larger;
            }
            put(array, count - 1, address, sizeAndAlignment);
        }
        count++;
    }

    /// The position of a block, valid until the table changes, or [#NONE].
    long find(NativeAllocator allocator, long address) {
        if (count == 0) {
            // There may be no array: before the first block, and after freeAll().
            return NONE;
        }
        if (!indexed) {
            index(allocator);
        }
        return find(array, capacity, address);
    }

    /// Size and alignment of the block at a position returned by [#find].
    long sizeAndAlignmentAt(long position) {
        return Memory.getLong(array + position * ENTRY + 8);
    }

    /// Removes the block at a position returned by [#find].
    void remove(NativeAllocator allocator, long position) {
        remove(array, capacity, position);
        count--;
        if (capacity > FIRST_CAPACITY && count * 8 < capacity) {
            try {
                resize(allocator, capacity / 2);
            } catch (OutOfMemoryError e) {
                // The larger array works as well, and the block is already removed.
                return;
            }
        }
    }

    /// Replaces the block at a position. This has the effect of [#remove] and [#add], but cannot fail.
    void replace(long position, long address, long sizeAndAlignment) {
        remove(array, capacity, position);
        insert(array, capacity, address, sizeAndAlignment);
    }

    /// Frees every block, and the array of this table.
    void freeAll(NativeAllocator allocator) {
        if (!indexed && count > 0) {
            allocator.free(firstAddress, byteSize(firstSizeAndAlignment));
        }
        if (array != 0) {
            freeEntries(allocator, array, indexed ? capacity : count - 1, capacity);
        }
        array = 0;
        capacity = 0;
        count = 0;
    }

    private void index(NativeAllocator allocator) {
        long slots = FIRST_CAPACITY;
        while (count * 2 > slots) {
            slots *= 2;
        }
        long index = allocator.allocateZeroed(slots * ENTRY, NativeAllocator.MALLOC_ALIGNMENT);
        if (count > 0) {
            insert(index, slots, firstAddress, firstSizeAndAlignment);
        }
        if (array != 0) {
            reinsert(array, count - 1, index, slots);
            allocator.free(array, capacity * ENTRY);
        }
        array = index;
        capacity = slots;
        indexed = true;
    }

    private void resize(NativeAllocator allocator, long slots) {
        long index = allocator.allocateZeroed(slots * ENTRY, NativeAllocator.MALLOC_ALIGNMENT);
        reinsert(array, capacity, index, slots);
        allocator.free(array, capacity * ENTRY);
        array = index;
        capacity = slots;
    }

    private static void freeEntries(NativeAllocator allocator, long array, long entries, long capacity) {
        for (long i = 0; i < entries; i++) {
            long address = Memory.getLong(array + i * ENTRY);
            if (address != 0) {
                allocator.free(address, byteSize(Memory.getLong(array + i * ENTRY + 8)));
            }
        }
        allocator.free(array, capacity * ENTRY);
    }

    private static void reinsert(long from, long entries, long index, long capacity) {
        for (long i = 0; i < entries; i++) {
            long address = Memory.getLong(from + i * ENTRY);
            if (address != 0) {
                insert(index, capacity, address, Memory.getLong(from + i * ENTRY + 8));
            }
        }
    }

    private static void insert(long index, long capacity, long address, long sizeAndAlignment) {
        long slot = homeSlot(address, capacity);
        while (Memory.getLong(index + slot * ENTRY) != 0) {
            slot = (slot + 1) & (capacity - 1);
        }
        put(index, slot, address, sizeAndAlignment);
    }

    private static long find(long index, long capacity, long address) {
        long slot = homeSlot(address, capacity);
        for (long found; (found = Memory.getLong(index + slot * ENTRY)) != 0; slot = (slot + 1) & (capacity - 1)) {
            if (found == address) {
                return slot;
            }
        }
        return NONE;
    }

    private static void remove(long index, long capacity, long gap) {
        long mask = capacity - 1;
        long slot = gap;
        while (true) {
            slot = (slot + 1) & mask;
            long address = Memory.getLong(index + slot * ENTRY);
            if (address == 0) {
                put(index, gap, 0, 0);
                return;
            }
            // The entry may move back into the gap, unless its home slot is cyclically after the gap.
            if (((slot - homeSlot(address, capacity)) & mask) >= ((slot - gap) & mask)) {
                put(index, gap, address, Memory.getLong(index + slot * ENTRY + 8));
                gap = slot;
            }
        }
    }

    private static void put(long array, long position, long address, long sizeAndAlignment) {
        Memory.putLong(array + position * ENTRY, address);
        Memory.putLong(array + position * ENTRY + 8, sizeAndAlignment);
    }

    /// Fibonacci hashing (Knuth, section 6.4): addresses differ in their middle bits, the products in their highest.
    static long homeSlot(long address, long capacity) {
        return (address * 0x9E3779B97F4A7C15L) >>> (64 - Long.numberOfTrailingZeros(capacity));
    }
}
