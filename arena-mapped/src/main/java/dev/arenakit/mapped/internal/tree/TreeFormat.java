package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.internal.catalog.UnforcedElements;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The format of a tree: a B+ tree of pages that are copied when they change. Numbers are little-endian.
///
/// ```text
/// field of the header
///  128  root            int64   of the live tree; bits 0 to 55: page number, bits 56 to 63: number of levels; 0: empty
///  136  generation      int64   the last generation of a page
///  144  count           int64   the number of entries
///  152  page size       int32   in bytes, a power of two, at least 4,096
///  160  forced root     int64   two slots, which are written in turn: the tree of a force(), which is on the device
///  168  generation      int64   when that force() began
///  176  count           int64
///  184  checksum        int64   of page size and of the three numbers
///  192  forced root ... int64   the second slot
///
/// page n, at 4,096 + (n - 1) * page size, n at least 1
///    0  generation      int64   when the page was written
///    8  level           int8    0: a leaf
///    9  count           int24   the number of entries, at least 1
///   12  end             int32   keys of bytes: the offset of the last entry in the page
///   16  check           int64   of all other bytes of the page
///   24  entries                 in ascending order of their keys
///
/// entries, keys are longs
///   64  samples         int64   32 of them: key 8 * i, or the largest long
///  320  keys            int64   room for as many as have room in the page with their values, at most 256; the largest
///                               long follows the last key up to a multiple of 64 bytes
///       values                  of a leaf: value size, rounded up to 8; of another page: int64, the number of a page;
///                               the first value begins at a multiple of 64 bytes
///
/// entries, keys are bytes: slots ascend from offset 24, entries descend from the end of the page, in the same order
///   slot                int16   offset of the entry in the page, in units of 8 bytes
///                       int16   length of the key
///                       int32   the first 4 bytes of the key as a big-endian number
///   entry               value   as above
///                       key     zeros up to a multiple of 8 bytes follow
/// ```
///
/// **Order.** Longs are ordered as signed numbers, and bytes as unsigned bytes. The keys of child i of a page are not less
/// than key i, and less than key i + 1. Key 0 has no meaning, because the page above has its bound.
///
/// **A change** writes new pages into free ones. Then a single store makes it visible: the number of the child in the
/// lowest page above that was written since the last force() began (such a page is *private*), or the live root. Pages
/// above that are not private are copied, too. The value of a private leaf is replaced in its place if it has 8 bytes.
/// Everything else in a page never changes while the page is in the tree. The count is stored afterwards, so a kill can
/// leave it wrong. It is computed again.
///
/// **Free pages** are the pages that neither the live tree nor the newest forced tree contains. No list of them is
/// stored. A private page is free at once when another one replaces it. Other pages are free when the next force() has
/// ended.
///
/// **force()** notes live root and generation, stores the checks of all private pages, and no page is private then. It
/// writes all contents to the device, then the older slot, and then the header. After a failure of the machine, the newest
/// slot whose checksum is right is the tree: its pages have not been written since.
///
/// **Checks.** A page has a check if its generation is not larger than the generation of the newest slot. They are
/// compared when the owner opens the tree after a failure of the machine, by `arena verify`, and by readers that ask for
/// it. The owner compares the checks of the pages that it reads to find the pages in use whenever it opens the tree.
///
/// **Readers** note the generation before the root. They read a page, and then its generation. If it is larger than the
/// noted one, the page may have been written meanwhile, and they begin again. A new generation is stored before any other
/// byte of its page.
public final class TreeFormat {
    /// The fields of the live tree. A slot has the same fields.
    public static final long LIVE = StructureFormat.KIND_FIELDS;
    public static final long ROOT = 0;
    public static final long GENERATION = 8;
    public static final long COUNT = 16;
    public static final long PAGE_SIZE = LIVE + 24;
    public static final long SLOTS = LIVE + 32;
    public static final long SLOT_BYTE_SIZE = 32;
    /// The end of the fields.
    public static final long END = SLOTS + 2 * SLOT_BYTE_SIZE;

    public static final long HEAD = 8;
    public static final long CHECK = 16;
    public static final long CONTENTS = 24;
    public static final int MOST_COUNT = 0xFF_FFFF;

