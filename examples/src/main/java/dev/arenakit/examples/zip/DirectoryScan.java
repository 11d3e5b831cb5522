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
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
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

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    /// The bits that no ASCII character has, in eight bytes.
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;
    private static final long LOW_BYTES = 0x00ff_00ff_00ff_00ffL;
    private static final long LOW_SHORTS = 0x0000_ffff_0000_ffffL;
    private static final int POWER_4 = 31 * 31 * 31 * 31;
    private static final int POWER_8 = (int) ((long) POWER_4 * POWER_4);

    private final CentralDirectory directory;
    private final byte[] window;
    /// The position of the window in the directory.
    private long start;
    /// The position of the window's end, exclusive.
    private long end;

    DirectoryScan(CentralDirectory directory) {
        this.directory = directory;
        window = new byte[(int) Math.min(WINDOW_BYTE_SIZE, directory.byteSize())];
    }

    /// Checks a header and all that belongs to it.
    ///
    /// @return the position of the next header
    long check(long position) throws IOException {
        long byteSize = directory.byteSize();
        if (position > byteSize - HEADER_BYTE_SIZE) {
            throw directory.malformed("Directory ends within a header", position);
        }
        int header = indexOf(position);
        if (window[header] != (byte) HEADER_SIGNATURE || window[header + 1] != (byte) (HEADER_SIGNATURE >> 8)
                || window[header + 2] != (byte) (HEADER_SIGNATURE >> 16)
                || window[header + 3] != (byte) (HEADER_SIGNATURE >> 24)) {
            throw directory.malformed("Directory header has another signature", position);
        }
        int extraLength = unsigned16(header + (int) HEADER_EXTRA_LENGTH);
        long next = position + HEADER_BYTE_SIZE + nameLength(header) + extraLength
                + unsigned16(header + (int) HEADER_COMMENT_LENGTH);
        if (next - position > MAX_16) {
            throw directory.malformed("Directory header is longer than 65,535 bytes", position);
        }
        if (next > byteSize) {
            throw directory.malformed("Directory ends within an entry", position);
        }
        int method = unsigned16(header + (int) HEADER_METHOD);
        if (method != DEFLATED && method != STORED && !directory.isEncrypted(position)) {
            throw directory.malformed("Entry is neither stored nor deflated: method=" + method, position);
        }
        if (extraLength > 0 || mayNeedZip64(header)) {
            String problem = ExtraFields.problem(directory, position);
            if (problem != null) {
                throw directory.malformed(problem, position);
            }
        }
        return next;
    }

    /// Returns the hash of a name that is ASCII, or a number above those of `int`.
    ///
    /// @param position the position of a header that has been checked
    long asciiHash(long position) {
        int header = indexOf(position);
        int i = header + (int) HEADER_BYTE_SIZE;
        int nameEnd = i + nameLength(header);
        int hash = 0;
        int all = 0;
        long words = 0;
        for (; i <= nameEnd - Long.BYTES; i += Long.BYTES) {
            long word = (long) WORD.get(window, i);
            words |= word;
            hash = hash * POWER_8 + wordHash(word);
        }
        for (; i < nameEnd; i++) {
            all |= window[i];
            hash = 31 * hash + window[i];
        }
        if (all < 0 || (words & NOT_ASCII) != 0) {
            return Long.MAX_VALUE;
        }
        return nameLength(header) == 0 ? 0 : EntryNames.withSlash(hash, (char) window[nameEnd - 1]);
    }

    /// Returns the hash of eight characters, the first in the lowest byte. It adds up neighbours: first pairs, which need
    /// 16 bits, then fours, which need 32.
    private static int wordHash(long word) {
        long pairs = (word & LOW_BYTES) * 31 + (word >>> 8 & LOW_BYTES);
        long fours = (pairs & LOW_SHORTS) * (31 * 31) + (pairs >>> 16 & LOW_SHORTS);
        return (int) fours * POWER_4 + (int) (fours >>> 32);
    }

    /// Returns whether the name of a checked header has a character at an index.
    boolean nameHas(long position, int index, char c) {
        int header = indexOf(position);
        return index < nameLength(header) && window[header + (int) HEADER_BYTE_SIZE + index] == c;
    }

    private boolean mayNeedZip64(int header) {
        return isAllOnes(header + (int) HEADER_SIZE) || isAllOnes(header + (int) HEADER_COMPRESSED_SIZE)
                || isAllOnes(header + (int) HEADER_LOCAL_OFFSET)
                || unsigned16(header + (int) HEADER_DISK) == MAX_16;
    }

    private boolean isAllOnes(int index) {
        return (window[index] & window[index + 1] & window[index + 2] & window[index + 3]) == -1;
    }

    private int nameLength(int header) {
        return unsigned16(header + (int) HEADER_NAME_LENGTH);
    }

    private int unsigned16(int index) {
        return (window[index] & 0xff) | (window[index + 1] & 0xff) << 8;
    }

    /// Returns the index of a header in the window, which has all of the header.
    private int indexOf(long position) {
        long needed = Math.min(directory.byteSize(), position + MAX_16);
        if (position < start || needed > end) {
            int length = (int) Math.min(window.length, directory.byteSize() - position);
            MemorySegment.copy(directory.bytes(), JAVA_BYTE, position, window, 0, length);
            start = position;
            end = position + length;
        }
        return (int) (position - start);
    }
}
