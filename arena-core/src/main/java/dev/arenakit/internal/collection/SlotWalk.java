package dev.arenakit.internal.collection;

import java.util.ConcurrentModificationException;

/// An iteration over the entries of [LongSlots], in no particular order.
public final class SlotWalk {
    private final LongSlots slots;
    private long changes;
    private long next;
    private long at = LongSlots.ABSENT;
    private long key;
    private long value;

    public SlotWalk(LongSlots slots) {
        slots.checkOpen();
        this.slots = slots;
        changes = slots.changes();
    }

    public boolean moveNext() {
        check();
        if (next == LongSlots.ABSENT) {
            return false;
        }
        at = slots.next(next);
        if (at == LongSlots.ABSENT) {
            next = at;
            return false;
        }
        next = slots.after(at);
        key = slots.key(at);
        value = slots.value(at);
        return true;
    }

    public long key() {
        return key;
    }

    public long value() {
        return value;
    }

    public void setValue(long newValue) {
        check();
        checkAtEntry();
        slots.setValue(at, newValue);
        value = newValue;
    }

    /// Removes the present entry.
    public void remove() {
        check();
        checkAtEntry();
        slots.removeAt(at);
        // Later entries may have moved back, but not to an offset before this one.
        next = at;
        at = LongSlots.ABSENT;
        changes = slots.changes();
    }

    private void checkAtEntry() {
        if (at == LongSlots.ABSENT) {
            throw new IllegalStateException("The cursor is not at an entry");
        }
    }

    private void check() {
        slots.checkOpen();
        if (slots.changes() != changes) {
            throw new ConcurrentModificationException("The map has changed since the cursor was created");
        }
    }
}
