package dev.arenakit.mapped.internal.structure;

import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The format of an [dev.arenakit.mapped.ImageMap]: a table, whose groups of 7 slots refer to entries. [TagGroups]
/// describes root, hash and tags. The numbers of the structure are little-endian; the bytes of keys and values are as
/// their types say.
///
/// ```text
/// field of the header
///  152  sequence    int64   the number of entries that were written
///  160  free        int64   offset of the first free entry, or 0
///  168  unused      int64   offset of the first entry of the last extent that was never used
///  176  unused end  int64   end of the entries of this extent
///
/// group, 64 bytes
///    0  tags        7 bytes  of the hash of each entry, at least 2; 0: there is no entry
///    7  passed      8 bits
///    8  7 slots     int64    bits 0 to 47: offset of the entry in units of 8 bytes
///                            bits 48 to 63: the number of earlier stores to the slot, modulo 2^16
///
/// entry, at a multiple of its alignment
///    0  check       int32    of the bytes behind the header
///    4  sequence    int32    the number of entries that were written before, modulo 2^32
///    8  key                  at the next multiple of its alignment
///       value                at the next multiple of its alignment, which is taken as at least 8
///
/// free entry
///    0  next        int64    offset of the next free entry, or 0
/// ```
///
/// The alignment of an entry is the largest alignment of key and value, at least 8. Its size is a multiple of its
/// alignment. Padding is 0. Entries are in extents: from the start of the extent, as many as it has room for.
///
/// **Hash.** The hash of words w1 to wn from a start s is `h(n)`, with `h(0) = s` and `h(i) = fold(h(i-1) ^ wi)`. Words
/// are 8 bytes, little-endian. The hash of a key is the hash of its bytes, and of the padding behind it up to a
/// multiple of 8, from the seed. The check of an entry is the low half of the hash of all its bytes behind the header,
/// from
/// `fold(offset) + sequence`, where the sequence is the one of the entry, taken as unsigned.
///
/// **Order of stores.** An entry is complete before a slot refers to it. A key is added by its entry, its slot and its
/// tag, in this order. The value of a key is replaced by another entry and one store of the slot; then the earlier
/// entry becomes free. A key is removed by its tag; then its entry becomes free. The header of an entry that was free
/// changes before its other bytes. After a kill, free entries can be missing in their list, which is made again.
///
/// **Readers** of other threads and processes read root, tags, slot, header of the entry and its other bytes, in this
/// order, and then tags, slot, header and root again. If one has changed, they begin again.
final class EntryGroups {
    static final int SLOTS = 7;

    static final long SEQUENCE = TagGroups.EROSION + 8;
    static final long FREE = SEQUENCE + 8;
    static final long UNUSED = FREE + 8;
    static final long UNUSED_END = UNUSED + 8;

    static final int GROUP_SHIFT = 6;
    static final long GROUP_BYTE_SIZE = 1L << GROUP_SHIFT;
    /// The size of the header of an entry.
    static final long HEADER = 8;

    private static final long SLOTS_AT = 8;
    private static final int VERSION_SHIFT = 48;
    private static final long OFFSET_BITS = (1L << VERSION_SHIFT) - 1;
    private static final int OFFSET_SHIFT = 3;
    private static final int PASSED_SHIFT = 56;
    private static final long TAG_BITS = (1L << PASSED_SHIFT) - 1;
    private static final long MATCHES = 0x80_8080_8080_8080L;

    private EntryGroups() {}

    static long byteSize(int log) {
        return 1L << (log + GROUP_SHIFT);
    }

    /// The number of entries up to which a table is used: 5.5 of each 7 slots.
    static long capacity(int log) {
        return (11L << log) >> 1;
    }

    static long passedBit(long hash) {
        return TagGroups.passedBit(hash) << PASSED_SHIFT;
    }

    static boolean isPassed(long tags) {
        return tags >>> PASSED_SHIFT != 0;
    }

    /// Returns a bit for each equal tag, and possibly for others, which [TagGroups#slot] takes.
    static long matches(long tags, long tag) {
        return TagGroups.matches(tags, tag) & MATCHES;
    }

    /// Returns a bit for the first empty slot, which [TagGroups#slot] takes, or 0.
    static long empty(long tags) {
        return TagGroups.zeros(tags) & MATCHES;
    }

    /// The number of entries of a group.
    static int size(long tags) {
        return TagGroups.size(tags & TAG_BITS);
    }

    /// The offset of a slot.
    static long slot(long group, int number) {
        return group + SLOTS_AT + number * 8L;
    }

    /// The offset of the group of a slot.
    static long group(long slot) {
        return slot & -GROUP_BYTE_SIZE;
    }

    /// The position of the tag of a slot in the tags of its group, in bits.
    static int tagShift(long slot) {
        return (int) ((slot & (GROUP_BYTE_SIZE - 1)) - SLOTS_AT);
    }

    static long tag(long tags, long slot) {
        return (tags >>> tagShift(slot)) & 0xFF;
    }

    /// The entry that the word of a slot refers to.
    static long entry(long word) {
        return (word & OFFSET_BITS) << OFFSET_SHIFT;
    }

    /// Makes the word of a slot.
    ///
    /// @param previous the previous word
    static long word(long previous, long entry) {
        return (((previous >>> VERSION_SHIFT) + 1) << VERSION_SHIFT) | (entry >>> OFFSET_SHIFT);
    }

    /// The hash of words.
    ///
    /// @param at    the offset of the first word
    /// @param start where the hash starts from
    static long hash(MemorySegment memory, long at, int words, long start) {
        long hash = start;
        for (int word = 0; word < words; word++) {
            hash = TagGroups.fold(hash ^ memory.get(LONG, at + word * 8L));
        }
        return hash;
    }

    /// Makes the header of an entry.
    ///
    /// @param memory   contains the bytes of the entry, possibly elsewhere
    /// @param at       the offset of the bytes behind the header
    /// @param words    the number of words behind the header
    /// @param entry    the offset of the entry
    /// @param sequence the number of entries that were written before
    static long header(MemorySegment memory, long at, int words, long entry, long sequence) {
        long number = sequence & 0xFFFF_FFFFL;
        return (number << 32) | (hash(memory, at, words, TagGroups.fold(entry) + number) & 0xFFFF_FFFFL);
    }

    /// Whether the check of an entry is right.
    static boolean isIntact(MemorySegment memory, long entry, int words) {
        long header = memory.get(LONG, entry);
        return header(memory, entry + HEADER, words, entry, header >>> 32) == header;
    }

    /// Lets the first group with an empty slot refer to an entry.
    ///
    /// @param table the offset of the table
    /// @param mask  the number of groups minus 1
    static void addToFirst(MemorySegment memory, long table, long mask, long hash, long entry) {
        for (long probe = 0; probe <= mask; probe++) {
            long group = table + (((hash + probe) & mask) << GROUP_SHIFT);
            long tags = memory.get(LONG, group);
            long empty = empty(tags);
            if (empty != 0) {
                int number = TagGroups.slot(empty);
                long slot = slot(group, number);
                LONG_HANDLE.setRelease(memory, slot, word(memory.get(LONG, slot), entry));
                LONG_HANDLE.setRelease(memory, group, tags | (TagGroups.tag(hash) << (number * 8)));
                return;
            }
            LONG_HANDLE.setRelease(memory, group, tags | passedBit(hash));
        }
        throw new IllegalStateException("Structure is damaged: a table has no empty slot, groups=" + (mask + 1));
    }
}
