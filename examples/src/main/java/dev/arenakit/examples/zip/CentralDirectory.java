package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.ZipException;

import static dev.arenakit.examples.zip.ZipFormat.ENCRYPTED;
import static dev.arenakit.examples.zip.ZipFormat.EXTRA_BYTE_SIZE;
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
import static dev.arenakit.examples.zip.ZipFormat.UNICODE_COMMENT_TAG;
import static dev.arenakit.examples.zip.ZipFormat.UNICODE_PATH_TAG;
import static dev.arenakit.examples.zip.ZipFormat.UTF_8;
import static dev.arenakit.examples.zip.ZipFormat.isAt;
import static dev.arenakit.examples.zip.ZipFormat.setUnsigned16;
import static dev.arenakit.examples.zip.ZipFormat.unsigned16;
import static dev.arenakit.examples.zip.ZipFormat.unsigned32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A copy of a zip file's directory in off-heap memory. Positions are positions of directory headers in this copy.
final class CentralDirectory {
    private final ZipSource source;
    private final MemorySegment bytes;
    private final long byteSize;
    /// The position of the directory in the file.
    private final long start;
    /// The position in the file that offsets of local headers count from.
    private final long base;

    private CentralDirectory(ZipSource source, MemorySegment bytes, long byteSize, long start, long base) {
        this.source = source;
        this.bytes = bytes;
        this.byteSize = byteSize;
        this.start = start;
        this.base = base;
    }

    /// Allocates memory for a directory, and for the table that follows it.
    static CentralDirectory allocate(ZipSource source, EndRecord end, long tableByteSize, MallocArena arena) {
        long byteSize = end.directoryByteSize();
        MemorySegment bytes = arena.allocate(tableStart(byteSize) + tableByteSize);
        return new CentralDirectory(source, bytes, byteSize, end.directoryPosition(), end.base());
    }

    /// Returns this directory in memory with room for a table. This instance must not be used afterwards.
    CentralDirectory withRoom(long tableByteSize, MallocArena arena) {
        long needed = tableStart() + tableByteSize;
        if (needed <= bytes.byteSize()) {
            return this;
        }
        MemorySegment larger = arena.allocate(needed);
        MemorySegment.copy(bytes, 0, larger, 0, byteSize);
        arena.free(bytes);
        return new CentralDirectory(source, larger, byteSize, start, base);
    }

    /// Reads a part of the directory from the file. Its headers are not checked.
    void read(long from, long to) throws IOException {
        source.readFully(start + from, bytes.asSlice(from, to - from));
    }

    /// Returns the size of the directory.
    long byteSize() {
        return byteSize;
    }

    /// Returns the position of the table in the memory of the directory.
    long tableStart() {
        return tableStart(byteSize);
    }

    private static long tableStart(long byteSize) {
        return (byteSize + Long.BYTES - 1) & -Long.BYTES;
    }

    /// Returns the memory that begins with the directory.
    MemorySegment bytes() {
        return bytes;
    }

    /// Returns whether a position is within the directory and has the signature of a header.
    boolean hasHeader(long position) {
        return position >= 0 && position <= byteSize - HEADER_BYTE_SIZE
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

    /// Replaces name and comment of a header by its Unicode fields, if there are such fields for them. The
    /// header keeps its size.
    ///
    /// @return whether the header has changed
    boolean useUnicodeFields(long position) {
        if (isUtf8(position)) {
            return false;
        }
        MemorySegment path = ExtraFields.unicode(this, position, UNICODE_PATH_TAG,
                bytes.asSlice(namePosition(position), nameLength(position)));
        MemorySegment comment = ExtraFields.unicode(this, position, UNICODE_COMMENT_TAG,
                bytes.asSlice(commentPosition(position), commentLength(position)));
        if (path == null && comment == null) {
            return false;
        }
        byte[] name = (path != null ? path : bytes.asSlice(namePosition(position), nameLength(position)))
                .toArray(JAVA_BYTE);
        byte[] end = (comment != null ? comment : bytes.asSlice(commentPosition(position), commentLength(position)))
                .toArray(JAVA_BYTE);
        byte[] zip64 = ExtraFields.zip64Field(this, position);
        ByteBuffer texts = bytes.asSlice(namePosition(position), next(position) - namePosition(position))
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
        int filler = texts.capacity() - name.length - zip64.length - end.length - (int) EXTRA_BYTE_SIZE;
        texts.put(name).put(zip64).putShort((short) 0).putShort((short) filler);
        texts.position(texts.position() + filler).put(end);
        setUnsigned16(bytes, position + HEADER_NAME_LENGTH, name.length);
        setUnsigned16(bytes, position + HEADER_EXTRA_LENGTH, zip64.length + (int) EXTRA_BYTE_SIZE + filler);
        setUnsigned16(bytes, position + HEADER_COMMENT_LENGTH, end.length);
        return true;
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

    /// Returns an exception for a malformed header.
    ZipException malformed(String what, long position) {
        return source.malformed(what, start + position);
    }
}
