package dev.arenakit.internal.collection;

import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The slots of a hash table, in groups of seven that take a cache line each.
///
/// ```text
/// group:  0     1     2     3     4     5     6     7     8       16            56      64
///         | tag | tag | tag | tag | tag | tag | tag |  0  | slot | slot | ... | slot |
///
/// tag:    8 bits of the hash, at least 2; 0: the slot is empty
///
/// slot:   63        48 47                0
///         | hash bits | entry offset + 1 |
/// ```
///
/// A key is in the group of its hash, or in one of the following groups if all groups before that one are full.
final class SlotGroups {
    /*
     * All tags of a group are compared at once, without a branch for each slot: what a processor predicts wrongly after
     * a cache miss costs more than the comparison, and keeps it from starting the next look-up meanwhile. The design is
     * that of boost::unordered_flat_map and of the Swiss tables of Abseil, with tags and slots in one cache line, and
     * with keys that move back after a removal instead of marks.
     */
    static final int GROUP_BYTE_SHIFT = 6;
    static final long HASH_BITS = 0xFFFFL << 48;
    static final long OFFSET_BITS = ~HASH_BITS;

    private static final long LINE = 64;
    private static final int SLOTS = 7;
    private static final long LOW_BITS = 0x0001_0101_0101_0101L;
    private static final long HIGH_BITS = LOW_BITS << 7;

    private SlotGroups() {}

    /// Returns how many slots of a table may be in use, 5.5 of each 7.
    static long capacity(long groups) {
        return groups * 5 + (groups >>> 1);
    }

    static long tag(long hash) {
        long bits = (hash >>> 40) & 0xFF;
        return bits + ((bits - 2) >>> 63 << 1);
    }

    /// Returns the high bit of each tag that is equal, and possibly of some that differ in their lowest bit alone:
    /// these are not those of empty slots, since no tag is 1.
    static long matches(long tags, long tag) {
        return zeros(tags ^ (tag * LOW_BITS));
    }

    static boolean isFull(long tags) {
        return zeros(tags) == 0;
    }

    /// Returns the offset in a group of the slot of the lowest bit in matches.
    static long slotOffset(long matches) {
        return 8L + (Long.numberOfTrailingZeros(matches) & -8);
    }

    static long slot(long hash, long entry) {
        return (hash & HASH_BITS) | (entry + 1);
    }

    static long entry(long slot) {
        return (slot & OFFSET_BITS) - 1;
    }

    /// Returns the size of memory in which groups can be aligned to cache lines, whatever its own alignment is.
    static long byteSize(long groups) {
        return (groups << GROUP_BYTE_SHIFT) + LINE - 1;
    }

    /// Returns the groups in memory of that size.
    static MemorySegment align(MemorySegment memory, long groups) {
        return memory.asSlice(-memory.address() & (LINE - 1), groups << GROUP_BYTE_SHIFT);
    }

    /// Adds an entry to the first empty slot.
    static void link(MemorySegment slots, long mask, long hash, long entry) {
        long group = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long base = group << GROUP_BYTE_SHIFT;
            long empty = zeros(slots.get(JAVA_LONG_UNALIGNED, base));
            if (empty != 0) {
                set(slots, base, slotOffset(empty), tag(hash), slot(hash, entry));
                return;
            }
            group = (group + 1) & mask;
        }
        throw changed();
    }

    /// Returns the position of the slot of an entry, in bytes.
    static long find(MemorySegment slots, long mask, long hash, long entry) {
        long slot = slot(hash, entry);
        long group = hash & mask;
        for (long probes = 0; probes <= mask; probes++) {
            long base = group << GROUP_BYTE_SHIFT;
            long matches = matches(slots.get(JAVA_LONG_UNALIGNED, base), tag(hash));
            for (; matches != 0; matches &= matches - 1) {
                long at = base + slotOffset(matches);
                if (slots.get(JAVA_LONG_UNALIGNED, at) == slot) {
                    return at;
                }
            }
            group = (group + 1) & mask;
        }
        throw changed();
    }

    /// Empties a slot, and moves back keys that would not be found any more.
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
                long home = hashes.hashAt(entry(slot)) & mask;
                if (((next - home) & mask) >= ((next - group) & mask)) {
                    set(slots, group << GROUP_BYTE_SHIFT, hole & 63, tag, slot);
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
