package dev.arenakit.internal.collection;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Slots of a set of longs.
public final class OrderedLongKeys extends OrderedSlots {
    public OrderedLongKeys(TableMemory memory, long expectedSize) {
        super(memory, "LongSet", expectedSize);
    }

    @Override
    void copy(MemorySegment from, long at, MemorySegment to, long toAt) {
        to.set(JAVA_LONG_UNALIGNED, toAt, from.get(JAVA_LONG_UNALIGNED, at));
    }

    @Override
    void set(MemorySegment slots, long at, long hash, long value) {
        slots.set(JAVA_LONG_UNALIGNED, at, hash);
    }

    @Override
    long slotByteSize() {
        return Long.BYTES;
    }
}
