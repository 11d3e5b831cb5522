package dev.arenakit.internal.collection;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The table of a map with a tag of one byte for each entry. The tags are separate from the entries.
///
/// ```text
/// offset 0                    slotsOffset
///        +-----+-----+     +-----+---------+---------+     +---------+
///        | word| word| ... | word| 7 slots | 7 slots | ... | 7 slots |
///        +-----+-----+     +-----+---------+---------+     +---------+
///
/// word of a group:  bits 0 to 7     the number of entries that passed the group because it was full
///                   bits 8 to 63    the tags of its 7 slots: 0 if a slot is empty, else 0x80 and 7 bits of the hash
///
/// slot:             key (8 bytes), value (8 bytes)
/// ```
public final class TaggedSlots extends LongSlots {
    /*
     * The tags of a group are compared at once, as in Abseil's "Swiss tables" (M. Kulukundis, 2017), within the bits of
     * a word as in L. Lamport, "Multiple byte processing with full-word instructions" (CACM 18, 1975). Each group
     * counts the entries that have passed it, as in Folly's F14 (N. Bronson and X. Shi, 2019). A search ends at a group
     * whose count is 0, because no key is farther. A removal decrements the counts, so that no tombstones are needed.
     */
    private static final long SLOTS = 7;
    private static final long SLOT_BYTE_SIZE = 2 * Long.BYTES;
    private static final long GROUP_BYTE_SIZE = SLOTS * SLOT_BYTE_SIZE;
    private static final long ALIGNMENT = Long.BYTES;
    private static final long COUNT_MASK = 0xFF;
    private static final long ONE_IN_EACH = 0x0101010101010100L;
    private static final long USED_IN_EACH = 0x8080808080808000L;

    /// A table of the maximum number of entries has 5 slots for 4 entries.
    private static final long MAX_LOAD_NUMERATOR = 4;
    private static final long MAX_LOAD_DENOMINATOR = 5;
    /// A table is half full when it contains the expected number of entries.
    private static final long SLOTS_PER_EXPECTED = 2;
    private static final long MIN_GROUPS = 3;

    /// An insertion that passes this number of groups finds out whether the table is crowded.
    private static final long FAR = 2;
    /// With random keys, an entry of the fullest table has passed this number of groups on average.
    private static final double PASSED_BY_RANDOM_KEYS = 0.2;

    private long groups;
    private long slotsOffset;
    /// The number of groups that all entries have passed.
    long passes;

    public TaggedSlots(TableMemory memory, long expectedSize) {
        super(memory, "LongLongMap", expectedSize);
        hashFactor = HashedLongs.newFactor();
        resize(Math.max(MIN_GROUPS, SLOTS_PER_EXPECTED * Math.min(expectedSize, Sizes.ADDRESSABLE) / SLOTS + 1),
                hashFactor);
    }

    @Override
    public long find(long key) {
        if ((changes & 1) != 0) {
            throw interrupted();
        }
        MemorySegment memory = segment;
        long hash = key * hashFactor;
        long tags = tag(hash) * ONE_IN_EACH;
        long group = Math.unsignedMultiplyHigh(hash, groups);
        for (long probed = 0; probed <= groups; probed++) {
            long word = memory.get(JAVA_LONG, group * Long.BYTES);
            long different = word ^ tags;
            // Subtraction may also report a different tag after an equal tag. This does no harm, because keys are
            // compared next.
            long equal = (different - ONE_IN_EACH) & ~different & USED_IN_EACH;
            while (equal != 0) {
                long at = offset(group, equal);
                if (memory.get(JAVA_LONG, at) == key) {
                    return at;
                }
                equal &= equal - 1;
            }
            if ((word & COUNT_MASK) == 0) {
                return ABSENT;
            }
            group = following(group, groups);
        }
        return ABSENT;
    }

    @Override
    public long key(long at) {
        return segment.get(JAVA_LONG, at);
    }

    @Override
    public long value(long at) {
        return segment.get(JAVA_LONG, at + Long.BYTES);
    }

    @Override
    public void setValue(long at, long value) {
        segment.set(JAVA_LONG, at + Long.BYTES, value);
    }

    @Override
    public boolean put(long key, long value) {
        long at = find(key);
        if (at == ABSENT) {
            insert(key, value);
            return true;
        }
        setValue(at, value);
        return false;
    }

    @Override
    public long addTo(long key, long delta) {
        long at = find(key);
        if (at == ABSENT) {
            insert(key, delta);
            return delta;
        }
        long sum = value(at) + delta;
        setValue(at, sum);
        return sum;
    }

    private void insert(long key, long value) {
        if (size >= maxSize) {
            resize(Growth.larger(groups, 0),
                    isCrowded() ? HashedLongs.newFactor() : hashFactor);
        }
        changes++;
        long passed = insert(segment, groups, key * hashFactor, key, value);
        passes += passed;
        size++;
        changes++;
        if (passed > FAR && changes >= nextRehash && isCrowded()) {
            rehash(HashedLongs.newFactor(), 2 * size / CHANGES_DIVISOR);
        }
    }

    private boolean isCrowded() {
        return HashedLongs.isCrowded((double) passes, PASSED_BY_RANDOM_KEYS * size, size);
    }

    @Override
    void resize(long newFactor) {
        resize(groups, newFactor);
    }

