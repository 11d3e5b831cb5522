package dev.arenakit.mapped.internal.ring;

import dev.arenakit.internal.file.FileBlocks;
import dev.arenakit.internal.ring.RingFormat;
import dev.arenakit.internal.ring.RingHeader;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// The creation of the file of a ring. The caller holds the lock of the creation, so that no other process creates the
/// ring at the same time. A process that was killed before may have left a file of any size, and a part of the header.
final class RingCreation {
    private static final int BUFFER_BYTE_SIZE = 1 << 16;

    private RingCreation() {}

    /// Gives a file without a complete header its size, and reserves its blocks.
    ///
    /// @throws IllegalStateException              if the file has other contents; it is not changed
    /// @throws dev.arenakit.mapped.DiskFullException if the disk has no room; the file has its previous size
    static void prepare(Path path, long capacity) throws IOException {
        long byteSize = ProducerSlots.RECORDS + capacity;
        SafeFiles.withChannel(() -> SafeFiles.open(path), channel -> {
            if (!hasHeader(channel)) {
                checkUnfinished(channel, path, capacity);
                grow(channel, path, byteSize);
            }
            return path;
        });
    }

    /// Whether the header of a ring, or other contents, begins the file.
    static boolean hasHeader(FileChannel channel) throws IOException {
        return word(channel, RingFormat.MAGIC) != 0;
    }

    private static long word(FileChannel channel, long offset) throws IOException {
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        channel.read(word, offset);
        return word.getLong(0);
    }

    /// Checks that there is nothing but a part of a header.
    private static void checkUnfinished(FileChannel channel, Path path, long capacity) throws IOException {
        if (channel.size() > ProducerSlots.RECORDS + capacity || !isUnfinishedHeader(channel, capacity)) {
            throw new IllegalStateException("File is no unfinished ring of this capacity: path=" + path + ", byteSize="
                    + channel.size() + ", capacity=" + word(channel, RingFormat.CAPACITY) + ", requested=" + capacity
                    + "; delete it if nobody needs it");
        }
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTE_SIZE);
        long at = RingFormat.HEADER_BYTE_SIZE;
        while (channel.read(buffer, at) > 0) {
            buffer.flip();
            at += buffer.remaining();
            while (buffer.hasRemaining()) {
                if (buffer.get() != 0) {
                    throw new IllegalStateException("File has other contents than a ring: path=" + path
                            + ", byteSize=" + channel.size() + "; choose another path");
                }
            }
            buffer.clear();
        }
    }

    private static boolean isUnfinishedHeader(FileChannel channel, long capacity) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(RingFormat.HEADER_BYTE_SIZE, Long.BYTES);
            channel.read(header.asByteBuffer(), 0);
            return new RingHeader(RingFormat.FILE, capacity, ProducerSlots.RECORDS, 0).isZeroOrUnfinished(header);
        }
    }

    private static void grow(FileChannel channel, Path path, long byteSize) throws IOException {
        long before = channel.size();
        try (FileBlocks blocks = FileBlocks.open(path)) {
            SafeFiles.growTo(channel, byteSize);
            blocks.reserve(0, byteSize);
        } catch (UnsupportedOperationException _) {
            // The file is sparse.
            SafeFiles.growTo(channel, byteSize);
        } catch (IOException e) {
            channel.truncate(before);
            throw FileErrors.reserve(path, byteSize, e);
        }
    }

    /// Removes a file that this process has created, unless it contains a complete ring or has been replaced.
    static void removeUnfinished(Path path, Object identity, Throwable failure) {
        try {
            FileTrust.checkSame(path, identity);
            try (FileChannel channel = SafeFiles.open(path)) {
                if (!hasHeader(channel)) {
                    Files.delete(path);
                }
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
