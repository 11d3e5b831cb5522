package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A hash table in off-heap memory, from names to positions of directory headers. It does not change after it has been
/// built.
final class ZipEntryTable {
    /*
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
     * several entries with one name, the last one is found, as ZipFile does.
     */
    static final long NOT_FOUND = -1;

    private static final ValueLayout.OfInt NUMBER = JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong SLOT = JAVA_LONG_UNALIGNED;

    /// On average, a bucket has a half to a quarter of an entry, so that most names that do not exist are known by
    /// their bucket alone.
    private static final int BUCKETS_PER_SLOT = 2;

    /// The scan expects one directory in this many entries.
    private static final int EXPECTED_DIRECTORIES = 4;

    /// 2^32 divided by the golden ratio: multiplication spreads the low bits of a hash over its high bits.
    private static final int SPREAD = 0x9e3779b9;

    /// The multiplicative inverse of 31 in 32 bits.
    private static final int INVERSE_OF_31 = 0xbdef7bdf;

    private final CentralDirectory directory;
    /// The slots begin at 0.
    private final MemorySegment memory;
    private final long size;
    /// Positions in the memory.
    private final long heads;
    private final long links;
    private final int shift;
    private final int filterBits;

    private ZipEntryTable(CentralDirectory directory, DirectoryScan scan, MallocArena arena) {
        this.directory = directory;
        size = scan.size();
        int count = scan.slotCount();
        shift = Integer.numberOfLeadingZeros(BUCKETS_PER_SLOT * count | 1);
        filterBits = Integer.numberOfLeadingZeros(count);
        heads = (long) count * Long.BYTES;
        links = heads + (long) Integer.BYTES * (1 << -shift);
        memory = arena.allocateZeroed(links + (long) count * Integer.BYTES, Long.BYTES);
        MemorySegment.copy(scan.slots(), 0, memory, SLOT, 0, count);
        int numbers = -1 >>> filterBits;
        for (int i = 0; i < count; i++) {
            int hash = (int) scan.slots()[i];
            long bucket = bucket(hash);
            int head = memory.get(NUMBER, bucket);
            memory.set(NUMBER, links + ((long) i << 2), head & numbers);
            memory.set(NUMBER, bucket, (head & ~numbers) | (Integer.MIN_VALUE >>> filterBit(hash)) | (i + 1));
        }
    }

    /// Reads and checks a directory, and builds the table of its entries.
    ///
    /// @param arena the arena of the directory and the table
    static ZipEntryTable read(ZipSource source, EndRecord end, MallocArena arena) throws IOException {
        CentralDirectory directory = CentralDirectory.read(source, end, arena);
        int expected = (int) end.entries() + (int) end.entries() / EXPECTED_DIRECTORIES + 1;
        return new ZipEntryTable(directory, new DirectoryScan(directory, expected), arena);
    }

    /// Returns the slot of an entry.
    static long slot(long position, int hash) {
        return position << Integer.SIZE | Integer.toUnsignedLong(hash);
    }

    /// Returns the hash of a name without the slash at its end.
    static int hashWithoutSlash(int hash) {
        return (hash - '/') * INVERSE_OF_31;
    }

    /// Returns the number of a hash's bit in a filter, counted from the highest bit.
    private int filterBit(int hash) {
        return (int) (((hash & (long) MAX_16) * filterBits) >>> Short.SIZE);
    }

    /// Returns the position of a bucket in the memory.
    private long bucket(int hash) {
        return heads + ((long) ((hash * SPREAD) >>> shift) << 2);
    }

    CentralDirectory directory() {
        return directory;
    }

    /// Returns the number of entries.
    long size() {
        return size;
    }

    /// Returns the position of the entry with a name, else of the directory with that name, else -1.
    long find(String name) {
        MemorySegment memory = this.memory;
        int hash = name.hashCode();
        int head = memory.get(NUMBER, bucket(hash));
        if ((head << filterBit(hash)) >= 0) {
            return NOT_FOUND;
        }
        long found = NOT_FOUND;
        int number = (head << filterBits) >>> filterBits;
        do {
            long index = (long) number - 1;
            long slot = memory.get(SLOT, index << 3);
            if ((int) slot == hash) {
                long position = slot >>> Integer.SIZE;
                int length = directory.nameLength(position);
                int matched = EntryNames.match(name, directory.bytes(), directory.namePosition(position), length);
                if (matched == length) {
                    return position;
                }
                // Only the second slot of a directory has this hash and a longer name.
                if (matched == length - 1 && found < 0 && directory.isDirectory(position)) {
                    found = position;
                }
            }
            number = memory.get(NUMBER, links + (index << 2));
        } while (number != 0);
        return found;
    }
}
