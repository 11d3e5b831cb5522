package dev.arenakit.examples.zip;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// A zip file, read at positions. All methods may be called by several threads.
///
/// If a thread is interrupted while it reads, its channel is closed and the thread gets a [ClosedByInterruptException].
/// For the other threads the file is opened again, provided that it is still the same file.
final class ZipSource implements AutoCloseable {
    /// Buffers of the JDK have an `int` size.
    private static final long MAX_TRANSFER = 1 << 30;

    private final Path path;
    private final long byteSize;
    private final Arena arena;
    /// The identity of the file and its modification time when it was opened.
    private final @Nullable Object fileKey;
    private final FileTime modified;
    private volatile FileChannel channel;
    private volatile boolean closed;
    private volatile @Nullable MemorySegment mapping;

    private ZipSource(Path path, FileChannel channel, BasicFileAttributes opened, Arena arena) {
        this.path = path;
        this.channel = channel;
        this.fileKey = opened.fileKey();
        this.modified = opened.lastModifiedTime();
        this.byteSize = opened.size();
        this.arena = arena;
    }

    /// Opens a file.
    ///
    /// @param arena the arena of the mapping
    static ZipSource open(Path path, Arena arena) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new ZipSource(path, FileChannel.open(path), attributes, arena);
    }

    /// Returns the size that the file had when it was opened.
    long byteSize() {
        return byteSize;
    }

    /// Returns the whole file, mapped at the first call.
    MemorySegment mapping() throws IOException {
        MemorySegment mapped = mapping;
        return mapped != null ? mapped : map();
    }

    private synchronized MemorySegment map() throws IOException {
        MemorySegment mapped = mapping;
        while (mapped == null) {
            FileChannel current = openChannel();
            try {
                if (current.size() < byteSize) {
                    throw new EOFException("File has been truncated: path=" + path + ", byteSize=" + current.size()
                            + ", openedByteSize=" + byteSize);
                }
                mapped = current.map(MapMode.READ_ONLY, 0, byteSize, arena);
                mapping = mapped;
            } catch (ClosedChannelException e) {
                reopenOrRethrow(e);
            }
        }
        return mapped;
    }

    /// Fills a segment with bytes of the file.
    void readFully(long position, MemorySegment target) throws IOException {
        for (long done = 0; done < target.byteSize();) {
            long length = Math.min(MAX_TRANSFER, target.byteSize() - done);
            ByteBuffer buffer = target.asSlice(done, length).asByteBuffer();
            int count = readAt(position + done, buffer);
            if (count < 0) {
                throw new EOFException("File has been truncated: path=" + path + ", position=" + (position + done)
                        + ", openedByteSize=" + byteSize);
            }
            done += count;
        }
    }

    private int readAt(long position, ByteBuffer buffer) throws IOException {
        while (true) {
            FileChannel current = openChannel();
            try {
                return current.read(buffer, position);
            } catch (ClosedChannelException e) {
                reopenOrRethrow(e);
            }
        }
    }

    private FileChannel openChannel() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        return channel;
    }

    private synchronized void reopenOrRethrow(ClosedChannelException e) throws IOException {
        if (closed || e instanceof ClosedByInterruptException || Thread.currentThread().isInterrupted()) {
            throw e;
        }
        if (!channel.isOpen()) {
            FileChannel reopened = FileChannel.open(path);
            try {
                if (!isSameFile()) {
                    throw new IOException("File has been replaced: path=" + path);
                }
            } catch (Throwable t) {
                reopened.close();
                throw t;
            }
            channel = reopened;
        }
    }

    private boolean isSameFile() throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return now.size() == byteSize && Objects.equals(now.fileKey(), fileKey)
                && now.lastModifiedTime().equals(modified);
    }

    /// Returns an exception for a malformed file.
    ///
    /// @param offset the offset of the problem from the beginning of the file
    ZipException malformed(String what, long offset) {
        return new ZipException(what + ": offset=" + offset + ", path=" + path);
    }

    /// Closes the file. The arena ends the mapping.
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }
}
