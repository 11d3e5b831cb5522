package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static dev.arenakit.examples.zip.ZipFormat.HEADER_BYTE_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_NAME_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
import static dev.arenakit.examples.zip.ZipFormat.MAX_32;
import static dev.arenakit.examples.zip.ZipFormat.unsigned16;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A hash table in off-heap memory, from names to positions of directory headers. It does not change after it has been
/// built.
final class ZipEntryTable {
    /*
     * The table follows the directory in the same segment, since each segment that a lookup uses costs checks:
     *
     *   slots   8 bytes each: hash in the low half, position in the high half
     *   heads   4 bytes each: a filter in the high bits, the number of a bucket's first slot in the low bits
     *   links   4 bytes each: the number of the slot that follows a slot in its bucket
     *
     * Slots are numbered from 1; 0 is the end of a bucket. A number has only as many bits as it needs. The other bits
     * of a head are the filter: each slot of the bucket sets one of them, so that the head alone tells of nearly all
     * names that they do not exist.
     *
     * A name that ends with one slash has a second slot, with the hash of the name without the slash. A lookup
     * therefore needs only the hash that a String caches.
     *
     * A slot is added at the beginning of its bucket: building takes linear time whatever the hashes are, and of
     * several entries with one name, the last one is found, as ZipFile does. The table is built on the heap, as
     * DirectoryScan explains, and then copied.
     *
     * The sign of a position is free, as a directory is below 2 GiB: it is set if the name is in code page 437.
     */
    static final long NOT_FOUND = -1;

    private static final ValueLayout.OfInt NUMBER = JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong SLOT = JAVA_LONG_UNALIGNED;

    /// On average, a bucket has a half to a quarter of an entry, so that most names that do not exist are known by
    /// their bucket alone.
    private static final int BUCKETS_PER_SLOT = 2;

    /// Memory is allocated for one directory in this many entries. A table with more directories is copied to larger
    /// memory.
    private static final int EXPECTED_DIRECTORIES = 4;

    /// 2^32 divided by the golden ratio: multiplication spreads the low bits of a hash over its high bits.
    private static final int SPREAD = 0x9e3779b9;

    /// The multiplicative inverse of 31 in 32 bits.
    private static final int INVERSE_OF_31 = 0xbdef7bdf;

    private final CentralDirectory directory;
    private final MemorySegment memory;
    private final long size;
    /// Positions in the memory.
    private final long slots;
    private final long heads;
    private final long links;
    private final int shift;
    private final int filterBits;

    private ZipEntryTable(CentralDirectory directory, long size, long slots, long heads, long links, int shift,
            int filterBits) {
        this.directory = directory;
        this.memory = directory.bytes();
        this.size = size;
        this.slots = slots;
        this.heads = heads;
        this.links = links;
        this.shift = shift;
        this.filterBits = filterBits;
    }

    /// Reads and checks a directory, and builds the table of its entries.
    ///
    /// @param arena    the arena of the directory and the table
    /// @param releases is told the releases of multi-release entries
    static ZipEntryTable read(ZipSource source, EndRecord end, MallocArena arena, Releases.Builder releases)
            throws IOException {
        int expected = (int) end.entries() + (int) end.entries() / EXPECTED_DIRECTORIES + 1;
        CentralDirectory directory = CentralDirectory.allocate(source, end, tableByteSize(expected), arena);
        DirectoryScan scan = new DirectoryScan(directory, expected, releases);
        scan.run();
        return of(directory.withRoom(tableByteSize(scan.slotCount()), arena), scan.size(), scan.slots(),
                scan.slotCount());
    }

