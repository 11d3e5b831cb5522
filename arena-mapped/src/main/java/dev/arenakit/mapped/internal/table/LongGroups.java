package dev.arenakit.mapped.internal.table;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The table of an [dev.arenakit.mapped.ImageLongMap]: groups of 3 pairs, whose number is a power of two. Numbers are
/// little-endian.
///
/// ```text
/// field of the header
///  128  root        int64   bits 0 to 39: offset of the table in units of 4,096 bytes
///                           bits 40 to 47: binary logarithm of the number of groups
///                           bits 48 to 55: the number of earlier tables, modulo 256
///                           bits 56 to 63: exclusive or of the other bytes, and of 0xa5
///  136  count       int64   the number of pairs
///  144  erosion     int64   the number of pairs that were removed from groups that others have passed
///
/// group, 64 bytes
///    0  tags        3 bytes  of the hashes of the pairs; 0: there is no pair
///    3  passed      8 bits
///    4  version     int32    counts the pairs that were added
///    8  check       int64    exclusive or of the checks of all pairs
///   16  3 pairs     int64 key, int64 value
/// ```
///
/// **Hash.** The hash of a key is `fold(key ^ seed)`, with `fold(x) = x * K ^ unsignedMultiplyHigh(x, K)` and K =
/// 0x9e3779b97f4a7c15. A pair is in the group whose number is the hash modulo the number of groups, or in the next group
/// in which there was room. Its tag is `hash >>> 56`, plus 2 if that is less than 2. Bit `hash >>> 53 & 7` of `passed` is
/// set if a pair has passed the group, because it was full. The check of a pair is `mix(key, value)`, see
/// [dev.arenakit.mapped.internal.catalog.CatalogFormat].
///
/// **Order of stores.** A pair is added in this order: bits `passed` of full groups; version; key and value; check; tag;
/// count. A pair is removed by its tag. The value of a key is replaced by one store. A new table is complete, and is on
/// the device, before the root refers to it. All memory that is neither header nor table is free. After a kill, count,
/// erosion and a check can be late, and are computed again.
///
/// **Readers** of other threads and processes read root, version and tags, key and value, in this order, and then version
/// and root again. If either has changed, they begin again. A pair cannot be replaced by another pair without a new
/// version.
public final class LongGroups {
    /* A group is one cache line, and so is most of the memory that a look-up reads. The groups follow
     * boost::unordered_flat_map, in which a removal leaves no mark: a search ends at a group that no pair of the same
     * hash bits has passed. These bits are never cleared. Each removal from a passed group therefore lowers the number
     * of pairs up to which the table is used, and the next table has no such bits. */

    public static final long ROOT = StructureFormat.KIND_FIELDS;
    public static final long COUNT = ROOT + 8;
    public static final long EROSION = ROOT + 16;

    public static final int GROUP_SHIFT = 6;
    public static final long GROUP_BYTE_SIZE = 1L << GROUP_SHIFT;
    public static final long CHECK = 8;
    public static final long PAIRS = 16;
    public static final long VALUE = 8;
    public static final int SLOTS = 3;

    private static final int PASSED_SHIFT = 24;
    private static final long PASSED_BITS = 0xFFL << PASSED_SHIFT;
    private static final int VERSION_SHIFT = 32;
    private static final long VERSION_UNIT = 1L << VERSION_SHIFT;
    private static final long MATCHES = 0x80_8080L;

    /// The largest binary logarithm of the number of groups, which would fill the address space.
    private static final int LARGEST_LOG = 40;
    private static final long OFFSET_BITS = (1L << 40) - 1;
    private static final int OFFSET_SHIFT = 12;
    private static final int LOG_SHIFT = 40;
    private static final int NUMBER_SHIFT = 48;
    private static final int ROOT_CHECK_SHIFT = 56;
    private static final int ROOT_CHECK = 0xa5;
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;

    private LongGroups() {}

    public static long root(MemorySegment memory) {
        return (long) LONG_HANDLE.getAcquire(memory, ROOT);
    }

    /// Makes a root.
    ///
    /// @param previous the root of the previous table, or -1
    public static long root(long previous, long offset, int log) {
        long root = ((previous >>> NUMBER_SHIFT) + 1 & 0xFF) << NUMBER_SHIFT | (long) log << LOG_SHIFT
                | offset >>> OFFSET_SHIFT;
        return root | rootCheck(root) << ROOT_CHECK_SHIFT;
    }

    /// Whether a root is not damaged, and can refer to a table.
    public static boolean isRoot(long root) {
        return rootCheck(root) == root >>> ROOT_CHECK_SHIFT && log(root) <= LARGEST_LOG
                && offset(root) >= StructureFormat.BYTE_SIZE;
    }

    private static long rootCheck(long root) {
        long check = ROOT_CHECK;
        for (int shift = 0; shift < ROOT_CHECK_SHIFT; shift += Byte.SIZE) {
            check ^= root >>> shift & 0xFF;
        }
        return check;
    }

