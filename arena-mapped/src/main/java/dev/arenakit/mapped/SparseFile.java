package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.internal.FileExtents;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/// A regular file, read extent by extent: what was never written to it is told as zeros and costs no reading. It is how
/// a dump of the terabytes that an [InfiniteArena] leaves takes milliseconds.
///
/// Extents are known on Linux (x86-64 and aarch64) by native calls: pass `--enable-native-access=dev.arenakit`, or on the class
/// path `ALL-UNNAMED`, else Java warns. Where they are denied, and on other systems, the file is read in full, and [#holesUnknown]
/// says why.
///
/// Data is read, never mapped: a file that another process truncates meanwhile ends early, and one that grows is read up
/// to the size that it had when the reading began. A file that is being written is seen at different times at different
/// places. For one thread at a time.
///
/// {@snippet file="dev/arenakit/mapped/SparseFileExample.java" region="example"}
public final class SparseFile implements ExtentSource, Closeable {
    /// From 64 KiB on a larger buffer reads no faster.
    private static final int BUFFER_SIZE = 1 << 17;

    private final FileChannel channel;
    private final @Nullable FileExtents extents;
    private final String reason;

    private SparseFile(FileChannel channel, @Nullable FileExtents extents, String reason) {
        this.channel = channel;
        this.extents = extents;
        this.reason = reason;
    }

    /// Opens a file for reading.
    ///
    /// @param path the file
    /// @return the file, to be closed
    /// @throws IOException if there is no such file, it cannot be read, or it is not a regular file
    public static SparseFile open(Path path) throws IOException {
        FileChannel channel = OwnFiles.openToRead(path);
        try {
            return new SparseFile(channel, FileExtents.open(path), "");
        } catch (UnsupportedOperationException | IllegalCallerException e) {
            return new SparseFile(channel, null, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /// {@return the size of the file, holes included}
    ///
    /// @throws IOException if the file is closed, or from the file system
    public long byteSize() throws IOException {
        return channel.size();
    }

    /// {@return how many bytes the file system has set aside for the file, as `du` tells; empty where that is unknown}
    ///
    /// @throws IOException if the file is closed, or from the file system
    public OptionalLong storedByteSize() throws IOException {
        return extents == null ? OptionalLong.empty() : extents.storedByteSize();
    }

    /// Finds data at or behind an offset. Where holes are not known, everything up to the end of the file counts as data.
    ///
    /// @param byteOffset where to begin, not negative
    /// @return the offset of the first byte that may be something else than zero; empty where there is none before the end
    /// @throws IOException if the file is closed, or from the file system
    public OptionalLong nextData(long byteOffset) throws IOException {
        if (extents == null) {
            return byteOffset < byteSize() ? OptionalLong.of(byteOffset) : OptionalLong.empty();
        }
        return found(extents.nextData(byteOffset));
    }

    /// Finds a hole at or behind an offset. The end of the file counts as one.
    ///
    /// @param byteOffset where to begin, not negative
    /// @return the offset of the first byte that was never written; empty where `byteOffset` is not before the end
    /// @throws IOException if the file is closed, or from the file system
    public OptionalLong nextHole(long byteOffset) throws IOException {
        if (extents == null) {
            return byteOffset < byteSize() ? OptionalLong.of(byteSize()) : OptionalLong.empty();
        }
        return found(extents.nextHole(byteOffset));
    }

    private static OptionalLong found(long byteOffset) {
        return byteOffset < 0 ? OptionalLong.empty() : OptionalLong.of(byteOffset);
    }

    /// {@return how many stretches of data there are between the holes; empty where that is unknown}
    ///
    /// @throws IOException if the file is closed, or from the file system
    public OptionalLong extentCount() throws IOException {
        if (extents == null) {
            return OptionalLong.empty();
        }
        long count = 0;
        for (long data = extents.nextData(0); data >= 0;) {
            count++;
            long hole = extents.nextHole(data);
            data = hole < 0 ? hole : extents.nextData(hole);
        }
        return OptionalLong.of(count);
    }

    /// {@return why holes are not known, so that every byte has to be read; empty where they are known}
    public Optional<String> holesUnknown() {
        return extents == null ? Optional.of(reason) : Optional.empty();
    }

    @Override
    public long transferTo(Sink sink, long skip, long limit) throws IOException {
        long byteSize = byteSize();
        if (skip >= byteSize) {
            return byteSize;
        }
        long end = limit < byteSize - skip ? skip + limit : byteSize;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.min(BUFFER_SIZE, end - skip));
            if (extents == null) {
                transferData(sink, buffer, skip, end);
            } else {
                transferExtents(extents, sink, buffer, skip, end);
            }
        }
        return skip;
    }

    private void transferExtents(FileExtents extents, Sink sink, MemorySegment buffer, long start, long end)
            throws IOException {
        for (long at = start; at < end;) {
            long data = extents.nextData(at);
            // Without any there is a hole up to the end of the file, which may be nearer than it was.
            long holeEnd = Math.min(end, data < 0 ? byteSize() : data);
            if (holeEnd > at) {
                sink.zeros(holeEnd - at);
            }
            if (data < 0 || data >= end) {
                return;
            }
            // So little is read before tmpfs, which looks at each page of the data, has found its end.
            long hole = end - data <= BUFFER_SIZE ? end : extents.nextHole(data);
            if (hole < 0 || !transferData(sink, buffer, data, Math.min(end, hole))) {
                return;
            }
            at = hole;
        }
    }

    /// Returns false where the file has ended early.
    private boolean transferData(Sink sink, MemorySegment buffer, long start, long end) throws IOException {
        ByteBuffer bytes = buffer.asByteBuffer();
        for (long at = start; at < end;) {
            bytes.clear().limit((int) Math.min(bytes.capacity(), end - at));
            int read = channel.read(bytes, at);
            if (read < 0) {
                return false;
            }
            if (read > 0) {
                sink.data(buffer.asSlice(0, read));
                at += read;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        if (extents != null) {
            extents.close();
        }
        channel.close();
    }
}