    private static ZipEntryTable of(CentralDirectory directory, int size, long[] slots, int count) {
        int shift = shift(count);
        int[] heads = new int[1 << -shift];
        int[] links = new int[count];
        int filterBits = Integer.numberOfLeadingZeros(count);
        int numbers = -1 >>> filterBits;
        for (int i = 0; i < count; i++) {
            int bucket = bucket((int) slots[i], shift);
            int head = heads[bucket];
            links[i] = head & numbers;
            int filter = (head & ~numbers) | (Integer.MIN_VALUE >>> filterBit((int) slots[i], filterBits));
            heads[bucket] = filter | (i + 1);
        }
        MemorySegment memory = directory.bytes();
        long slotsStart = directory.tableStart();
        MemorySegment.copy(slots, 0, memory, SLOT, slotsStart, count);
        long headsStart = slotsStart + (long) count * Long.BYTES;
        MemorySegment.copy(heads, 0, memory, NUMBER, headsStart, heads.length);
        long linksStart = headsStart + (long) heads.length * Integer.BYTES;
        MemorySegment.copy(links, 0, memory, NUMBER, linksStart, count);
        return new ZipEntryTable(directory, size, slotsStart, headsStart, linksStart, shift, filterBits);
    }

    private static long tableByteSize(int count) {
        return count * (long) (Long.BYTES + Integer.BYTES) + (long) Integer.BYTES * (1 << -shift(count));
    }

    /// Returns the number of bits that a hash is shifted by to give the number of a bucket.
    private static int shift(int count) {
        return Integer.numberOfLeadingZeros(BUCKETS_PER_SLOT * count | 1);
    }

    /// Returns the slot of an entry.
    static long slot(long position, int hash) {
        return position << Integer.SIZE | Integer.toUnsignedLong(hash);
    }

    /// Returns the slot of an entry whose name is in code page 437.
    static long slotOfCodePage437(long position, int hash) {
        return slot(position, hash) | Long.MIN_VALUE;
    }

    /// Returns the second slot of an entry whose name ends with a slash.
    static long slotWithoutSlash(long slot) {
        return (slot & ~MAX_32) | Integer.toUnsignedLong(((int) slot - '/') * INVERSE_OF_31);
    }

    /// Returns the number of a hash's bit in a filter, counted from the highest bit.
    private static int filterBit(int hash, int filterBits) {
        return (int) (((hash & (long) MAX_16) * filterBits) >>> Short.SIZE);
    }

    private static int bucket(int hash, int shift) {
        return (hash * SPREAD) >>> shift;
    }

    CentralDirectory directory() {
        return directory;
    }

    /// Returns the number of entries.
    long size() {
        return size;
    }

    /// Returns the position of the entry with a name, else of the directory with that name, else -1.
    ///
    /// @param prefix the text before the name
    /// @param hash   the hash of prefix and name
    long find(String prefix, CharSequence name, int hash) {
        MemorySegment memory = this.memory;
        int head = memory.get(NUMBER, heads + ((long) bucket(hash, shift) << 2));
        if ((head << filterBit(hash, filterBits)) >= 0) {
            return NOT_FOUND;
        }
        long found = NOT_FOUND;
        int number = (head << filterBits) >>> filterBits;
        do {
            long index = (long) number - 1;
            long slot = memory.get(SLOT, slots + (index << 3));
            if ((int) slot == hash) {
                long position = slot >>> Integer.SIZE & Integer.MAX_VALUE;
                // The compiler makes a copy for String, whose calls need no dispatch.
                int rest = name instanceof String text
                        ? rest(memory, prefix, text, position, slot < 0)
                        : rest(memory, prefix, name, position, slot < 0);
                if (rest == 0) {
                    return position;
                }
                // Only the second slot of a directory has this hash and a longer name.
                if (rest == 1 && found < 0 && directory.isDirectory(position)) {
                    found = position;
                }
            }
            number = memory.get(NUMBER, links + (index << 2));
        } while (number != 0);
        return found;
    }

    /// Returns the number of bytes of an entry's name after the prefix and the name, or a negative number if the name
    /// differs.
    private static int rest(MemorySegment memory, String prefix, CharSequence name, long position,
            boolean isCodePage437) {
        long offset = position + HEADER_BYTE_SIZE;
        int length = unsigned16(memory, position + HEADER_NAME_LENGTH);
        if (!prefix.isEmpty()) {
            int matched = EntryNames.match(prefix, memory, offset, length, isCodePage437);
            if (matched < 0) {
                return matched;
            }
            offset += matched;
            length -= matched;
        }
        int matched = EntryNames.match(name, memory, offset, length, isCodePage437);
        return matched < 0 ? matched : length - matched;
    }
}