    public static long offset(long root) {
        return (root & OFFSET_BITS) << OFFSET_SHIFT;
    }

    public static int log(long root) {
        return (int) (root >>> LOG_SHIFT) & 0xFF;
    }

    public static long byteSize(int log) {
        return 1L << (log + GROUP_SHIFT);
    }

    /// The number of pairs up to which a table is used: 19 of 24 slots.
    public static long capacity(int log) {
        return (19L << log) >> 3;
    }

    public static long hash(long key, long seed) {
        long seeded = key ^ seed;
        return (seeded * MULTIPLIER) ^ Math.unsignedMultiplyHigh(seeded, MULTIPLIER);
    }

    public static long tag(long hash) {
        long bits = hash >>> 56;
        return bits + (((bits - 2) >>> 63) << 1);
    }

    public static long passedBit(long hash) {
        return 1L << (int) ((hash >>> 53) & 7) << PASSED_SHIFT;
    }

    public static boolean isPassed(long tags) {
        return (tags & PASSED_BITS) != 0;
    }

    public static long version(long tags) {
        return tags >>> VERSION_SHIFT;
    }

    /// Returns the high bit of each byte that is equal to a tag, and possibly of bytes behind it that differ in the lowest
    /// bit alone. A byte of 0 never matches, because no tag is 1.
    public static long matches(long tags, long tag) {
        return empty(tags ^ (tag * LOW_BITS));
    }

    /// Returns the high bit of the first byte that is 0, or 0. Higher bits have no meaning.
    public static long empty(long tags) {
        return (tags - LOW_BITS) & ~tags & MATCHES;
    }

    /// The slot of the lowest bit.
    public static int slot(long bits) {
        return Long.numberOfTrailingZeros(bits) >>> 3;
    }

    public static long pair(long group, int slot) {
        return group + PAIRS + slot * 16L;
    }

    /// The offset of the group of a pair.
    public static long group(long pair) {
        return pair & -GROUP_BYTE_SIZE;
    }

    /// The position of the tag of a pair in the tags of its group, in bits.
    public static int tagShift(long pair) {
        return (int) (((pair & (GROUP_BYTE_SIZE - 1)) - PAIRS) >>> 1);
    }

    /// Whether there is a pair in a group with some tags.
    public static boolean isUsed(long tags, long pair) {
        return storedTag(tags, pair) != 0;
    }

    public static boolean isUsed(MemorySegment memory, long pair) {
        return isUsed(memory.get(LONG, group(pair)), pair);
    }

    /// Whether a pair has the tag of its key.
    public static boolean hasItsTag(MemorySegment memory, long pair, long seed) {
        return storedTag(memory.get(LONG, group(pair)), pair) == tag(hash(memory.get(LONG, pair), seed));
    }

    private static long storedTag(long tags, long pair) {
        return tags >>> tagShift(pair) & 0xFF;
    }

    public static long check(long key, long value) {
        return StructureFormat.mix(key, value);
    }

    public static void changeCheck(MemorySegment memory, long group, long change) {
        memory.set(LONG, group + CHECK, memory.get(LONG, group + CHECK) ^ change);
    }

    /// Adds a pair to the first group with an empty slot.
    ///
    /// @param table the offset of the table
    /// @param mask  the number of groups minus 1
    public static void add(MemorySegment memory, long table, long mask, long hash, long key, long value) {
        for (long probe = 0; probe <= mask; probe++) {
            long group = table + (((hash + probe) & mask) << GROUP_SHIFT);
            long tags = memory.get(LONG, group);
            long empty = empty(tags);
            if (empty != 0) {
                long next = tags + VERSION_UNIT;
                LONG_HANDLE.setRelease(memory, group, next);
                // A reader that sees the new key sees the new version, too.
                VarHandle.storeStoreFence();
                long pair = pair(group, slot(empty));
                memory.set(LONG, pair, key);
                memory.set(LONG, pair + VALUE, value);
                changeCheck(memory, group, check(key, value));
                LONG_HANDLE.setRelease(memory, group, next | (tag(hash) << tagShift(pair)));
                return;
            }
            LONG_HANDLE.setRelease(memory, group, tags | passedBit(hash));
        }
        throw new IllegalStateException("Structure is damaged: a table has no empty slot, groups=" + (mask + 1));
    }

    /// Whether the check of a group is the one of its pairs.
    public static boolean isIntact(MemorySegment memory, long group) {
        return computedCheck(memory, group) == memory.get(LONG, group + CHECK);
    }

    public static long computedCheck(MemorySegment memory, long group) {
        long check = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            long pair = pair(group, slot);
            if (isUsed(memory, pair)) {
                check ^= check(memory.get(LONG, pair), memory.get(LONG, pair + VALUE));
            }
        }
        return check;
    }
}
