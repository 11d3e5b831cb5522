package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

import static dev.arenakit.examples.zip.ZipFormat.HEADER_BYTE_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_COMMENT_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_COMPRESSED_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_DISK;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_EXTRA_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_LOCAL_OFFSET;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_NAME_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIGNATURE;
import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
import static dev.arenakit.examples.zip.ZipFormat.MAX_32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/// Reads a directory, checks all headers in order, and computes the hashes of their names.
///
/// The headers are read through a window on the heap. In a program that has just started, code is interpreted, and
/// interpreted code reads arrays much faster than segments.
final class DirectoryScan {
    /// The largest header fits into half of the window. The other half makes refills rare.
    private static final int WINDOW_BYTE_SIZE = 2 * (MAX_16 + 1);

    private static final VarHandle INT = view(int[].class);
    private static final VarHandle WORD = view(long[].class);

    /// The positions of the extra length, the comment length and the disk number in the word that begins with the name
    /// length.
    private static final long EXTRA_LENGTH_SHIFT = (HEADER_EXTRA_LENGTH - HEADER_NAME_LENGTH) * Byte.SIZE;
    private static final long COMMENT_LENGTH_SHIFT = (HEADER_COMMENT_LENGTH - HEADER_NAME_LENGTH) * Byte.SIZE;
    private static final long DISK_SHIFT = (HEADER_DISK - HEADER_NAME_LENGTH) * Byte.SIZE;

    /// The bits that no ASCII character has, in eight bytes.
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;
    private static final long LOW_BYTES = 0x00ff_00ff_00ff_00ffL;
    private static final long LOW_SHORTS = 0x0000_ffff_0000_ffffL;
    private static final int[] POWERS = powers();

    private final CentralDirectory directory;
    private final Releases.Builder releases;
    private final byte[] window;
    /// The end of the window as a position in the directory, exclusive. The directory has been read up to this
    /// position.
    private long windowEnd;
    private long[] slots;
    private int slotCount;
    private int size;

