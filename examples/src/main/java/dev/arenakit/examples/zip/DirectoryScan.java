package dev.arenakit.examples.zip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.zip.ZipException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/// Checks all headers of a directory in order, and computes the hashes of their names.
final class DirectoryScan {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    /// The bits that no ASCII character has, in eight bytes.
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;
    private static final long LOW_BYTES = 0x00ff_00ff_00ff_00ffL;
    private static final long LOW_SHORTS = 0x0000_ffff_0000_ffffL;
    private static final int[] POWERS = powers();

    private final CentralDirectory directory;
    private long[] slots;
    private int slotCount;
    private int size;

    /// Scans a directory.
    ///
    /// @param slotCount the probable number of slots
    /// @throws ZipException if a header is malformed
    DirectoryScan(CentralDirectory directory, int slotCount) throws ZipException {
        this.directory = directory;
        slots = new long[slotCount];
        long position = 0;
        while (position < directory.byteSize()) {
            long next = directory.check(position);
            add(position, directory.nameLength(position));
            position = next;
        }
    }

    /// Returns the slots of the table, in the order of the directory. The array may be longer.
    long[] slots() {
        return slots;
    }

    int slotCount() {
        return slotCount;
    }

    /// Returns the number of entries.
    int size() {
        return size;
    }

    private static int[] powers() {
        int[] powers = new int[Long.BYTES + 1];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = 31 * powers[i - 1];
        }
        return powers;
    }

    private void add(long position, int nameLength) throws ZipException {
        if (slotCount > slots.length - 2) {
            slots = Arrays.copyOf(slots, 2 * slots.length + 2);
        }
        int hash = hash(position, nameLength);
        slots[slotCount++] = ZipEntryTable.slot(position, hash);
        size++;
        long last = directory.namePosition(position) + nameLength - 1;
        if (nameLength > 1 && directory.bytes().get(JAVA_BYTE, last) == '/'
                && directory.bytes().get(JAVA_BYTE, last - 1) != '/') {
            slots[slotCount++] = ZipEntryTable.slot(position, ZipEntryTable.hashWithoutSlash(hash));
        }
    }

    /// Returns the hash of a name, which equals the hash of the String.
    private int hash(long position, int nameLength) throws ZipException {
        MemorySegment bytes = directory.bytes();
        long name = directory.namePosition(position);
        if (nameLength == 0) {
            return 0;
        }
        long i = name;
        long nameEnd = name + nameLength;
        int hash = 0;
        long all = 0;
        for (; i < nameEnd - Long.BYTES; i += Long.BYTES) {
            long word = bytes.get(WORD, i);
            all |= word;
            hash = hash * POWERS[Long.BYTES] + wordHash(word);
        }
        // One to eight characters are left. Zeros replace the preceding characters.
        int left = (int) (nameEnd - i);
        long word = bytes.get(WORD, nameEnd - Long.BYTES) & -1L << (Long.SIZE - left * Byte.SIZE);
        if (((all | word) & NOT_ASCII) == 0) {
            return hash * POWERS[left] + wordHash(word);
        }
        String text = EntryNames.utf8(bytes, name, nameLength);
        if (text == null) {
            throw directory.malformed("Entry name is not UTF-8", position);
        }
        return text.hashCode();
    }

    /// Returns the hash of eight characters, the first in the lowest byte. It adds up neighbours: first pairs, which
    /// need 16 bits, then groups of four, which need 32 bits.
    private static int wordHash(long word) {
        long pairs = (word & LOW_BYTES) * 31 + (word >>> 8 & LOW_BYTES);
        long fours = (pairs & LOW_SHORTS) * (31 * 31) + (pairs >>> 16 & LOW_SHORTS);
        return (int) fours * (31 * 31 * 31 * 31) + (int) (fours >>> 32);
    }
}
