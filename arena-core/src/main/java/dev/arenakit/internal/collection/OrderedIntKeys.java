package dev.arenakit.internal.collection;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// Slots of a set of ints. They contain the upper halves of the hash codes, whose lower halves are all ones.
public final class OrderedIntKeys extends OrderedSlots {
    private static final long LOWER_HALF = 0xFFFF_FFFFL;

    public OrderedIntKeys(TableMemory memory, long expectedSize) {
        super(memory, "IntSet", expectedSize);
    }

    @Override
    void copy(MemorySegment from, long at, MemorySegment to, long toAt) {
        to.set(JAVA_INT_UNALIGNED, toAt, from.get(JAVA_INT_UNALIGNED, at));
    }

    @Override
    void set(MemorySegment slots, long at, long hash, long value) {
        slots.set(JAVA_INT_UNALIGNED, at, (int) (hash >>> Integer.SIZE));
    }

    @Override
    long slotByteSize() {
        return Integer.BYTES;
    }

    /// The upper half of a factor is to 2^32 nearly what the factor is to 2^64.
    @Override
    long newFactor() {
        return (super.newFactor() >>> Integer.SIZE) | 1;
    }

    @Override
    long hash(long key, long byFactor) {
        return ~((key * byFactor) << Integer.SIZE);
    }

    @Override
    long keyOf(long hash, long byInverse) {
        return (int) ((~hash >>> Integer.SIZE) * byInverse);
    }

    @Override
    long hashAt(MemorySegment slots, long at) {
        return ((long) slots.get(JAVA_INT_UNALIGNED, at) << Integer.SIZE) | LOWER_HALF;
    }
}
