package dev.arenakit;

import dev.arenakit.internal.Memory;

/// The native blocks that an arena has to give back, with size and alignment of each: off-heap, and no garbage.
///
/// Not thread-safe: a shared arena locks around it.
final class BlockLedger {
    /*
     * A ledger begins as a log. Its first entry is a pair of fields, so that an arena of one block has no table at all;
     * the others stand in a native array that doubles. An arena that never frees a single block pays an append for each,
     * and nothing else.
     *
     * The first time that a block has to be found, the log becomes an index: a hash table of the same entries under the
     * address, with open addressing and linear probing, at most 3/4 full. A removal closes its gap by moving later
     * entries back (Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm R), so that there are no
     * tombstones; a table that is less than 1/8 full is halved, so that memory follows the number of live blocks.
     *
     *        0                8                16
     *   entry | address        | shape          |       address 0: an empty slot of the index
     *           shape = byteSize << 6 | log2(byteAlignment)
     *
     * The slow paths are static and take primitives only: an arena whose ledger escaped to them would no longer be
     * scalar-replaced.
     */
    private static final long ENTRY = 16;
    private static final long FIRST_CAPACITY = 16;

    /// What [#find] answers for an address that is not in the ledger.
    static final long NONE = -1;

    private long firstAddress;
    private long firstShape;
    private long table;
    private long capacity;
    private long count;
    private boolean indexed;

    /// Size and alignment in one word: the largest size has 48 bits, the exponent of the alignment 6.
    static long shape(long byteSize, long byteAlignment) {
        return (byteSize << 6) | Long.numberOfTrailingZeros(byteAlignment);
    }

    static long byteSize(long shape) {
        return shape >>> 6;
    }

    static long byteAlignment(long shape) {
        return 1L << shape;
    }

    long count() {
        return count;
    }

    /// Bytes of native memory that the ledger itself holds.
    long tableByteSize() {
        return capacity * ENTRY;
    }

    /// Enters a block. When this throws, nothing was entered.
    void add(NativeAllocator allocator, long address, long shape) {
        if (indexed) {
            if ((count + 1) * 4 > capacity * 3) {
                resize(allocator, capacity * 2);
            }
            insert(table, capacity, address, shape);
        } else if (count == 0) {
            firstAddress = address;
            firstShape = shape;
        } else {
            if (count > capacity) {
                long larger = Math.max(FIRST_CAPACITY, capacity * 2);
                table = allocator.reallocate(table, capacity * ENTRY, larger * ENTRY);
                capacity = larger;
            }
            put(table, count - 1, address, shape);
        }
        count++;
    }

    /// The position of a block, valid until the ledger changes, or [#NONE].
    long find(NativeAllocator allocator, long address) {
        if (count == 0) {
            // There may be no table, neither before the first block nor after freeAll().
            return NONE;
        }
        if (!indexed) {
            index(allocator);
        }
        return find(table, capacity, address);
    }

    /// Size and alignment of the block at a position that [#find] gave.
    long shapeAt(long position) {
        return Memory.getLong(table + position * ENTRY + 8);
    }

    /// Strikes out the block at a position that [#find] gave.
    void remove(NativeAllocator allocator, long position) {
        remove(table, capacity, position);
        count--;
        if (capacity > FIRST_CAPACITY && count * 8 < capacity) {
            try {
                resize(allocator, capacity / 2);
            } catch (OutOfMemoryError e) {
                // The larger table serves as well, and the caller's block is on its way out already.
                return;
            }
        }
    }

    /// Enters a block in place of the one at a position: as [#remove] and [#add], but cannot fail.
    void replace(long position, long address, long shape) {
        remove(table, capacity, position);
        insert(table, capacity, address, shape);
    }

    /// Gives every block back, and the ledger's own memory.
    void freeAll(NativeAllocator allocator) {
        if (!indexed && count > 0) {
            allocator.free(firstAddress, byteSize(firstShape));
        }
        if (table != 0) {
            freeTable(allocator, table, indexed ? capacity : count - 1, capacity);
        }
        table = 0;
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
            insert(index, slots, firstAddress, firstShape);
        }
        if (table != 0) {
            reinsert(table, count - 1, index, slots);
            allocator.free(table, capacity * ENTRY);
        }
        table = index;
        capacity = slots;
        indexed = true;
    }

    private void resize(NativeAllocator allocator, long slots) {
        long index = allocator.allocateZeroed(slots * ENTRY, NativeAllocator.MALLOC_ALIGNMENT);
        reinsert(table, capacity, index, slots);
        allocator.free(table, capacity * ENTRY);
        table = index;
        capacity = slots;
    }

    private static void freeTable(NativeAllocator allocator, long table, long entries, long capacity) {
        for (long i = 0; i < entries; i++) {
            long address = Memory.getLong(table + i * ENTRY);
            if (address != 0) {
                allocator.free(address, byteSize(Memory.getLong(table + i * ENTRY + 8)));
            }
        }
        allocator.free(table, capacity * ENTRY);
    }

    private static void reinsert(long from, long entries, long index, long capacity) {
        for (long i = 0; i < entries; i++) {
            long address = Memory.getLong(from + i * ENTRY);
            if (address != 0) {
                insert(index, capacity, address, Memory.getLong(from + i * ENTRY + 8));
            }
        }
    }

    private static void insert(long index, long capacity, long address, long shape) {
        long slot = home(address, capacity);
        while (Memory.getLong(index + slot * ENTRY) != 0) {
            slot = (slot + 1) & (capacity - 1);
        }
        put(index, slot, address, shape);
    }

    private static long find(long index, long capacity, long address) {
        long slot = home(address, capacity);
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
            // The entry may move back into the gap unless its home lies cyclically behind the gap.
            if (((slot - home(address, capacity)) & mask) >= ((slot - gap) & mask)) {
                put(index, gap, address, Memory.getLong(index + slot * ENTRY + 8));
                gap = slot;
            }
        }
    }

    private static void put(long table, long position, long address, long shape) {
        Memory.putLong(table + position * ENTRY, address);
        Memory.putLong(table + position * ENTRY + 8, shape);
    }

    /// Fibonacci hashing (Knuth, section 6.4): addresses differ in their middle bits, the product in its highest.
    static long home(long address, long capacity) {
        return (address * 0x9E3779B97F4A7C15L) >>> (64 - Long.numberOfTrailingZeros(capacity));
    }
}
