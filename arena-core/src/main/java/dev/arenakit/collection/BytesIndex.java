package dev.arenakit.collection;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A hash table of the keys in an [EntryHeap].
///
/// ```text
/// slot:  63        48 47                0
///        | hash bits | entry offset + 1 |     0: empty
/// ```
///
/// The bits of the hash in a slot exclude nearly all other keys before their bytes are compared.
final class BytesIndex {
    /*
     * Linear probing in slots of 8 bytes: a cache line has eight of them. A removal moves later slots back, so that no
     * marks remain; it computes the hashes of the keys that it moves.
     *
     * A change that takes several writes sets `isTorn` first. If it does not come to its end, because the stack is
     * exhausted, the next operation completes the removal and builds the slots anew from the entries.
     *
     * No loop depends on the content of memory to end: a probe visits each slot at most once.
     */
    private static final long HASH_BITS = 0xFFFFL << 48;
    private static final long OFFSET_BITS = ~HASH_BITS;
    private static final long LEAST_SLOTS = 16;
    /// The mask of a closed table.
    private static final long CLOSED = -1;

    final EntryHeap heap;
    private final BytesHash hash;
    private final TableMemory memory;
    private final String name;

    private Table table;
    private MemorySegment slots;
    /// The number of slots less 1. It is a power of two less 1.
    private long mask;
    private long size;
    private boolean isTorn;
    /// The entry that a torn change has removed, or -1.
    private long removedEntry = -1;
    /// The number of changes after which an iteration cannot continue.
    private int changes;

    /// @param name                 the name of the class of the structure
    /// @param expectedSize         the number of keys for which there is room at first
    /// @param expectedKeysByteSize the size of these keys together
    BytesIndex(TableMemory memory, String name, EntryHeap.Format format, long expectedSize,
            long expectedKeysByteSize) {
        if (expectedSize < 0 || expectedKeysByteSize < 0) {
            throw new IllegalArgumentException("Expected size is negative: expectedSize=" + expectedSize
                    + ", expectedKeysByteSize=" + expectedKeysByteSize);
        }
        this.memory = memory;
        this.name = name;
        this.hash = BytesHash.random();
        // What exceeds these bounds exceeds the address space, and the products of smaller numbers do not overflow.
        long entries = Math.min(expectedSize, Sizes.ADDRESSABLE);
        long entryByteSize = Math.min(format.keyOffset() + format.byteAlignment() - 1, 1 << 14);
        long slotCount = slotsFor(entries);
        try {
            this.table = allocateSlots(slotCount);
            this.slots = table.segment;
            this.mask = slotCount - 1;
            slots.fill((byte) 0);
            this.heap = new EntryHeap(memory, format,
                    entries * entryByteSize + Math.min(expectedKeysByteSize, Sizes.ADDRESSABLE));
        } catch (Throwable t) {
            memory.close();
            throw t;
        }
    }

    long size() {
        checkOpen();
        return repaired().size;
    }

    long byteSize() {
        checkOpen();
        return slots.byteSize() + heap.segment.byteSize();
    }

    long hash(byte[] key, int offset, int byteSize) {
        return hash.of(key, offset, byteSize);
    }

    long hash(MemorySegment key, long offset, long byteSize) {
        return hash.of(key, offset, byteSize);
    }

