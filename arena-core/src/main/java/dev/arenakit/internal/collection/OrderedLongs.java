package dev.arenakit.internal.collection;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Slots with values that are longs.
public final class OrderedLongs extends OrderedSlots {
    public OrderedLongs(TableMemory memory, long expectedSize) {
        super(memory, "LongLongMap", expectedSize);
    }

    @Override
    void copy(MemorySegment from, long at, MemorySegment to, long toAt) {
        to.set(JAVA_LONG_UNALIGNED, toAt + VALUE, from.get(JAVA_LONG_UNALIGNED, at + VALUE));
        to.set(JAVA_LONG_UNALIGNED, toAt, from.get(JAVA_LONG_UNALIGNED, at));
    }

    @Override
    void set(MemorySegment slots, long at, long hash, long value) {
        slots.set(JAVA_LONG_UNALIGNED, at + VALUE, value);
        slots.set(JAVA_LONG_UNALIGNED, at, hash);
    }

    @Override
    long slotByteSize() {
        return VALUE + Long.BYTES;
    }

    @Override
    long value(MemorySegment slots, long at) {
        return slots.get(JAVA_LONG_UNALIGNED, at + VALUE);
    }

    @Override
    void setValue(MemorySegment slots, long at, long value) {
        slots.set(JAVA_LONG_UNALIGNED, at + VALUE, value);
    }
}
