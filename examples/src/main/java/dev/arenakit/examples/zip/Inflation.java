package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Inflater;

/// The tools of a reader of entry data: an inflater, a checksum, and a buffer for bytes of the file.
final class Inflation {
    /// Most entries fit into the buffer, so that a single system call reads them.
    private static final long BUFFER_BYTE_SIZE = 64 * 1024;

    private final MallocArena arena;
    private final MemorySegment memory;
    private final ByteBuffer buffer;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();

    /// Allocates a buffer.
    Inflation(MallocArena arena) {
        this.arena = arena;
        memory = arena.allocate(BUFFER_BYTE_SIZE);
        buffer = memory.asByteBuffer();
    }

    MemorySegment memory() {
        return memory;
    }

    /// Returns the buffer over [#memory()].
    ByteBuffer buffer() {
        return buffer;
    }

    Inflater inflater() {
        return inflater;
    }

    CRC32 crc() {
        return crc;
    }

    /// Makes this ready for another entry.
    void reset() {
        inflater.reset();
        crc.reset();
    }

    /// Ends the inflater and frees the buffer.
    void end() {
        inflater.end();
        try {
            arena.free(memory);
        } catch (IllegalStateException _) {
            // The arena has been closed, and has freed the buffer.
        }
    }
}