    /// Returns the offset of the entry of a key, or -1.
    long find(long hash, byte[] key, int offset, int byteSize) {
        if (isTorn) {
            repair();
        }
        MemorySegment slots = this.slots;
        MemorySegment entries = heap.segment;
        long keyOffset = heap.keyOffset;
        long mask = this.mask;
        long at = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long slot = slots.get(JAVA_LONG_UNALIGNED, at << 3);
            if (slot == 0) {
                return -1;
            }
            if (((slot ^ hash) & HASH_BITS) == 0) {
                long entry = (slot & OFFSET_BITS) - 1;
                if (entries.get(JAVA_INT_UNALIGNED, entry) == byteSize
                        && BytesHash.equal(entries, entry + keyOffset, key, offset, byteSize)) {
                    return entry;
                }
            }
            at = (at + 1) & mask;
        }
        return notFound();
    }

    /// Returns the offset of the entry of a key, or -1.
    long find(long hash, MemorySegment key, long offset, long byteSize) {
        if (isTorn) {
            repair();
        }
        MemorySegment slots = this.slots;
        MemorySegment entries = heap.segment;
        long keyOffset = heap.keyOffset;
        long mask = this.mask;
        long at = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long slot = slots.get(JAVA_LONG_UNALIGNED, at << 3);
            if (slot == 0) {
                return -1;
            }
            if (((slot ^ hash) & HASH_BITS) == 0) {
                long entry = (slot & OFFSET_BITS) - 1;
                if (entries.get(JAVA_INT_UNALIGNED, entry) == byteSize
                        && BytesHash.equal(entries, entry + keyOffset, key, offset, byteSize)) {
                    return entry;
                }
            }
            at = (at + 1) & mask;
        }
        return notFound();
    }

    /// Makes room for another entry, and returns its offset. The caller writes key and value there, and then
    /// calls [#add].
    long reserve(long keyByteSize, long tailByteSize) {
        checkOpen();
        EntryHeap.checkByteSize("key", keyByteSize);
        if (isTorn) {
            repair();
        }
        if (size >= mask - (mask >>> 2)) {
            growSlots();
        }
        long byteSize = heap.byteSize(keyByteSize, tailByteSize);
        if (!heap.hasRoom(byteSize)) {
            changes++;
            if (heap.isWorthCompacting()) {
                compact(byteSize);
            } else {
                heap.grow(byteSize);
            }
        }
        heap.segment.set(JAVA_INT_UNALIGNED, heap.end, (int) keyByteSize);
        return heap.end;
    }

    /// Makes the entry that was written at the end a part of the map.
    void add(long hash, long entry) {
        long end = entry + heap.byteSizeAt(heap.segment, entry);
        changes++;
        isTorn = true;
        link(slots, mask, hash, entry);
        heap.end = end;
        size++;
        isTorn = false;
    }

    /// Replaces an entry of a key by the one that was written at the end.
    void replace(long hash, long replaced, long entry) {
        long byteSize = heap.byteSizeAt(heap.segment, replaced);
        long end = entry + heap.byteSizeAt(heap.segment, entry);
        long at = slotOf(hash, replaced);
        changes++;
        removedEntry = replaced;
        heap.end = end;
        isTorn = true;
        heap.markRemoved(replaced);
        slots.set(JAVA_LONG_UNALIGNED, at << 3, slot(hash, entry));
        heap.removedByteSize += byteSize;
        removedEntry = -1;
        isTorn = false;
    }

    private void remove(long hash, long entry) {
        long byteSize = heap.byteSizeAt(heap.segment, entry);
        long at = slotOf(hash, entry);
        changes++;
        removedEntry = entry;
        isTorn = true;
        heap.markRemoved(entry);
        unlink(at);
        heap.removedByteSize += byteSize;
        size--;
        removedEntry = -1;
        isTorn = false;
        if (size == 0) {
            heap.clear();
        }
    }

    boolean remove(long hash, byte[] key, int offset, int byteSize) {
        long entry = find(hash, key, offset, byteSize);
        if (entry >= 0) {
            remove(hash, entry);
        }
        return entry >= 0;
    }

    boolean remove(long hash, MemorySegment key, long offset, long byteSize) {
        long entry = find(hash, key, offset, byteSize);
        if (entry >= 0) {
            remove(hash, entry);
        }
        return entry >= 0;
    }

    void clear() {
        checkOpen();
        changes++;
        isTorn = true;
        heap.clear();
        slots.fill((byte) 0);
        size = 0;
        isTorn = false;
    }

    /// Returns the number to pass to [#checkUnchanged] during an iteration.
    int startIteration() {
        checkOpen();
        return repaired().changes;
    }

    /// Checks that no entry was added or removed since an iteration has started.
    void checkUnchanged(int changesAtStart) {
        if (changes != changesAtStart) {
            checkOpen();
            throw new ConcurrentModificationException("Changed during an iteration: " + name);
        }
    }

    void close() {
        if (!slots.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("Closed by a thread that may not access it: " + name + ", thread="
                    + Thread.currentThread());
        }
        changes++;
        mask = CLOSED;
        isTorn = false;
        slots = TableMemory.CLOSED;
        heap.close();
        memory.close();
    }

    void checkOpen() {
        if (mask == CLOSED) {
            throw new IllegalStateException("Already closed: " + name);
        }
    }

    String describe(String unit) {
        return mask == CLOSED
                ? name + ": closed"
                : name + ": " + size + " " + unit + ", " + ((slots.byteSize() + heap.segment.byteSize()) >> 10)
                        + " KiB";
    }

    private long notFound() {
        checkOpen();
        return -1;
    }

    private static long slot(long hash, long entry) {
        return (hash & HASH_BITS) | (entry + 1);
    }

    private long slotOf(long hash, long entry) {
        long slot = slot(hash, entry);
        long at = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            if (slots.get(JAVA_LONG_UNALIGNED, at << 3) == slot) {
                return at;
            }
            at = (at + 1) & mask;
        }
        throw new ConcurrentModificationException("Changed by another thread: " + name);
    }

    private static void link(MemorySegment slots, long mask, long hash, long entry) {
        long at = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            if (slots.get(JAVA_LONG_UNALIGNED, at << 3) == 0) {
                slots.set(JAVA_LONG_UNALIGNED, at << 3, slot(hash, entry));
                return;
            }
            at = (at + 1) & mask;
        }
        throw new ConcurrentModificationException("Changed by another thread: no slot is empty");
    }

    /// Empties a slot, and moves back the slots behind it that would not be found any more.
    private void unlink(long removed) {
        MemorySegment slots = this.slots;
        MemorySegment entries = heap.segment;
        long hole = removed;
        long at = removed;
        for (long probes = 0; probes < mask; probes++) {
            at = (at + 1) & mask;
            long slot = slots.get(JAVA_LONG_UNALIGNED, at << 3);
            if (slot == 0) {
                break;
            }
            long home = hashAt(entries, (slot & OFFSET_BITS) - 1) & mask;
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                slots.set(JAVA_LONG_UNALIGNED, hole << 3, slot);
                hole = at;
            }
        }
        slots.set(JAVA_LONG_UNALIGNED, hole << 3, 0L);
    }

    private long hashAt(MemorySegment entries, long entry) {
        return hash.of(entries, entry + heap.keyOffset, EntryHeap.keyByteSize(entries, entry));
    }

    private void growSlots() {
        long slotCount = 2 * (mask + 1);
        Table larger = allocateSlots(slotCount);
        try {
            fill(larger.segment, slotCount - 1);
        } catch (Throwable t) {
            memory.release(larger);
            throw t;
        }
        Table old = table;
        old.isUnused = true;
        table = larger;
        slots = larger.segment;
        mask = slotCount - 1;
        memory.release(old);
    }

    private void compact(long byteSize) {
        Table compact = heap.copyCompacted(byteSize);
        isTorn = true;
        Table old = heap.exchange(compact);
        fill(slots, mask);
        isTorn = false;
        memory.release(old);
    }

    private BytesIndex repaired() {
        if (isTorn) {
            repair();
        }
        return this;
    }

    private void repair() {
        checkOpen();
        changes++;
        if (removedEntry >= 0) {
            heap.markRemoved(removedEntry);
        }
        long live = fill(slots, mask);
        long liveByteSize = 0;
        for (long entry = heap.firstFrom(0); entry < heap.end;) {
            long byteSize = heap.byteSizeAt(heap.segment, entry);
            liveByteSize += byteSize;
            entry = heap.firstFrom(entry + byteSize);
        }
        size = live;
        heap.removedByteSize = heap.end - liveByteSize;
        removedEntry = -1;
        isTorn = false;
    }

    /// Links all entries to empty slots, and returns their number.
    private long fill(MemorySegment slots, long mask) {
        slots.fill((byte) 0);
        MemorySegment entries = heap.segment;
        long live = 0;
        for (long entry = heap.firstFrom(0); entry < heap.end; live++) {
            link(slots, mask, hashAt(entries, entry), entry);
            entry = heap.firstFrom(entry + heap.byteSizeAt(entries, entry));
        }
        return live;
    }

    private static long slotsFor(long entries) {
        long slots = LEAST_SLOTS;
        while (entries > slots - (slots >>> 2)) {
            slots <<= 1;
        }
        return slots;
    }

    private Table allocateSlots(long slotCount) {
        Sizes.checkAddressable(slotCount << 3, 8);
        return memory.allocate(slotCount << 3, 8);
    }
}
