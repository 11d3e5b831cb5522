package dev.arenakit.internal.collection;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Slots with values that are ints.
public final class OrderedInts extends OrderedSlots {
    public OrderedInts(TableMemory memory, long expectedSize) {
        super(memory, "LongIntMap", expectedSize);
    }

    @Override
    void copy(MemorySegment from, long at, MemorySegment to, long toAt) {
        to.set(JAVA_INT_UNALIGNED, toAt + VALUE, from.get(JAVA_INT_UNALIGNED, at + VALUE));
        to.set(JAVA_LONG_UNALIGNED, toAt, from.get(JAVA_LONG_UNALIGNED, at));
    }

    @Override
    void set(MemorySegment slots, long at, long hash, long value) {
        slots.set(JAVA_INT_UNALIGNED, at + VALUE, (int) value);
        slots.set(JAVA_LONG_UNALIGNED, at, hash);
    }

    @Override
    long slotByteSize() {
        return VALUE + Integer.BYTES;
    }

    @Override
    long value(MemorySegment slots, long at) {
        return slots.get(JAVA_INT_UNALIGNED, at + VALUE);
    }

    @Override
    void setValue(MemorySegment slots, long at, long value) {
        slots.set(JAVA_INT_UNALIGNED, at + VALUE, (int) value);
    }
}
