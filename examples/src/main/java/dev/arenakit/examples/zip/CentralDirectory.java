package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipException;

import static dev.arenakit.examples.zip.ZipFormat.HEADER_BYTE_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIGNATURE;
import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
import static dev.arenakit.examples.zip.ZipFormat.MAX_32;
import static dev.arenakit.examples.zip.ZipFormat.isAt;
import static dev.arenakit.examples.zip.ZipFormat.signed64;
import static dev.arenakit.examples.zip.ZipFormat.unsigned16;
import static dev.arenakit.examples.zip.ZipFormat.unsigned32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A copy of a zip file's directory in off-heap memory. Positions are positions of directory headers in this copy.
final class CentralDirectory {
    private static final long FLAGS = 8;
    private static final long METHOD = 10;
    private static final long CRC = 16;
    private static final long COMPRESSED_SIZE = 20;
    private static final long SIZE = 24;
    private static final long NAME_LENGTH = 28;
    private static final long EXTRA_LENGTH = 30;
    private static final long COMMENT_LENGTH = 32;
    private static final long DISK = 34;
    private static final long LOCAL_OFFSET = 42;
    private static final int ENCRYPTED = 1;

    /// The size of the head of an extra field, and the offset of the size of its content.
    private static final long FIELD_BYTE_SIZE = 4;
    private static final long FIELD_LENGTH = 2;
    private static final int ZIP64_TAG = 1;

    private final ZipSource source;
    private final MemorySegment bytes;
    /// The position of the directory in the file.
    private final long start;
    /// The position in the file that offsets of local headers count from.
    private final long base;

    private CentralDirectory(ZipSource source, MemorySegment bytes, long start, long base) {
        this.source = source;
        this.bytes = bytes;
        this.start = start;
        this.base = base;
    }

    /// Reads a directory. Its headers are not checked.
    static CentralDirectory read(ZipSource source, EndRecord end, MallocArena arena) throws IOException {
        MemorySegment bytes = arena.allocate(end.directoryByteSize());
        source.readFully(end.directoryPosition(), bytes);
        return new CentralDirectory(source, bytes, end.directoryPosition(), end.base());
    }

    /// Returns the memory of the directory.
    MemorySegment bytes() {
        return bytes;
    }

    long byteSize() {
        return bytes.byteSize();
    }

    /// Returns whether a position is within the directory and has the signature of a header.
    boolean hasHeader(long position) {
        return position >= 0 && position <= byteSize() - HEADER_BYTE_SIZE && isAt(bytes, position, HEADER_SIGNATURE);
    }

    /// Checks the header at a position.
    ///
    /// @return the position of the next header
    long check(long position) throws ZipException {
        if (position > byteSize() - HEADER_BYTE_SIZE) {
            throw malformed("Directory ends within a header", position);
        }
        if (!isAt(bytes, position, HEADER_SIGNATURE)) {
            throw malformed("Directory header has another signature", position);
        }
        long extra = extraPosition(position);
        long comment = extra + extraLength(position);
        long next = comment + unsigned16(bytes, position + COMMENT_LENGTH);
        if (next - position > MAX_16) {
            throw malformed("Directory header is longer than 65,535 bytes", position);
        }
        if (next > byteSize()) {
            throw malformed("Directory ends within an entry", position);
        }
        int zip64 = zip64ByteSize(position);
        if (extra < comment) {
            checkExtraFields(position, extra, comment, zip64);
        } else if (zip64 > 0) {
            throw malformed("Entry has no ZIP64 field", position);
        }
        return next;
    }

    private void checkExtraFields(long position, long begin, long end, int zip64) throws ZipException {
        for (long field = begin; field <= end - FIELD_BYTE_SIZE;) {
            int length = unsigned16(bytes, field + FIELD_LENGTH);
            if (field + FIELD_BYTE_SIZE + length > end) {
                throw malformed("Extra field is longer than all extra fields: byteSize=" + length, position);
            }
            if (unsigned16(bytes, field) == ZIP64_TAG && length != zip64) {
                throw malformed("ZIP64 field has another size than its values: byteSize=" + length + ", values="
                        + zip64, position);
            }
            field += FIELD_BYTE_SIZE + length;
        }
        if (zip64 > 0 && (size(position) < 0 || compressedSize(position) < 0 || localOffset(position) < 0)) {
            throw malformed("Value of the ZIP64 field is 2^63 or more", position);
        }
    }

    long next(long position) {
        return commentPosition(position) + unsigned16(bytes, position + COMMENT_LENGTH);
    }

    long namePosition(long position) {
        return position + HEADER_BYTE_SIZE;
    }

    int nameLength(long position) {
        return unsigned16(bytes, position + NAME_LENGTH);
    }

    private long extraPosition(long position) {
        return namePosition(position) + nameLength(position);
    }

    int extraLength(long position) {
        return unsigned16(bytes, position + EXTRA_LENGTH);
    }

    private long commentPosition(long position) {
        return extraPosition(position) + extraLength(position);
    }

    String name(long position) {
        return text(namePosition(position), extraPosition(position));
    }

    String comment(long position) {
        return text(commentPosition(position), next(position));
    }

    private String text(long from, long to) {
        return new String(bytes.asSlice(from, to - from).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }

    boolean isEncrypted(long position) {
        return (unsigned16(bytes, position + FLAGS) & ENCRYPTED) != 0;
    }

    boolean isDirectory(long position) {
        int length = nameLength(position);
        return length > 0 && bytes.get(JAVA_BYTE, namePosition(position) + length - 1) == '/';
    }

    int method(long position) {
        return unsigned16(bytes, position + METHOD);
    }

    long crc(long position) {
        return unsigned32(bytes, position + CRC);
    }

    long size(long position) {
        return value(position, SIZE, 0);
    }

    long compressedSize(long position) {
        return value(position, COMPRESSED_SIZE, zip64Bytes(position + SIZE));
    }

    /// Returns the position of the local header in the file.
    long localHeader(long position) {
        return base + localOffset(position);
    }

    private long localOffset(long position) {
        return value(position, LOCAL_OFFSET, zip64Bytes(position + SIZE) + zip64Bytes(position + COMPRESSED_SIZE));
    }

    /// Returns a value of the header, or, if it is all ones, the value at an offset in the ZIP64 field, if there is one.
    private long value(long position, long headerOffset, int zip64Offset) {
        long value = unsigned32(bytes, position + headerOffset);
        if (value == MAX_32) {
            long end = commentPosition(position);
            for (long field = extraPosition(position); field <= end - FIELD_BYTE_SIZE;) {
                int length = unsigned16(bytes, field + FIELD_LENGTH);
                if (unsigned16(bytes, field) == ZIP64_TAG) {
                    return zip64Offset + Long.BYTES <= length
                            ? signed64(bytes, field + FIELD_BYTE_SIZE + zip64Offset)
                            : value;
                }
                field += FIELD_BYTE_SIZE + length;
            }
        }
        return value;
    }

    /// Returns the size of the values that must be in the ZIP64 field of an entry.
    private int zip64ByteSize(long position) {
        return zip64Bytes(position + SIZE) + zip64Bytes(position + COMPRESSED_SIZE)
                + zip64Bytes(position + LOCAL_OFFSET)
                + (unsigned16(bytes, position + DISK) == MAX_16 ? Integer.BYTES : 0);
    }

    private int zip64Bytes(long offset) {
        return unsigned32(bytes, offset) == MAX_32 ? Long.BYTES : 0;
    }

    /// Returns an exception for a malformed header.
    ZipException malformed(String what, long position) {
        return source.malformed(what, start + position);
    }
}
