package dev.arenakit.mapped.internal.structure;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The format of the table of an [dev.arenakit.mapped.ImageLongMap]: groups of 7 pairs, whose number is a power of two.
/// Numbers are little-endian.
///
/// ```text
/// field of the header
///  128  root       int64   bits 0 to 39: offset of the table in units of 4,096 bytes
///                          bits 40 to 47: binary logarithm of the number of groups
///                          bits 48 to 63: the number of earlier tables, modulo 2^16
///  136  count      int64   the number of pairs
///  144  erosion    int64   the number of pairs that were removed from groups that others have passed
///
/// group, 128 bytes
///    0  tags       7 bytes  of the hash of each pair, at least 2; 0: there is no pair
///    7  passed     8 bits   bit b is set if a pair with hash bits b has passed the group, because it was full
///    8  check      int32    exclusive or of the checks of all pairs
///   12  version    int32    counts the pairs that were added
///   16  7 pairs    int64 key, int64 value
/// ```
///
/// **Hash.** `h = key ^ seed`; `hash = h * K ^ unsignedMultiplyHigh(h, K)` with K = 0x9e3779b97f4a7c15. The group of a
/// key is `hash` modulo the number of groups, or the next group in which there was room. Its tag is `hash >>> 56`, plus
/// 2 if that is less than 2. Its hash bits b are `hash >>> 53 & 7`. The check of a pair is the low half of
/// `mix(key, value)`, see [dev.arenakit.mapped.internal.catalog.CatalogFormat].
///
/// **Order of stores.** A pair is added in this order: bits `passed` of full groups; version and check; key and value;
/// tag; count. A pair is removed by its tag. The value of a key is replaced by one store. A new table is complete, and
/// is on the device, before the root refers to it. After a kill, check, count and erosion can be late, and are computed
/// again.
///
/// **Readers** of other processes read root, version, tags, key and value, in this order, and then version and root
/// again. If either has changed, they begin again. A pair cannot be replaced by another pair without a new version.
final class LongGroups {
    /* The groups follow boost::unordered_flat_map, in which a removal leaves no mark: a search ends at a group that no
     * pair of the same hash bits has passed. These bits are never cleared. Each removal from a passed group therefore
     * lowers the number of pairs up to which the table is used, and the next table has no such bits. */

    static final long ROOT = StructureFormat.KIND_FIELDS;
    static final long COUNT = ROOT + 8;
    static final long EROSION = ROOT + 16;

    static final int GROUP_SHIFT = 7;
    static final long GROUP_BYTE_SIZE = 1L << GROUP_SHIFT;
    static final long META = 8;
    static final long PAIRS = 16;
    static final long VALUE = 8;
    static final long VERSION_UNIT = 1L << 32;
    static final long CHECK_BITS = 0xFFFF_FFFFL;
    static final int SLOTS = 7;

    private static final long OFFSET_BITS = (1L << 40) - 1;
    private static final int OFFSET_SHIFT = 12;
    private static final int LOG_SHIFT = 40;
    private static final int NUMBER_SHIFT = 48;
    private static final int PASSED_SHIFT = 56;
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final long LOW_BITS = 0x0001_0101_0101_0101L;
    private static final long HIGH_BITS = LOW_BITS << 7;

    private LongGroups() {}

    static long root(MemorySegment memory) {
        return (long) LONG_HANDLE.getAcquire(memory, ROOT);
    }

    /// Makes a root.
    ///
    /// @param previous the root of the previous table, or -1
    static long root(long previous, long offset, int log) {
        return (previous >>> NUMBER_SHIFT) + 1 << NUMBER_SHIFT | (long) log << LOG_SHIFT | offset >>> OFFSET_SHIFT;
    }

    static long offset(long root) {
        return (root & OFFSET_BITS) << OFFSET_SHIFT;
    }

    static int log(long root) {
        return (int) (root >>> LOG_SHIFT) & 0xFF;
    }

    static long byteSize(int log) {
        return 1L << log + GROUP_SHIFT;
    }

