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
/// header   0 7f 'E' 'L' 'F'   4 2 = 64 bit   5 1 = little-endian   40 offset of the sections' headers
///          58 byte size of a section's header   60 their number
/// ```
final class ElfFile {
    private static final int MAGIC = 0x464c457f;
    private static final int HEADER_BYTE_SIZE = 64;

    private ElfFile() {}

    /// Returns whether a file ends before the end of the sections' headers, which linkers write last.
    ///
    /// @throws IOException if the file does not have this format
    static boolean isTruncated(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTE_SIZE).order(ByteOrder.LITTLE_ENDIAN);
            while (header.hasRemaining() && file.read(header) >= 0) {
                // Continue until the end of the header or of the file.
            }
            if (header.position() < Integer.BYTES || header.getInt(0) != MAGIC) {
                throw new IOException("not in format ELF");
            }
            return header.hasRemaining() || (header.get(4) == 2 && header.get(5) == 1
                    && header.getLong(40) + (long) header.getChar(58) * header.getChar(60) > file.size());
        }
    }
}
