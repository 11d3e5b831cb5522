package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/// A hash table in off-heap memory, from names to positions of directory headers. It does not change after it has been
/// built.
final class EntryTable {
    /*
     * The slots of one bucket are neighbours. A table of buckets has the number of the first slot of each, and one
     * number more, so that the slots of bucket b are bucket[b] to bucket[b + 1] - 1:
     *
     *   buckets  4 bytes each  |  slots  8 bytes each: hash in the low half, position in the high half
     *
     * The buckets are counted before the slots are filled, so that building takes linear time whatever the hashes are.
     * It is built on the heap, as DirectoryScan explains, and then copied. Within a bucket, entries stand in the reverse order of the directory: of several entries with one name, the last
     * one is found, as ZipFile does.
     *
     * The sign of a position is free, as a directory is below 2 GiB: it is set if the name is in code page 437.
     */
    static final long NOT_FOUND = -1;

    private static final ValueLayout.OfInt BUCKET = JAVA_INT.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong RANGE = JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private static final long SLOT_BYTE_SIZE = Long.BYTES;

    /// On average, a bucket has a half to a quarter of an entry, so that most names that do not exist are known by their
    /// bucket alone.
    private static final int BUCKETS_PER_ENTRY = 2;

    /// 2^32 divided by the golden ratio: multiplication spreads the low bits of a hash over its high bits.
    private static final int SPREAD = 0x9e3779b9;

    private final CentralDirectory directory;
    private final MemorySegment directoryBytes;
    private final MemorySegment buckets;
    private final MemorySegment slots;
    private final int shift;

    private EntryTable(CentralDirectory directory, MemorySegment buckets, MemorySegment slots, int shift) {
        this.directory = directory;
        this.directoryBytes = directory.bytes();
        this.buckets = buckets;
        this.slots = slots;
        this.shift = shift;
    }

    /// Checks all entries of a directory and builds their table.
    ///
    /// @param entries  how many entries there probably are
    /// @param arena    the arena of the table
    /// @param releases is told the releases of multi-release entries
    static EntryTable build(CentralDirectory directory, long entries, Arena arena, Releases.Builder releases)
            throws IOException {
        DirectoryScan scan = new DirectoryScan(directory);
        long[] found = new long[(int) entries];
        int size = 0;
        for (long position = 0; position < directory.byteSize();) {
            long next = scan.check(position);
            if (size == found.length) {
                found = Arrays.copyOf(found, 2 * size + 1);
            }
            found[size++] = slot(directory, scan, position);
            if (scan.nameHas(position, Releases.PREFIX_LENGTH - 1, '/')) {
                releases.add(directory, position);
            }
            position = next;
        }
        return of(directory, found, size, arena);
    }

    private static EntryTable of(CentralDirectory directory, long[] entries, int size, Arena arena) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(BUCKETS_PER_ENTRY * size | 1);
        int shift = Integer.SIZE - bits;
        int[] buckets = new int[(1 << bits) + 1];
        for (int i = 0; i < size; i++) {
            buckets[bucket((int) entries[i], shift)]++;
        }
        // Each bucket becomes the end of its slots, and by filling them, their beginning.
        int end = 0;
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            end += buckets[bucket];
            buckets[bucket] = end;
        }
        long[] slots = new long[size];
        for (int i = 0; i < size; i++) {
            slots[--buckets[bucket((int) entries[i], shift)]] = entries[i];
        }
        MemorySegment bucketMemory = arena.allocate(BUCKET, buckets.length);
        MemorySegment.copy(buckets, 0, bucketMemory, BUCKET, 0, buckets.length);
        MemorySegment slotMemory = arena.allocate(JAVA_LONG, size);
        MemorySegment.copy(slots, 0, slotMemory, JAVA_LONG, 0, size);
        return new EntryTable(directory, bucketMemory, slotMemory, shift);
    }

    private static long slot(CentralDirectory directory, DirectoryScan scan, long position) throws IOException {
        long hash = scan.asciiHash(position);
        if (hash == (int) hash) {
            return slot(position, (int) hash);
        }
        MemorySegment bytes = directory.bytes();
        long name = directory.namePosition(position);
        int length = directory.nameLength(position);
        String text = EntryNames.utf8(bytes, name, length);
        if (text != null) {
            return slot(position, EntryNames.hash(text));
        }
        if (directory.isUtf8(position)) {
            throw directory.malformed("Entry name is not UTF-8", position);
        }
        return slot(position, EntryNames.hash(EntryNames.codePage437(bytes, name, length))) | Long.MIN_VALUE;
    }

    private static long slot(long position, int hash) {
        return position << Integer.SIZE | Integer.toUnsignedLong(hash);
    }

    private static int bucket(int hash, int shift) {
        return (hash * SPREAD) >>> shift;
    }

    /// Returns the number of entries.
    long size() {
        return slots.byteSize() / SLOT_BYTE_SIZE;
    }

    /// Returns the position of the entry with a name, else of the directory with that name, else -1.
    ///
    /// @param prefix what stands before the name
    /// @param hash   the hash of prefix and name
    long find(String prefix, CharSequence name, int hash) {
        int bucket = bucket(hash, shift);
        // One load gives where the slots begin, in the low half, and where they end.
        long range = buckets.get(RANGE, (long) bucket * Integer.BYTES);
        int end = (int) (range >>> Integer.SIZE);
        long found = NOT_FOUND;
        for (int i = (int) range; i < end; i++) {
            long slot = slots.getAtIndex(JAVA_LONG, i);
            if ((int) slot == hash) {
                long position = slot >>> Integer.SIZE & Integer.MAX_VALUE;
                // The compiler makes a copy for String, whose calls need no dispatch.
                int rest = name instanceof String text
                        ? rest(prefix, text, position, slot < 0)
                        : rest(prefix, name, position, slot < 0);
                if (rest == 0) {
                    return position;
                }
                if (rest == 1 && found < 0 && directory.isDirectory(position) && !endsWithSlash(name)) {
                    found = position;
                }
            }
        }
        return found;
    }

    /// Returns how many bytes of an entry's name follow after prefix and name, or a negative number.
    private int rest(String prefix, CharSequence name, long position, boolean isCodePage437) {
        long offset = directory.namePosition(position);
        int length = directory.nameLength(position);
        if (!prefix.isEmpty()) {
            int matched = EntryNames.match(prefix, directoryBytes, offset, length, isCodePage437);
            if (matched < 0) {
                return matched;
            }
            offset += matched;
            length -= matched;
        }
        int matched = EntryNames.match(name, directoryBytes, offset, length, isCodePage437);
        return matched < 0 ? matched : length - matched;
    }

    private static boolean endsWithSlash(CharSequence name) {
        return name.isEmpty() || name.charAt(name.length() - 1) == '/';
    }
}
