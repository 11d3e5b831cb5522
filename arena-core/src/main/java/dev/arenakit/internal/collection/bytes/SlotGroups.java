package dev.arenakit.internal.collection.bytes;

import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The slots of a hash table, in groups of seven. Each group occupies a cache line.
///
/// ```text
/// group:  0     1     2     3     4     5     6     7     8       16            56      64
///         | tag | tag | tag | tag | tag | tag | tag |  0  | slot | slot | ... | slot |
///
/// tag:    8 bits of the hash, at least 2; 0: the slot is empty
///
/// slot:   63        52 51      48 47                0
///         | hash bits | distance | entry offset + 1 |
/// ```
///
/// A key is in the group of its hash, or in a later group if that group and all groups in between are full. The distance
/// is the number of groups from the group of the hash, at most 15.
final class SlotGroups {
    /*
     * All tags of a group are compared at once, without a branch for each slot. A wrong prediction of a branch after a
     * cache miss costs more than the comparison, and prevents the processor from starting the next look-up meanwhile.
     * The design follows boost::unordered_flat_map and the Swiss tables of Abseil, except that tags and slots share a
     * cache line, and that a removal moves keys back instead of leaving marks. The distances show which keys must move,
     * so that a removal reads no other entry. Each would cost a cache miss.
     */
    static final int GROUP_BYTE_SHIFT = 6;
    static final long HASH_BITS = 0xFFFL << 52;
    private static final int DISTANCE_SHIFT = 48;
    /// The largest distance in a slot. It also means all larger distances, which the hash of the key shows.
    private static final long FAR = 15;
    private static final long DISTANCE_BITS = FAR << DISTANCE_SHIFT;
    private static final long OFFSET_BITS = ~(HASH_BITS | DISTANCE_BITS);

    private static final long LINE = 64;
    private static final int SLOTS = 7;
    private static final long LOW_BITS = 0x0001_0101_0101_0101L;
    private static final long HIGH_BITS = LOW_BITS << 7;

    private SlotGroups() {}

    /// Returns the largest number of slots that may be in use: 5.5 of each 7.
    static long capacity(long groups) {
        return groups * 5 + (groups >>> 1);
    }

    static long tag(long hash) {
        long bits = (hash >>> 40) & 0xFF;
        return bits + ((bits - 2) >>> 63 << 1);
    }

    /// Returns the high bit of each equal tag, and possibly of tags that differ in the lowest bit alone. Empty slots
    /// never match, because their tag is 0 and no tag is 1.
    static long matches(long tags, long tag) {
        return zeros(tags ^ (tag * LOW_BITS));
    }

    static boolean isFull(long tags) {
        return zeros(tags) == 0;
    }

    /// Returns the offset, in a group, of the slot that belongs to the lowest bit of the matches.
    static long slotOffset(long matches) {
        return 8L + (Long.numberOfTrailingZeros(matches) & -8);
    }

    /// Returns a slot.
    ///
    /// @param distance the number of groups from the group of the hash
    private static long slot(long hash, long distance, long entry) {
        return (hash & HASH_BITS) | Math.min(distance, FAR) << DISTANCE_SHIFT | (entry + 1);
    }

    static long entry(long slot) {
        return (slot & OFFSET_BITS) - 1;
    }

    /// Returns the size of memory in which groups can be aligned to cache lines, whatever the alignment of the memory
    /// is.
    static long byteSize(long groups) {
        return (groups << GROUP_BYTE_SHIFT) + LINE - 1;
    }

    /// Returns the aligned groups in memory whose size is the result of [#byteSize].
    static MemorySegment align(MemorySegment memory, long groups) {
        return memory.asSlice(-memory.address() & (LINE - 1), groups << GROUP_BYTE_SHIFT);
    }