    /// The number of pairs up to which a table is used: 5.5 of each 7 slots.
    static long capacity(int log) {
        return (11L << log) >> 1;
    }

    static long hash(long key, long seed) {
        long hash = key ^ seed;
        return hash * MULTIPLIER ^ Math.unsignedMultiplyHigh(hash, MULTIPLIER);
    }

    static long tag(long hash) {
        long bits = hash >>> 56;
        return bits + ((bits - 2) >>> 63 << 1);
    }

    /// The bit `passed` of a hash, at its place in the tags.
    static long passedBit(long hash) {
        return 1L << PASSED_SHIFT + (int) (hash >>> 53 & 7);
    }

    static boolean isPassed(long tags) {
        return tags >>> PASSED_SHIFT != 0;
    }

    /// Returns the high bit of each equal tag, and possibly of tags that differ in the lowest bit alone. An empty slot
    /// never matches, because no tag is 1.
    static long matches(long tags, long tag) {
        return zeros(tags ^ tag * LOW_BITS);
    }

    /// Returns the high bit of the first empty slot, or 0. Higher bits have no meaning.
    static long empty(long tags) {
        return zeros(tags);
    }

    private static long zeros(long tags) {
        return tags - LOW_BITS & ~tags & HIGH_BITS;
    }

    /// The slot of the lowest bit.
    static int slot(long bits) {
        return Long.numberOfTrailingZeros(bits) >>> 3;
    }

    static long pair(long group, int slot) {
        return group + PAIRS + slot * 16L;
    }

    /// The number of pairs of a group.
    static int size(long tags) {
        long lower = HIGH_BITS - LOW_BITS;
        return Long.bitCount(((tags & lower) + lower | tags) & HIGH_BITS);
    }

    /// The position of the tag of a pair in the tags of its group, in bits.
    static int tagShift(long pair) {
        return (int) ((pair & GROUP_BYTE_SIZE - 1) - PAIRS >>> 1);
    }

    static boolean isUsed(long tags, long pair) {
        return (tags >>> tagShift(pair) & 0xFF) != 0;
    }

    static long check(long key, long value) {
        return StructureFormat.mix(key, value) & CHECK_BITS;
    }

    /// Adds a pair to an empty slot of a group.
    static void add(MemorySegment memory, long group, int slot, long hash, long key, long value) {
        long meta = memory.get(LONG, group + META);
        LONG_HANDLE.setRelease(memory, group + META, meta + VERSION_UNIT ^ check(key, value));
        // A reader that sees the new key sees the new version, too.
        VarHandle.storeStoreFence();
        long pair = pair(group, slot);
        memory.set(LONG, pair, key);
        memory.set(LONG, pair + VALUE, value);
        LONG_HANDLE.setRelease(memory, group, memory.get(LONG, group) | tag(hash) << slot * 8);
    }

    /// Adds a pair to the first group with an empty slot.
    ///
    /// @param table the offset of the table
    /// @param mask  the number of groups minus 1
    static void addToFirst(MemorySegment memory, long table, long mask, long hash, long key, long value) {
        for (long probe = 0; probe <= mask; probe++) {
            long group = table + ((hash + probe & mask) << GROUP_SHIFT);
            long tags = memory.get(LONG, group);
            long empty = empty(tags);
            if (empty != 0) {
                add(memory, group, slot(empty), hash, key, value);
                return;
            }
            LONG_HANDLE.setRelease(memory, group, tags | passedBit(hash));
        }
        throw new IllegalStateException("Structure is damaged: a table has no empty slot, groups=" + (mask + 1));
    }

    /// Whether the check of a group is the one of its pairs.
    static boolean isIntact(MemorySegment memory, long group) {
        return computedCheck(memory, group) == (memory.get(LONG, group + META) & CHECK_BITS);
    }

    static long computedCheck(MemorySegment memory, long group) {
        long tags = memory.get(LONG, group);
        long check = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if ((tags >>> slot * 8 & 0xFF) != 0) {
                long pair = pair(group, slot);
                check ^= check(memory.get(LONG, pair), memory.get(LONG, pair + VALUE));
            }
        }
        return check;
    }
}