    /// Prepares the scan of a directory.
    ///
    /// @param slotCount the probable number of slots
    /// @param releases  is told the releases of multi-release entries
    DirectoryScan(CentralDirectory directory, int slotCount, Releases.Builder releases) {
        this.directory = directory;
        this.releases = releases;
        window = new byte[(int) Math.min(WINDOW_BYTE_SIZE, directory.byteSize())];
        slots = new long[slotCount];
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

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, LITTLE_ENDIAN).withInvokeExactBehavior();
    }

    private static int[] powers() {
        int[] powers = new int[Long.BYTES + 1];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = 31 * powers[i - 1];
        }
        return powers;
    }

    /// Reads and checks the directory.
    void run() throws IOException {
        // Fields are read once: the loop has calls behind which they would have to be read again.
        byte[] window = this.window;
        long byteSize = directory.byteSize();
        int limit = 0;
        int header = 0;
        for (long position = 0; position < byteSize;) {
            if (header > limit - (int) HEADER_BYTE_SIZE) {
                limit = refill(position);
                header = 0;
                if (limit < HEADER_BYTE_SIZE) {
                    throw directory.malformed("Directory ends within a header", position);
                }
            }
            if ((int) INT.get(window, header) != HEADER_SIGNATURE) {
                throw directory.malformed("Directory header has another signature", position);
            }
            long lengths = (long) WORD.get(window, header + (int) HEADER_NAME_LENGTH);
            int nameLength = (int) lengths & MAX_16;
            int extraLength = (int) (lengths >>> EXTRA_LENGTH_SHIFT) & MAX_16;
            int length = (int) HEADER_BYTE_SIZE + nameLength + extraLength
                    + ((int) (lengths >>> COMMENT_LENGTH_SHIFT) & MAX_16);
            if (length > Math.min(limit - header, MAX_16)) {
                checkLength(position, length);
                limit = refill(position);
                header = 0;
            }
            if (extraLength > 0 || lengths >>> DISK_SHIFT == MAX_16 || mayNeedZip64(window, header)) {
                checkExtraFields(position);
                if (directory.useUnicodeFields(position)) {
                    nameLength = directory.nameLength(position);
                    MemorySegment.copy(directory.bytes(), JAVA_BYTE, position, window, header, length);
                }
            }
            add(position, window, header + (int) HEADER_BYTE_SIZE, nameLength);
            header += length;
            position += length;
        }
    }

    private void checkLength(long position, int length) throws IOException {
        if (length > MAX_16) {
            throw directory.malformed("Directory header is longer than 65,535 bytes", position);
        }
        if (position + length > directory.byteSize()) {
            throw directory.malformed("Directory ends within an entry", position);
        }
    }

    private void checkExtraFields(long position) throws IOException {
        String problem = ExtraFields.problem(directory, position);
        if (problem != null) {
            throw directory.malformed(problem, position);
        }
    }

    private void add(long position, byte[] window, int name, int nameLength) throws IOException {
        if (slotCount > slots.length - 2) {
            slots = Arrays.copyOf(slots, 2 * slots.length + 2);
        }
        long hash = asciiHash(window, name, nameLength);
        long slot = hash == (int) hash ? ZipEntryTable.slot(position, (int) hash) : slotOfText(position);
        slots[slotCount++] = slot;
        size++;
        int last = name + nameLength - 1;
        if (nameLength > 1 && window[last] == '/' && window[last - 1] != '/') {
            slots[slotCount++] = ZipEntryTable.slotWithoutSlash(slot);
        }
        if (nameLength > Releases.PREFIX_LENGTH && window[name + Releases.PREFIX_LENGTH - 1] == '/') {
            releases.add(directory, position);
        }
    }

    /// Returns the hash of a name if it is ASCII, otherwise a number above all values of `int`.
    private static long asciiHash(byte[] window, int name, int nameLength) {
        if (nameLength == 0) {
            return 0;
        }
        int i = name;
        int nameEnd = name + nameLength;
        int hash = 0;
        long all = 0;
        for (; i < nameEnd - Long.BYTES; i += Long.BYTES) {
            long word = (long) WORD.get(window, i);
            all |= word;
            hash = hash * POWERS[Long.BYTES] + wordHash(word);
        }
        // One to eight characters are left. Zeros replace the preceding characters.
        int left = nameEnd - i;
        long word = (long) WORD.get(window, nameEnd - Long.BYTES) & -1L << (Long.SIZE - left * Byte.SIZE);
        return ((all | word) & NOT_ASCII) == 0 ? hash * POWERS[left] + wordHash(word) : Long.MAX_VALUE;
    }

    /// Returns the hash of eight characters, the first in the lowest byte. It adds up neighbours: first pairs, which
    /// need 16 bits, then groups of four, which need 32 bits.
    private static int wordHash(long word) {
        long pairs = (word & LOW_BYTES) * 31 + (word >>> 8 & LOW_BYTES);
        long fours = (pairs & LOW_SHORTS) * (31 * 31) + (pairs >>> 16 & LOW_SHORTS);
        return (int) fours * (31 * 31 * 31 * 31) + (int) (fours >>> 32);
    }

    private long slotOfText(long position) throws IOException {
        MemorySegment bytes = directory.bytes();
        long name = directory.namePosition(position);
        int length = directory.nameLength(position);
        String text = EntryNames.utf8(bytes, name, length);
        if (text != null) {
            return ZipEntryTable.slot(position, text.hashCode());
        }
        if (directory.isUtf8(position)) {
            throw directory.malformed("Entry name is not UTF-8", position);
        }
        String codePage437 = EntryNames.codePage437(bytes, name, length);
        return ZipEntryTable.slotOfCodePage437(position, codePage437.hashCode());
    }

    private static boolean mayNeedZip64(byte[] window, int header) {
        long sizes = (long) WORD.get(window, header + (int) HEADER_COMPRESSED_SIZE);
        return (int) sizes == -1 || sizes >>> Integer.SIZE == MAX_32
                || (int) INT.get(window, header + (int) HEADER_LOCAL_OFFSET) == -1;
    }

    /// Makes the window begin at a position.
    ///
    /// @return the number of bytes in the window
    private int refill(long position) throws IOException {
        int length = (int) Math.min(window.length, directory.byteSize() - position);
        long end = position + length;
        directory.read(windowEnd, end);
        windowEnd = end;
        MemorySegment.copy(directory.bytes(), JAVA_BYTE, position, window, 0, length);
        return length;
    }
}