    /// Searches for a key. Each entry begins with the size of its key, as an `int`.
    ///
    /// @return the offset of its entry; or the complement of the first group on its way that has an empty slot
    static long search(MemorySegment slots, long mask, MemorySegment entries, long keyOffset, long hash, Object key,
            long offset, long byteSize) {
        long tag = tag(hash);
        long group = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long base = group << GROUP_BYTE_SHIFT;
            long tags = slots.get(JAVA_LONG_UNALIGNED, base);
            for (long matches = matches(tags, tag); matches != 0; matches &= matches - 1) {
                long slot = slots.get(JAVA_LONG_UNALIGNED, base + slotOffset(matches));
                long entry = entry(slot);
                if (((slot ^ hash) & HASH_BITS) == 0
                        && entries.get(JAVA_INT_UNALIGNED, entry) == byteSize
                        && BytesHash.equal(entries, entry + keyOffset, key, offset, byteSize)) {
                    return entry;
                }
            }
            if (!isFull(tags)) {
                return ~group;
            }
            group = (group + 1) & mask;
        }
        return ~group;
    }

    /// Adds an entry to the first empty slot.
    ///
    /// @param firstGroup the group of the hash, or a later group if all groups before it are full
    static void link(MemorySegment slots, long mask, long firstGroup, long hash, long entry) {
        long group = firstGroup;
        for (long probes = 0; probes <= mask; probes++) {
            long base = group << GROUP_BYTE_SHIFT;
            long empty = zeros(slots.get(JAVA_LONG_UNALIGNED, base));
            if (empty != 0) {
                set(slots, base, slotOffset(empty), tag(hash), slot(hash, (group - hash) & mask, entry));
                return;
            }
            group = (group + 1) & mask;
        }
        throw changed();
    }

    /// Returns the position of the slot of an entry, in bytes.
    static long find(MemorySegment slots, long mask, long hash, long entry) {
        long slot = slot(hash, 0, entry);
        long group = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long base = group << GROUP_BYTE_SHIFT;
            long matches = matches(slots.get(JAVA_LONG_UNALIGNED, base), tag(hash));
            for (; matches != 0; matches &= matches - 1) {
                long at = base + slotOffset(matches);
                if ((slots.get(JAVA_LONG_UNALIGNED, at) & ~DISTANCE_BITS) == slot) {
                    return at;
                }
            }
            group = (group + 1) & mask;
        }
        throw changed();
    }

    /// Replaces the entry of a slot by another entry of the same key.
    static void replace(MemorySegment slots, long position, long entry) {
        long slot = slots.get(JAVA_LONG_UNALIGNED, position);
        slots.set(JAVA_LONG_UNALIGNED, position, (slot & ~OFFSET_BITS) | (entry + 1));
    }

    /// Empties a slot, and moves back the keys that would not be found otherwise.
    static void unlink(MemorySegment slots, long mask, long position, Hashes hashes) {
        long group = position >>> GROUP_BYTE_SHIFT;
        long hole = position;
        boolean isFull = isFull(slots.get(JAVA_LONG_UNALIGNED, group << GROUP_BYTE_SHIFT));
        long next = group;
        for (long probes = 0; probes < mask && isFull; probes++) {
            next = (next + 1) & mask;
            long base = next << GROUP_BYTE_SHIFT;
            long tags = slots.get(JAVA_LONG_UNALIGNED, base);
            isFull = isFull(tags);
            for (int i = 0; i < SLOTS; i++) {
                long slot = slots.get(JAVA_LONG_UNALIGNED, base + 8 + i * 8L);
                long tag = (tags >>> (i * 8)) & 0xFF;
                if (tag == 0) {
                    continue;
                }
                long distance = (slot & DISTANCE_BITS) >>> DISTANCE_SHIFT;
                if (distance == FAR) {
                    distance = (next - hashes.hashAt(entry(slot))) & mask;
                }
                long moved = (next - group) & mask;
                if (distance >= moved) {
                    set(slots, group << GROUP_BYTE_SHIFT, hole & 63, tag, slot(slot, distance - moved, entry(slot)));
                    group = next;
                    hole = base + 8 + i * 8L;
                    break;
                }
            }
        }
        slots.set(JAVA_BYTE, tagPosition(group << GROUP_BYTE_SHIFT, hole & 63), (byte) 0);
    }

    private static void set(MemorySegment slots, long base, long slotOffset, long tag, long slot) {
        slots.set(JAVA_LONG_UNALIGNED, base + slotOffset, slot);
        slots.set(JAVA_BYTE, tagPosition(base, slotOffset), (byte) tag);
    }

    private static long tagPosition(long base, long slotOffset) {
        return base + (slotOffset >>> 3) - 1;
    }

    private static long zeros(long bytes) {
        return (bytes - LOW_BITS) & ~bytes & HIGH_BITS;
    }

    private static ConcurrentModificationException changed() {
        return new ConcurrentModificationException("A map was changed by another thread at the same time");
    }

    /// The hashes of the keys of entries.
    interface Hashes {
        long hashAt(long entry);
    }
}
