package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.internal.files.OpenedFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The part of a file that was last read. Bytes after the end of the file are zero.
final class CatalogWindow {
    private final OpenedFile file;
    private final MemorySegment bytes;

    /// The offset of the window in the file.
    private long start;
    private long filled;

    CatalogWindow(OpenedFile file, long byteSize) {
        this.file = file;
        this.bytes = Arena.ofAuto().allocate(byteSize, Long.BYTES);
    }

    /// Returns the offset in [#bytes] of the bytes at a position of the file, a multiple of the line size. The bytes
    /// are read if needed.
    long at(long position, long byteSize) throws IOException {
        if (position < start || position + byteSize > start + filled) {
            refill(position);
        }
        return position - start;
    }

    /// Makes the window empty, so that the next access reads the file.
    void clear() {
        filled = 0;
    }

    /// Reads the window at a position.
    void refill(long position) throws IOException {
        start = position;
        filled = bytes.byteSize();
        ByteBuffer buffer = bytes.asByteBuffer();
        while (buffer.hasRemaining() && file.read(buffer, position + buffer.position()) > 0) {
            // A read returns fewer bytes than requested at the end of the file, or when a signal arrives.
        }
        bytes.asSlice(buffer.position()).fill((byte) 0);
    }

    /// Reads a part of the window again.
    void reread(long position, long byteSize) throws IOException {
        ByteBuffer buffer = bytes.asSlice(at(position, byteSize), byteSize).asByteBuffer();
        while (buffer.hasRemaining() && file.read(buffer, position + buffer.position()) > 0) {
            // A read may return fewer bytes than requested. If the file has become shorter, the previous bytes stay.
        }
    }

    MemorySegment bytes() {
        return bytes;
    }
}
