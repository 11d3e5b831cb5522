package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import static dev.arenakit.examples.zip.ZipFormat.DEFLATED;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_BYTE_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_COMMENT_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_COMPRESSED_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_DISK;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_EXTRA_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_LOCAL_OFFSET;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_METHOD;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_NAME_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIGNATURE;
import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
import static dev.arenakit.examples.zip.ZipFormat.MAX_32;
import static dev.arenakit.examples.zip.ZipFormat.STORED;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/// Checks all headers of a directory in order, and computes the hashes of their names.
///
/// The headers are read through a window on the heap. In a program that has just started, code is interpreted, and
/// interpreted code reads arrays much faster than segments.
final class DirectoryScan {
    /// At least the largest header. A second one makes refills rare.
    private static final int WINDOW_BYTE_SIZE = 2 * (MAX_16 + 1);

    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle WORD = view(long[].class);

    /// Where the extra length, the comment length and the disk number are, in the word that begins with the name length.
    private static final long EXTRA_LENGTH_SHIFT = (HEADER_EXTRA_LENGTH - HEADER_NAME_LENGTH) * Byte.SIZE;
    private static final long COMMENT_LENGTH_SHIFT = (HEADER_COMMENT_LENGTH - HEADER_NAME_LENGTH) * Byte.SIZE;
    private static final long DISK_SHIFT = (HEADER_DISK - HEADER_NAME_LENGTH) * Byte.SIZE;

    /// The bits that no ASCII character has, in eight bytes.
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;
    private static final long LOW_BYTES = 0x00ff_00ff_00ff_00ffL;
    private static final long LOW_SHORTS = 0x0000_ffff_0000_ffffL;
    private static final int[] POWERS = powers();

    private final CentralDirectory directory;
    private final byte[] window;
    /// The position of the window in the directory.
    private long start;
    /// How many bytes of the directory the window has.
    private int limit;
    /// The end of what has been read from the file.
    private long readEnd;
    /// The index of the header in the window, and what follows behind it.
    private int header;
    private int nameLength;
    private long following;

    DirectoryScan(CentralDirectory directory) {
        this.directory = directory;
        window = new byte[(int) Math.min(WINDOW_BYTE_SIZE, directory.byteSize())];
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

    /// Checks the next header and all that belongs to it.
    ///
    /// @return the position of the header, or -1 at the end of the directory
    long next() throws IOException {
        long position = following;
        long byteSize = directory.byteSize();
        if (position == byteSize) {
            return -1;
        }
        if (position > byteSize - HEADER_BYTE_SIZE) {
            throw directory.malformed("Directory ends within a header", position);
        }
        int header = indexOf(position, (int) HEADER_BYTE_SIZE);
        if ((int) INT.get(window, header) != HEADER_SIGNATURE) {
            throw directory.malformed("Directory header has another signature", position);
        }
        long lengths = (long) WORD.get(window, header + (int) HEADER_NAME_LENGTH);
        int nameLength = (int) lengths & MAX_16;
        int extraLength = (int) (lengths >>> EXTRA_LENGTH_SHIFT) & MAX_16;
        int length = (int) HEADER_BYTE_SIZE + nameLength + extraLength
                + ((int) (lengths >>> COMMENT_LENGTH_SHIFT) & MAX_16);
        if (length > MAX_16) {
            throw directory.malformed("Directory header is longer than 65,535 bytes", position);
        }
        if (position + length > byteSize) {
            throw directory.malformed("Directory ends within an entry", position);
        }
        header = indexOf(position, length);
        int method = (short) SHORT.get(window, header + (int) HEADER_METHOD) & MAX_16;
        if (method != DEFLATED && method != STORED && !directory.isEncrypted(position)) {
            throw directory.malformed("Entry is neither stored nor deflated: method=" + method, position);
        }
        if (extraLength > 0 || lengths >>> DISK_SHIFT == MAX_16 || mayNeedZip64(header)) {
            String problem = ExtraFields.problem(directory, position);
            if (problem != null) {
                throw directory.malformed(problem, position);
            }
        }
        this.header = header;
        this.nameLength = nameLength;
        following = position + length;
        return position;
    }

    /// Returns the hash of the name if it is ASCII, else a number above those of `int`.
    long asciiHash() {
        int i = header + (int) HEADER_BYTE_SIZE;
        int nameEnd = i + nameLength;
        if (i == nameEnd) {
            return 0;
        }
        int hash = 0;
        long all = 0;
        for (; i < nameEnd - Long.BYTES; i += Long.BYTES) {
            long word = (long) WORD.get(window, i);
            all |= word;
            hash = hash * POWERS[Long.BYTES] + wordHash(word);
        }
        // One to eight characters are left: zeros replace what stands before them.
        int left = nameEnd - i;
        long word = (long) WORD.get(window, nameEnd - Long.BYTES) & -1L << (Long.SIZE - left * Byte.SIZE);
        return ((all | word) & NOT_ASCII) == 0 ? hash * POWERS[left] + wordHash(word) : Long.MAX_VALUE;
    }

    /// Returns the hash of eight characters, the first in the lowest byte. It adds up neighbours: first pairs, which need
    /// 16 bits, then fours, which need 32.
    private static int wordHash(long word) {
        long pairs = (word & LOW_BYTES) * 31 + (word >>> 8 & LOW_BYTES);
        long fours = (pairs & LOW_SHORTS) * (31 * 31) + (pairs >>> 16 & LOW_SHORTS);
        return (int) fours * (31 * 31 * 31 * 31) + (int) (fours >>> 32);
    }

    /// Returns whether the name ends with one slash behind another character.
    boolean isDirectory() {
        return nameLength > 1 && nameHas(nameLength - 1, '/') && !nameHas(nameLength - 2, '/');
    }

    /// Returns whether the name has a character at an index.
    boolean nameHas(int index, char c) {
        return index < nameLength && window[header + (int) HEADER_BYTE_SIZE + index] == c;
    }

    private boolean mayNeedZip64(int header) {
        long sizes = (long) WORD.get(window, header + (int) HEADER_COMPRESSED_SIZE);
        return (int) sizes == -1 || sizes >>> Integer.SIZE == MAX_32
                || (int) INT.get(window, header + (int) HEADER_LOCAL_OFFSET) == -1;
    }

    /// Returns the index of a position in the window, which has the bytes from there.
    private int indexOf(long position, int length) throws IOException {
        long index = position - start;
        return index + length <= limit ? (int) index : refill(position);
    }

    private int refill(long position) throws IOException {
        limit = (int) Math.min(window.length, directory.byteSize() - position);
        long end = position + limit;
        directory.read(readEnd, end);
        readEnd = end;
        MemorySegment.copy(directory.bytes(), JAVA_BYTE, position, window, 0, limit);
        start = position;
        return 0;
    }
}
