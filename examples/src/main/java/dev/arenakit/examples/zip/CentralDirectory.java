package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.ZipException;

import static dev.arenakit.examples.zip.ZipFormat.ENCRYPTED;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_BYTE_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_COMMENT_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_COMPRESSED_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_CRC;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_EXTRA_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_FLAGS;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_LOCAL_OFFSET;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_METHOD;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_NAME_LENGTH;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIGNATURE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.MAX_32;
import static dev.arenakit.examples.zip.ZipFormat.UTF_8;
import static dev.arenakit.examples.zip.ZipFormat.isAt;
import static dev.arenakit.examples.zip.ZipFormat.unsigned16;
import static dev.arenakit.examples.zip.ZipFormat.unsigned32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A copy of a zip file's directory in off-heap memory. A position is that of a directory header in this copy.
final class CentralDirectory {
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

    /// Reads a directory. Its headers are not checked yet.
    static CentralDirectory read(ZipSource source, EndRecord end, Arena arena) throws IOException {
        long byteSize = end.directoryByteSize();
        MemorySegment bytes = arena.allocate(byteSize);
        source.readFully(end.directoryPosition(), bytes);
        return new CentralDirectory(source, bytes, end.directoryPosition(), end.base());
    }

    long byteSize() {
        return bytes.byteSize();
    }

    MemorySegment bytes() {
        return bytes;
    }

    /// Returns whether a position is within the directory and has the signature of a header.
    boolean hasHeader(long position) {
        return position >= 0 && position <= bytes.byteSize() - HEADER_BYTE_SIZE
                && isAt(bytes, position, HEADER_SIGNATURE);
    }

    long next(long position) {
        return commentPosition(position) + commentLength(position);
    }

    long namePosition(long position) {
        return position + HEADER_BYTE_SIZE;
    }

    int nameLength(long position) {
        return unsigned16(bytes, position + HEADER_NAME_LENGTH);
    }

    long extraPosition(long position) {
        return namePosition(position) + nameLength(position);
    }

    int extraLength(long position) {
        return unsigned16(bytes, position + HEADER_EXTRA_LENGTH);
    }

    long commentPosition(long position) {
        return extraPosition(position) + extraLength(position);
    }

    int commentLength(long position) {
        return unsigned16(bytes, position + HEADER_COMMENT_LENGTH);
    }

    String name(long position) {
        return text(namePosition(position), nameLength(position));
    }

    String comment(long position) {
        return text(commentPosition(position), commentLength(position));
    }

    private String text(long offset, int length) {
        String text = EntryNames.utf8(bytes, offset, length);
        return text != null ? text : EntryNames.codePage437(bytes, offset, length);
    }

    boolean isEncrypted(long position) {
        return (unsigned16(bytes, position + HEADER_FLAGS) & ENCRYPTED) != 0;
    }

    /// Returns whether name and comment are flagged as UTF-8.
    boolean isUtf8(long position) {
        return (unsigned16(bytes, position + HEADER_FLAGS) & UTF_8) != 0;
    }

    boolean isDirectory(long position) {
        int length = nameLength(position);
        return length > 0 && bytes.get(JAVA_BYTE, namePosition(position) + length - 1) == '/';
    }

    int method(long position) {
        return unsigned16(bytes, position + HEADER_METHOD);
    }

    long crc(long position) {
        return unsigned32(bytes, position + HEADER_CRC);
    }

    long size(long position) {
        long size = unsigned32(bytes, position + HEADER_SIZE);
        return size != MAX_32 ? size : ExtraFields.zip64Size(this, position);
    }

    long compressedSize(long position) {
        long size = unsigned32(bytes, position + HEADER_COMPRESSED_SIZE);
        return size != MAX_32 ? size : ExtraFields.zip64CompressedSize(this, position);
    }

    /// Returns the position of the local header in the file.
    long localHeader(long position) {
        return base + localOffset(position);
    }

    long localOffset(long position) {
        long offset = unsigned32(bytes, position + HEADER_LOCAL_OFFSET);
        return offset != MAX_32 ? offset : ExtraFields.zip64LocalOffset(this, position);
    }

    /// Returns an exception that says what is wrong with a header.
    ZipException malformed(String what, long position) {
        return source.malformed(what, start + position);
    }
}