    public static final int SMALLEST_PAGE = 4096;
    /// Offsets in a page have 16 bits, in units of 8 bytes.
    public static final int LARGEST_PAGE = 1 << 19;
    /// Fewer than 2^32 pages split before a tree is so high.
    public static final int MOST_LEVELS = 32;
    /// The largest size of a key of bytes. Four of the largest entries fit into a page.
    public static final int LARGEST_KEY = 512;

    private static final long CHECKSUM = 24;
    private static final int LEVELS_SHIFT = 56;
    private static final long PAGE_BITS = (1L << LEVELS_SHIFT) - 1;

    /// The remedy if entries were not forced.
    static final String UNFORCED = "the tree has the entries of the last force(). If the image was moved, copy the original"
            + " by arena copy before its machine is restarted";

    private TreeFormat() {}

    public static long root(long page, int levels) {
        return (long) levels << LEVELS_SHIFT | page;
    }

    public static long page(long root) {
        return root & PAGE_BITS;
    }

    public static int levels(long root) {
        return (int) (root >>> LEVELS_SHIFT);
    }

    public static long head(int level, int count, int end) {
        return (long) end << 32 | (long) count << 8 | level;
    }

    public static int level(long head) {
        return (int) head & 0xFF;
    }

    public static int count(long head) {
        return (int) (head >>> 8) & MOST_COUNT;
    }

    public static int end(long head) {
        return (int) (head >>> 32);
    }

    /// The offset of the newest valid slot, or -1.
    public static long newestSlot(MemorySegment header) {
        long newest = -1;
        for (long slot = SLOTS; slot <= SLOTS + SLOT_BYTE_SIZE; slot += SLOT_BYTE_SIZE) {
            if (header.get(LONG, slot + CHECKSUM) == checksum(header, slot) && (newest < 0
                    || header.get(LONG, slot + GENERATION) > header.get(LONG, newest + GENERATION))) {
                newest = slot;
            }
        }
        return newest;
    }

    /// The offset of the newest valid slot.
    ///
    /// @param name the name of the tree
    /// @throws IllegalStateException if there is none
    static long forcedSlot(String name, MemorySegment header) {
        long slot = newestSlot(header);
        if (slot < 0) {
            throw StructureFormat.damaged(name, "no forced tree");
        }
        return slot;
    }

    /// The largest generation of pages that have checks.
    static long sealedGeneration(MemorySegment header) {
        long slot = newestSlot(header);
        return slot < 0 ? 0 : header.get(LONG, slot + GENERATION);
    }

    /// The entries that have changed since the last force(), or null if there are none.
    ///
    /// @param slot the slot of the forced tree
    static @Nullable UnforcedElements unforced(String name, MemorySegment header, long slot) {
        return header.get(LONG, LIVE + ROOT) == header.get(LONG, slot + ROOT)
                && header.get(LONG, LIVE + COUNT) == header.get(LONG, slot + COUNT)
                        ? null
                        : new UnforcedElements("Entries", name, header.get(LONG, LIVE + COUNT),
                                header.get(LONG, slot + COUNT));
    }

    /// Writes the slot that is not the newest one.
    public static void writeSlot(MemorySegment header, long root, long generation, long count) {
        long slot = newestSlot(header) == SLOTS ? SLOTS + SLOT_BYTE_SIZE : SLOTS;
        // A slot that is written in part is not valid.
        LONG_HANDLE.setRelease(header, slot + CHECKSUM, ~checksum(header, slot));
        header.set(LONG, slot + ROOT, root);
        // A reader notes the generation before the root.
        LONG_HANDLE.setRelease(header, slot + GENERATION, generation);
        header.set(LONG, slot + COUNT, count);
        LONG_HANDLE.setRelease(header, slot + CHECKSUM, checksum(header, slot));
    }

    private static long checksum(MemorySegment header, long slot) {
        long checksum = StructureFormat.mix(StructureFormat.MAGIC, header.get(INT, PAGE_SIZE));
        checksum = StructureFormat.mix(checksum, header.get(LONG, slot + ROOT));
        checksum = StructureFormat.mix(checksum, header.get(LONG, slot + GENERATION));
        return StructureFormat.mix(checksum, header.get(LONG, slot + COUNT));
    }
}