    @Override
    public void removeAt(long at) {
        MemorySegment memory = segment;
        long index = (at - slotsOffset) / SLOT_BYTE_SIZE;
        long last = index / SLOTS;
        long group = Math.unsignedMultiplyHigh(key(at) * hashFactor, groups);
        long word = memory.get(JAVA_LONG, last * Long.BYTES);
        changes++;
        memory.set(JAVA_LONG, last * Long.BYTES, word & ~(COUNT_MASK << ((index % SLOTS + 1) * Byte.SIZE)));
        for (long probed = 0; group != last && probed < groups; probed++) {
            long passed = memory.get(JAVA_LONG, group * Long.BYTES);
            // A count that has reached its maximum may be too small, and remains until the table grows.
            if ((passed & COUNT_MASK) != COUNT_MASK) {
                memory.set(JAVA_LONG, group * Long.BYTES, passed - 1);
            }
            group = following(group, groups);
            passes--;
        }
        size--;
        changes++;
    }

    @Override
    public void clear() {
        checkOpen();
        MemorySegment words = segment.asSlice(0, slotsOffset);
        changes++;
        words.fill((byte) 0);
        size = 0;
        passes = 0;
        changes++;
    }

    @Override
    public void shrink() {
        checkOpen();
        long least = Math.max(MIN_GROUPS, Math.ceilDiv(size * MAX_LOAD_DENOMINATOR, MAX_LOAD_NUMERATOR * SLOTS));
        if (least < groups && memory.canRelease()) {
            resize(least, hashFactor);
            changes += 2;
        }
    }

    @Override
    public long next(long from) {
        MemorySegment memory = segment;
        long index = Math.max(from - slotsOffset, 0) / SLOT_BYTE_SIZE;
        long ignored = (index % SLOTS + 1) * Byte.SIZE;
        for (long group = index / SLOTS; group < groups; group++) {
            long used = memory.get(JAVA_LONG, group * Long.BYTES) & USED_IN_EACH & (-1L << ignored);
            if (used != 0) {
                return offset(group, used);
            }
            ignored = Byte.SIZE;
        }
        return ABSENT;
    }

    @Override
    public long after(long at) {
        return at + SLOT_BYTE_SIZE;
    }

    /// The number of changes is twice the number of times that the set of keys has changed, plus 1 during a change.
    @Override
    boolean isChanging() {
        return (changes & 1) != 0;
    }

    @Override
    void clearBounds() {
        groups = 0;
        slotsOffset = 0;
        changes = (changes | 1) + 1;
    }

    private void resize(long newGroups, long newFactor) {
        long byteSize = newGroups * (Long.BYTES + GROUP_BYTE_SIZE);
        Sizes.checkAddressable(byteSize, ALIGNMENT);
        long newSlotsOffset = newGroups * Long.BYTES;
        // All words are initialized now. Soon half of the slots are used if the table grows, but perhaps only a few
        // slots of a new table.
        Table larger = memory.allocate(byteSize, ALIGNMENT, size == 0 ? newSlotsOffset : byteSize);
        larger.segment.asSlice(0, newSlotsOffset).fill((byte) 0);
        long newPasses = 0;
        for (long at = next(0); at != ABSENT; at = next(after(at))) {
            long key = key(at);
            newPasses += insert(larger.segment, newGroups, key * newFactor, key, value(at));
        }
        // No call, and so no Error, until all fields are consistent.
        table.isUnused = true;
        larger.isUnused = false;
        table = larger;
        segment = larger.segment;
        groups = newGroups;
        slotsOffset = newSlotsOffset;
        maxSize = newGroups * SLOTS * MAX_LOAD_NUMERATOR / MAX_LOAD_DENOMINATOR;
        hashFactor = newFactor;
        passes = newPasses;
        memory.releaseUnused();
    }

    /// Inserts an entry, and returns the number of groups that it has passed because they are full.
    private static long insert(MemorySegment memory, long groups, long hash, long key, long value) {
        long group = Math.unsignedMultiplyHigh(hash, groups);
        for (long passed = 0; passed < groups; passed++) {
            long word = memory.get(JAVA_LONG, group * Long.BYTES);
            long unused = ~word & USED_IN_EACH;
            if (unused != 0) {
                long at = groups * Long.BYTES + slot(group, unused);
                memory.set(JAVA_LONG, at + Long.BYTES, value);
                memory.set(JAVA_LONG, at, key);
                int shift = Long.numberOfTrailingZeros(unused) - (Byte.SIZE - 1);
                memory.set(JAVA_LONG, group * Long.BYTES, word | (tag(hash) << shift));
                return passed;
            }
            if ((word & COUNT_MASK) != COUNT_MASK) {
                memory.set(JAVA_LONG, group * Long.BYTES, word + 1);
            }
            group = following(group, groups);
        }
        throw new IllegalStateException("The memory of the map has been changed by others: groups=" + groups);
    }

    private static long following(long group, long groups) {
        return group + 1 == groups ? 0 : group + 1;
    }

    /// Returns bits of the hash that are neither part of the group's number nor determined by the lowest bits of the
    /// key. If the lowest bits of the key are 0, so are the lowest bits of the hash; therefore upper bits are included.
    static long tag(long hash) {
        return (((hash >>> 28) ^ (hash >>> 44)) & 0x7F) | 0x80;
    }

    /// Returns the offset of the slot that belongs to the first tag whose highest bit is set.
    private long offset(long group, long tags) {
        return slotsOffset + slot(group, tags);
    }

    private static long slot(long group, long tags) {
        return group * GROUP_BYTE_SIZE + ((long) Long.numberOfTrailingZeros(tags) / Byte.SIZE - 1) * SLOT_BYTE_SIZE;
    }
}
