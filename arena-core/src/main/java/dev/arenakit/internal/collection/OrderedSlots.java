package dev.arenakit.internal.collection;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The table of a map from longs to longs or ints, or of a set: the hash codes of the keys in ascending order, each with
/// its value.
///
/// ```text
/// offset 0                                homes                    last        extra
///        +-----+-----+-----+     +-----+ +-----+     +-----+     +-----+     +-----+
///        | slot| slot| slot| ... | slot| | slot| ... | slot|     |EMPTY|     | slot|
///        +-----+-----+-----+     +-----+ +-----+     +-----+     +-----+     +-----+
///         slots that are homes            slots of the tail                   of the key 0, whose hash code is EMPTY
///
/// slot = hash code (8 bytes; 4 in a set of ints), value (8, 4 or 0 bytes)
/// ```
public abstract sealed class OrderedSlots extends LongSlots
        permits OrderedLongs, OrderedInts, OrderedLongKeys, OrderedIntKeys {
    /*
     * Linear probing in an ordered table (O. Amble and D. E. Knuth, "Ordered hash tables", The Computer Journal 17,
     * 1974), without a wrap at the end (G. H. Gonnet and J. I. Munro, "The analysis of linear probing sort", ICALP
     * 1981).
     *
     * The home of a hash code is its position in the range of all hash codes, scaled to the number of homes. So homes
     * ascend with the hash codes, and the table is sorted: each entry is in its home or, if the previous entry is in
     * that slot or after it, in the slot after the previous entry. Hence
     * - a search for a missing key ends at the first larger hash code, which is sooner than at the first empty slot.
     *   EMPTY is the largest number, so that one comparison ends the search in both cases;
     * - a removal moves the following entries back until one is in its home, so that no tombstones are needed;
     * - growth reads the old table once and writes the new one once, both from the beginning to the end.
     *
     * The tail, the slots after the homes, is for entries that are displaced beyond the last home. The last slot
     * remains empty and ends each search. If the tail is full, the table grows.
     *
     * The hash function is bijective, so that hash codes are stored instead of keys. The inverse factor restores the
     * keys. If the keys are crowded by the factor, as [HashedLongs] says, the next insertion that moves far chooses
     * another factor, and distributes all entries again.
     *
     * A change that takes several writes sets the factor to 0 before the first write, and to its value after the last
     * write. If an Error interrupts the change, the factor remains 0, so that each key has the hash code EMPTY, whose
     * search throws an exception. Thus other searches have nothing to check.
     *
     * Each kind of slot has a subclass, so that the compiler knows the size of a slot. Beyond the caches, a search
     * with fewer instructions is faster, because the processor starts more of the following searches while it waits for
     * memory. For the same reason, a search does not compare several slots without branches, and compares a slot for
     * equality first: most keys are in their homes.
     */
    private static final long EMPTY = -1;
    private static final long CHANGING = 0;
    private static final long TAIL_IS_FULL = -1;

    /// A table of the maximum number of entries has 4 homes for 3 entries.
    private static final long MAX_LOAD_NUMERATOR = 3;
    private static final long MAX_LOAD_DENOMINATOR = 4;
    /// A table is half full when it contains the expected number of entries.
    private static final long HOMES_PER_EXPECTED = 2;
    private static final long MIN_HOMES = 16;
    /// With random keys, a displacement larger than this occurs less than once in 10^11 growths, for tables of any
    /// size. With other keys, the tail may have to grow.
    private static final long MAX_TAIL = 64;
    /// The alignment of an array of longs. A larger alignment is of little use, because a search starts anywhere in a
    /// cache line.
    private static final long ALIGNMENT = Long.BYTES;
    static final long VALUE = Long.BYTES;

    /// An insertion that ends this number of slots after its home finds out whether the table is crowded. With random
    /// keys, few insertions do.
    private static final long FAR = 8;

    private long inverse;
    /// [#hashFactor], or CHANGING during a change.
    private long factor;
    /// The number of slots at which a search can start.
    private long homes;
    /// The offset of the last slot, which is empty.
    private long last;
    /// 1 if the map contains the key 0, else 0.
    private long extras;
    /// The sum of the distances of all entries from their homes, in bytes.
    long displacement;

    OrderedSlots(TableMemory memory, String name, long expectedSize) {
        super(memory, name, expectedSize);
        hashFactor = newFactor();
        inverse = HashedLongs.inverse(hashFactor);
        factor = hashFactor;
        // More entries than addresses need more memory than there is, whatever their number.
        resize(Math.max(MIN_HOMES, HOMES_PER_EXPECTED * Math.min(expectedSize, Sizes.ADDRESSABLE)), 0, hashFactor);
    }

    @Override
    public long find(long key) {
        long hash = hash(key);
        return hash == EMPTY ? findExtra() : Math.max(search(segment, hash), ABSENT);
    }

    @Override
    public long get(long key, long missing) {
        MemorySegment slots = segment;
        long hash = hash(key);
        if (hash == EMPTY) {
            return super.get(key, missing);
        }
        long at = search(slots, hash);
        return at < 0 ? missing : value(slots, at);
    }

    @Override
    public boolean put(long key, long value) {
        MemorySegment slots = segment;
        long hash = hash(key);
        long at = hash == EMPTY ? findExtra() : search(slots, hash);
        if (at < 0) {
            insert(hash, at, value);
            return true;
        }
        setValue(slots, at, value);
        return false;
    }

    @Override
    public long addTo(long key, long delta) {
        MemorySegment slots = segment;
        long hash = hash(key);
        long at = hash == EMPTY ? findExtra() : search(slots, hash);
        if (at < 0) {
            insert(hash, at, delta);
            return delta;
        }
        long sum = value(slots, at) + delta;
        setValue(slots, at, sum);
        return sum;
    }

    private long hash(long key) {
        return hash(key, factor);
    }

    /// Returns the offset of a hash code, or the complement of the offset where it belongs. EMPTY is always found.
    private long search(MemorySegment slots, long hash) {
        long at = home(hash);
        long found = hashAt(slots, at);
        while (found != hash) {
            if (Long.compareUnsigned(found, hash) > 0) {
                return ~at;
            }
            at += slotByteSize();
            found = hashAt(slots, at);
        }
        return at;
    }

    private long findExtra() {
        checkOpen();
        return extras == 0 ? ABSENT : last + slotByteSize();
    }

    @Override
    public long value(long at) {
        return value(segment, at);
    }

    @Override
    public void setValue(long at, long value) {
        setValue(segment, at, value);
    }

    /// Inserts a hash code. The result of the search for it is the complement of its offset, except for EMPTY. The
    /// method is small enough to become part of its callers, where the compiler knows the kind of the slots.
    private void insert(long hash, long absent, long value) {
        if (hash == EMPTY || size >= maxSize) {
            insertElsewhere(hash, 0, value);
            return;
        }
        MemorySegment slots = segment;
        long at = ~absent;
        long end = at;
        while (hashAt(slots, end) != EMPTY) {
            end += slotByteSize();
        }
        long distance = end - home(hash);
        if (end >= last || (distance > FAR * slotByteSize() && mayRehash())) {
            insertElsewhere(hash, distance, value);
            return;
        }
        factor = CHANGING;
        shift(slots, at, end);
        set(slots, at, hash, value);
        displacement += distance;
        size++;
        changes++;
        factor = hashFactor;
    }

    /// Inserts the key 0, or a hash code that needs another table.
    private void insertElsewhere(long hash, long distance, long value) {
        if (hash == EMPTY) {
            factor = CHANGING;
            setValue(segment, last + slotByteSize(), value);
            extras = 1;
            size++;
            changes++;
            factor = hashFactor;
            return;
        }
        long key = keyOf(hash, inverse);
        if (size >= maxSize) {
            resize(Growth.larger(homes, 0), 0, isCrowded() ? newFactor() : hashFactor);
        } else if (distance > FAR * slotByteSize() && mayRehash()) {
            rehash(newFactor(), size / CHANGES_DIVISOR);
        } else {
            resize(homes, 2 * tail(), hashFactor);
        }
        insert(key, value);
    }

    private void insert(long key, long value) {
        long hash = hash(key);
        insert(hash, search(segment, hash), value);
    }

    private boolean mayRehash() {
        return changes >= nextRehash && isCrowded();
    }

    private boolean isCrowded() {
        // The average of linear probing is a/2(1-a), where a part a of the slots is used (Knuth, see above, 6.4).
        double used = (double) size;
        return HashedLongs.isCrowded((double) displacement / slotByteSize(), used * used / (2 * (homes - used)), size);
    }

    @Override
    void resize(long newFactor) {
        resize(homes, tail(), newFactor);
    }

    @Override
    public void removeAt(long at) {
        MemorySegment slots = segment;
        factor = CHANGING;
        if (at > last) {
            extras = 0;
        } else {
            long home = home(hashAt(slots, at));
            long to = at;
            while (isDisplaced(slots, to + slotByteSize())) {
                copy(slots, to + slotByteSize(), slots, to);
                to += slotByteSize();
            }
            set(slots, to, EMPTY, 0);
            displacement -= to - home;
        }
        size--;
        changes++;
        factor = hashFactor;
    }

    @Override
    public void clear() {
        checkOpen();
        factor = CHANGING;
        segment.fill((byte) EMPTY);
        size = 0;
        extras = 0;
        displacement = 0;
        changes++;
        factor = hashFactor;
    }

    @Override
    public void shrink() {
        checkOpen();
        long least = Math.max(MIN_HOMES, Math.ceilDiv(size, MAX_LOAD_NUMERATOR) * MAX_LOAD_DENOMINATOR);
        if (least < homes && memory.canRelease()) {
            resize(least, 0, hashFactor);
            changes++;
        }
    }

    @Override
    public long next(long from) {
        MemorySegment slots = segment;
        long at = from;
        while (at < last && hashAt(slots, at) == EMPTY) {
            at += slotByteSize();
        }
        if (at >= last) {
            long extra = last + slotByteSize();
            return from <= extra && extras == 1 ? extra : ABSENT;
        }
        return at;
    }

    @Override
    public long after(long at) {
        return at + slotByteSize();
    }

    @Override
    public long key(long at) {
        return at > last ? 0 : keyOf(hashAt(segment, at), inverse);
    }

    @Override
    boolean isChanging() {
        return factor == CHANGING;
    }

    @Override
    void clearBounds() {
        homes = 0;
        last = 0;
        extras = 0;
        displacement = 0;
        changes++;
        factor = hashFactor;
    }

    private void resize(long newHomes, long minTail, long newFactor) {
        long newTail = Math.max(Math.min(newHomes, MAX_TAIL), minTail);
        long byteSize = (newHomes + newTail + 1) * slotByteSize();
        Sizes.checkAddressable(byteSize, ALIGNMENT);
        Table larger = memory.allocate(byteSize, ALIGNMENT);
        long newLast = (newHomes + newTail - 1) * slotByteSize();
        long newDisplacement = newFactor == hashFactor
                ? copyTo(larger.segment, newHomes, newLast)
                : distributeTo(larger.segment, newHomes, newLast, newFactor);
        if (newDisplacement == TAIL_IS_FULL) {
            memory.releaseUnused();
            resize(newHomes, 2 * newTail, newFactor);
            return;
        }
        if (extras == 1) {
            setValue(larger.segment, newLast + slotByteSize(), value(segment, last + slotByteSize()));
        }
        long newInverse = HashedLongs.inverse(newFactor);
        // No call, and so no Error, until all fields are consistent.
        table.isUnused = true;
        larger.isUnused = false;
        table = larger;
        segment = larger.segment;
        homes = newHomes;
        last = newLast;
        maxSize = newHomes / MAX_LOAD_DENOMINATOR * MAX_LOAD_NUMERATOR;
        hashFactor = newFactor;
        factor = newFactor;
        inverse = newInverse;
        displacement = newDisplacement;
        memory.releaseUnused();
    }

    /// Writes all slots of a table, by the same factor.
    ///
    /// @return the displacement, or TAIL_IS_FULL
    private long copyTo(MemorySegment to, long newHomes, long newLast) {
        MemorySegment from = segment;
        to.fill((byte) EMPTY);
        long sum = 0;
        long free = 0;
        for (long at = 0; at < last; at += slotByteSize()) {
            long hash = hashAt(from, at);
            if (hash != EMPTY) {
                long home = home(hash, newHomes);
                free = Math.max(free, home);
                if (free >= newLast) {
                    return TAIL_IS_FULL;
                }
                copy(from, at, to, free);
                sum += free - home;
                free += slotByteSize();
            }
        }
        return sum;
    }

    /// Writes all slots of a table, by another factor.
    ///
    /// @return the displacement, or TAIL_IS_FULL
    private long distributeTo(MemorySegment to, long newHomes, long newLast, long newFactor) {
        MemorySegment from = segment;
        to.fill((byte) EMPTY);
        long sum = 0;
        for (long each = 0; each < last; each += slotByteSize()) {
            long old = hashAt(from, each);
            if (old != EMPTY) {
                long hash = hash(keyOf(old, inverse), newFactor);
                long home = home(hash, newHomes);
                long at = home;
                while (Long.compareUnsigned(hashAt(to, at), hash) < 0) {
                    at += slotByteSize();
                }
                long end = at;
                while (hashAt(to, end) != EMPTY) {
                    end += slotByteSize();
                }
                if (end >= newLast) {
                    return TAIL_IS_FULL;
                }
                shift(to, at, end);
                set(to, at, hash, value(from, each));
                sum += end - home;
            }
        }
        return sum;
    }

    /// Moves the entries from an offset to an empty slot to the next slot each.
    private void shift(MemorySegment slots, long at, long end) {
        for (long to = end; to > at; to -= slotByteSize()) {
            copy(slots, to - slotByteSize(), slots, to);
        }
    }

    private long tail() {
        return last / slotByteSize() + 1 - homes;
    }

    /// Returns whether the entry at an offset, if any, is not in its home.
    private boolean isDisplaced(MemorySegment slots, long at) {
        long hash = hashAt(slots, at);
        return hash != EMPTY && home(hash) < at;
    }

    private long home(long hash) {
        return home(hash, homes);
    }

    private long home(long hash, long ofHomes) {
        return Math.unsignedMultiplyHigh(hash, ofHomes) * slotByteSize();
    }

    abstract long slotByteSize();

    /// Returns the value of a slot, or 0 in a set.
    long value(MemorySegment slots, long at) {
        return 0;
    }

    void setValue(MemorySegment slots, long at, long value) {
        // A set has no values.
    }

    /// Returns a factor for hash codes, whose inverse is [HashedLongs#inverse].
    long newFactor() {
        return HashedLongs.newFactor();
    }

    /// Returns the hash code of a key. It is EMPTY if the key or the factor is 0.
    long hash(long key, long byFactor) {
        return ~(key * byFactor);
    }

    /// Returns the key of a hash code.
    long keyOf(long hash, long byInverse) {
        return ~hash * byInverse;
    }

    long hashAt(MemorySegment slots, long at) {
        return slots.get(JAVA_LONG_UNALIGNED, at);
    }

    /// Copies a slot. The compiler knows the size of all accesses.
    abstract void copy(MemorySegment from, long at, MemorySegment to, long toAt);

    /// Writes a slot.
    abstract void set(MemorySegment slots, long at, long hash, long value);
}
