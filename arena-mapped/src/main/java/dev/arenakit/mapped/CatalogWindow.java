package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The part of a file that was read last. What lies behind the end of the file is zero.
final class CatalogWindow {
    private final FileChannel channel;
    private final MemorySegment bytes;

    /// Of the window in the file.
    private long start;
    private long filled;

    CatalogWindow(FileChannel channel, long byteSize) {
        this.channel = channel;
        this.bytes = Arena.ofAuto().allocate(byteSize, Long.BYTES);
    }

    /// Where the bytes are in [#bytes], at a multiple of the line size; they are read where they have not been.
    long at(long position, long byteSize) throws IOException {
        if (position < start || position + byteSize > start + filled) {
            refill(position);
        }
        return position - start;
    }

    /// Reads the window anew from a position on.
    void refill(long position) throws IOException {
        start = position;
        filled = bytes.byteSize();
        ByteBuffer buffer = bytes.asByteBuffer();
        while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {
            // Less than was asked for is read where the file ends, or a signal comes.
        }
        bytes.asSlice(buffer.position()).fill((byte) 0);
    }

    /// Reads a part of the window anew.
    void reread(long position, long byteSize) throws IOException {
        ByteBuffer buffer = bytes.asSlice(at(position, byteSize), byteSize).asByteBuffer();
        while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {
            // As above; where the file has become shorter, what was there is no worse.
        }
    }

    MemorySegment bytes() {
        return bytes;
    }
}
