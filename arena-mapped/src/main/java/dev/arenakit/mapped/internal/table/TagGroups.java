package dev.arenakit.mapped.internal.table;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The hash table of a structure: its root, and the tags of its groups. A table has groups of slots, whose number is a
/// power of two. A group begins with a tag for each slot. [LongGroups] describes the slots. Numbers are little-endian.
///
/// ```text
/// field of the header
///  128  root       int64   bits 0 to 39: offset of the table in units of 4,096 bytes
///                          bits 40 to 47: binary logarithm of the number of groups
///                          bits 48 to 63: the number of earlier tables, modulo 2^16
///  136  count      int64   the number of entries
///  144  erosion    int64   the number of entries that were removed from groups that others have passed
/// ```
///
/// **Hash.** `fold(x) = x * K ^ unsignedMultiplyHigh(x, K)` with K = 0x9e3779b97f4a7c15. An entry is in the group whose
/// number is the hash of its key modulo the number of groups, or in the next group in which there was room. Its tag is
/// `hash >>> 56`, plus 2 if that is less than 2. A tag of 0 says that a slot is empty. Each group has 8 bits `passed`: bit
/// `hash >>> 53 & 7` is set if an entry has passed the group, because it was full.
///
/// **Order of stores.** An entry is added in this order: bits `passed` of full groups; the entry; its tag; the count. An
/// entry is removed by its tag. A new table is complete, and is on the device, before the root refers to it. After a
/// kill, count and erosion can be late, and are computed again.
public final class TagGroups {
    /* The groups follow boost::unordered_flat_map, in which a removal leaves no mark: a search ends at a group that no
     * entry of the same hash bits has passed. These bits are never cleared. Each removal from a passed group therefore
     * lowers the number of entries up to which the table is used, and the next table has no such bits. */

    public static final long ROOT = StructureFormat.KIND_FIELDS;
    public static final long COUNT = ROOT + 8;
    public static final long EROSION = ROOT + 16;

    private static final long OFFSET_BITS = (1L << 40) - 1;
    private static final int OFFSET_SHIFT = 12;
    private static final int LOG_SHIFT = 40;
    private static final int NUMBER_SHIFT = 48;
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = LOW_BITS << 7;

    private TagGroups() {}

    public static long root(MemorySegment memory) {
        return (long) LONG_HANDLE.getAcquire(memory, ROOT);
    }

    /// Makes a root.
    ///
    /// @param previous the root of the previous table, or -1
    public static long root(long previous, long offset, int log) {
        return ((previous >>> NUMBER_SHIFT) + 1) << NUMBER_SHIFT | (long) log << LOG_SHIFT | offset >>> OFFSET_SHIFT;
    }

    public static long offset(long root) {
        return (root & OFFSET_BITS) << OFFSET_SHIFT;
    }

    public static int log(long root) {
        return (int) (root >>> LOG_SHIFT) & 0xFF;
    }

    public static long fold(long number) {
        return (number * MULTIPLIER) ^ Math.unsignedMultiplyHigh(number, MULTIPLIER);
    }

    public static long tag(long hash) {
        long bits = hash >>> 56;
        return bits + (((bits - 2) >>> 63) << 1);
    }

    /// The bit `passed` of a hash.
    public static long passedBit(long hash) {
        return 1L << (int) ((hash >>> 53) & 7);
    }

    /// Returns the high bit of each byte that is equal to a tag, and possibly of bytes behind it that differ in the lowest
    /// bit alone. A byte of 0 never matches, because no tag is 1.
    public static long matches(long tags, long tag) {
        return zeros(tags ^ (tag * LOW_BITS));
    }

    /// Returns the high bit of the first byte that is 0, or 0. Higher bits have no meaning.
    public static long zeros(long tags) {
        return (tags - LOW_BITS) & ~tags & HIGH_BITS;
    }

    /// The number of the byte of the lowest bit.
    public static int slot(long bits) {
        return Long.numberOfTrailingZeros(bits) >>> 3;
    }

    /// The number of bytes that are not 0.
    public static int size(long tags) {
        long lower = ~HIGH_BITS;
        return Long.bitCount(((tags & lower) + lower | tags) & HIGH_BITS);
    }
}
