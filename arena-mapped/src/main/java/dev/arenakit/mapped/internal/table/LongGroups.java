package dev.arenakit.mapped.internal.table;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The table of an [dev.arenakit.mapped.ImageLongMap]: groups of 3 pairs. [TagGroups] describes header, hash and tags.
/// Numbers are little-endian.
///
/// ```text
/// group, 64 bytes
///    0  tags        3 bytes  of the hashes of the pairs; 0: there is no pair
///    3  passed      8 bits
///    4  version     int32    counts the pairs that were added
///    8  check       int64    exclusive or of the checks of all pairs
///   16  3 pairs     int64 key, int64 value
/// ```
///
/// The hash of a key is `fold(key ^ seed)`. The check of a pair is `mix(key, value)`, see
/// [dev.arenakit.mapped.internal.catalog.CatalogFormat].
///
/// **Order of stores.** A pair is added in this order: version; key and value; check; tag. A pair is removed by its tag.
/// The value of a key is replaced by one store. After a kill, a check can be late, and is computed again.
///
/// **Readers** of other threads and processes read root, version and tags, key and value, in this order, and then version
/// and root again. If either has changed, they begin again. A pair cannot be replaced by another pair without a new
/// version.
public final class LongGroups {
    /* A group is one cache line, and so is most of the memory that a look-up reads. */

    public static final int GROUP_SHIFT = 6;
    public static final long GROUP_BYTE_SIZE = 1L << GROUP_SHIFT;
    public static final long CHECK = 8;
    public static final long PAIRS = 16;
    public static final long VALUE = 8;
    public static final int SLOTS = 3;

    private static final long TAG_BITS = 0xFF_FFFFL;
    private static final int PASSED_SHIFT = 24;
    private static final long PASSED_BITS = 0xFFL << PASSED_SHIFT;
    private static final int VERSION_SHIFT = 32;
    private static final long VERSION_UNIT = 1L << VERSION_SHIFT;
    private static final long MATCHES = 0x80_8080L;

    private LongGroups() {}

    public static long byteSize(int log) {
        return 1L << (log + GROUP_SHIFT);
    }

    /// The number of pairs up to which a table is used: 19 of 24 slots.
    public static long capacity(int log) {
        return (19L << log) >> 3;
    }

    public static long hash(long key, long seed) {
        return TagGroups.fold(key ^ seed);
    }

    public static long passedBit(long hash) {
        return TagGroups.passedBit(hash) << PASSED_SHIFT;
    }

    public static boolean isPassed(long tags) {
        return (tags & PASSED_BITS) != 0;
    }

    public static long version(long tags) {
        return tags >>> VERSION_SHIFT;
    }

    /// Returns a bit for each equal tag, and possibly for others, which [TagGroups#slot] takes.
    public static long matches(long tags, long tag) {
        return TagGroups.matches(tags, tag) & MATCHES;
    }

    /// Returns a bit for the first empty slot, which [TagGroups#slot] takes, or 0.
    public static long empty(long tags) {
        return TagGroups.zeros(tags) & MATCHES;
    }

    /// The number of pairs of a group.
    public static int size(long tags) {
        return TagGroups.size(tags & TAG_BITS);
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

    public static long tag(long tags, long pair) {
        return (tags >>> tagShift(pair)) & 0xFF;
    }

    public static boolean isUsed(long tags, long pair) {
        return tag(tags, pair) != 0;
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
                add(memory, group, tags, TagGroups.slot(empty), TagGroups.tag(hash), key, value);
                return;
            }
            LONG_HANDLE.setRelease(memory, group, tags | passedBit(hash));
        }
        throw new IllegalStateException("Structure is damaged: a table has no empty slot, groups=" + (mask + 1));
    }

    private static void add(MemorySegment memory, long group, long tags, int slot, long tag, long key, long value) {
        long next = tags + VERSION_UNIT;
        LONG_HANDLE.setRelease(memory, group, next);
        // A reader that sees the new key sees the new version, too.
        VarHandle.storeStoreFence();
        long pair = pair(group, slot);
        memory.set(LONG, pair, key);
        memory.set(LONG, pair + VALUE, value);
        changeCheck(memory, group, check(key, value));
        LONG_HANDLE.setRelease(memory, group, next | (tag << (slot * 8)));
    }

    /// Whether the check of a group is the one of its pairs.
    public static boolean isIntact(MemorySegment memory, long group) {
        return computedCheck(memory, group) == memory.get(LONG, group + CHECK);
    }

    public static long computedCheck(MemorySegment memory, long group) {
        long tags = memory.get(LONG, group);
        long check = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            long pair = pair(group, slot);
            if (isUsed(tags, pair)) {
                check ^= check(memory.get(LONG, pair), memory.get(LONG, pair + VALUE));
            }
        }
        return check;
    }
}
