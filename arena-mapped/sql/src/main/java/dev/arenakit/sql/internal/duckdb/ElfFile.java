package dev.arenakit.sql.internal.duckdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The format ELF of native libraries. A process that loads a truncated library ends.
///
/// ```
/// header    0 7f 'E' 'L' 'F'   4 2 = 64 bit   5 1 = little-endian   32 offset of the segments   40 offset of the sections
///           54 byte size of a segment's header   56 their number   58 byte size of a section's header   60 their number
/// segment   0 type, 1 = loaded   8 offset   32 byte size in the file
/// ```
final class ElfFile {
    private static final int MAGIC = 0x464c457f;
    private static final int HEADER_BYTE_SIZE = 64;
    private static final int SEGMENT_BYTE_SIZE = 56;
    private static final int LOADED = 1;

    private ElfFile() {}

    /// Returns whether a file ends before the end of the segments and sections in its headers.
    ///
    /// @throws IOException if the file does not have this format
    static boolean isTruncated(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            long byteSize = file.size();
            ByteBuffer header = read(file, 0, HEADER_BYTE_SIZE);
            if (header.limit() < Integer.BYTES || header.getInt(0) != MAGIC) {
                throw new IOException("not in format ELF");
            }
            if (header.limit() < HEADER_BYTE_SIZE) {
                return true;
            }
            if (header.get(4) != 2 || header.get(5) != 1) {
                return false;
            }
            long segments = header.getLong(32);
            int segmentByteSize = header.getChar(54);
            int count = header.getChar(56);
            if (!isIn(header.getLong(40), (long) header.getChar(58) * header.getChar(60), byteSize)
                    || !isIn(segments, (long) segmentByteSize * count, byteSize)) {
                return true;
            }
            for (int i = 0; i < count && segmentByteSize >= SEGMENT_BYTE_SIZE; i++) {
                ByteBuffer segment = read(file, segments + (long) i * segmentByteSize, SEGMENT_BYTE_SIZE);
                if (segment.getInt(0) == LOADED && !isIn(segment.getLong(8), segment.getLong(32), byteSize)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean isIn(long offset, long length, long byteSize) {
        return offset >= 0 && length >= 0 && offset <= byteSize && length <= byteSize - offset;
    }

    private static ByteBuffer read(FileChannel file, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && file.read(bytes, offset + bytes.position()) >= 0) {
            // Continue until the end of the bytes or of the file.
        }
        return bytes.flip();
    }
}
