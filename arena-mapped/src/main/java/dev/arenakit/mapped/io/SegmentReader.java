package dev.arenakit.mapped.io;

import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.io.SegmentTransfer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// Reads files, channels and streams into memory segments of any size, also above 2 GiB.
///
/// ```java
/// try (SegmentReader reader = SegmentReader.open(path)) {
///     reader.readFully(segment);
/// }
/// ```
///
/// **Memory.** A channel of the JDK that reads into an array takes a native buffer as large as the array, keeps it for
/// the thread, and copies everything once more. This class reads in pieces of 256 KiB, or of [#withPieceByteSize].
/// Pieces are read directly into native memory. Into arrays, the JDK reads them through a native buffer of that size.
/// Into arrays other than `byte[]`, and into segments smaller than a piece if there are several, they are copied
/// through an array of that size.
///
/// **Ends.** A read fills the segment. It returns early at the end of the source, when it is cancelled, or when a
/// non-blocking channel has no more bytes. The methods whose names end in `Fully` throw a [TransferException] instead.
/// An [IOException] of a channel becomes the cause of a [TransferException], whose message says how many bytes are
/// good: for example if the thread is interrupted, which closes the channel.
///
/// **Segments.** They must be writable and alive, and the current thread must be allowed to access them. If another
/// thread closes the arena of a segment during a read, either that `close` or the read throws an
/// [IllegalStateException]. A file that another process truncates meanwhile ends early.
///
/// **Threads.** A reader may be used by several threads if its channel may; reads at a position of a file are
/// independent of each other. [#close] closes the channel or stream.
///
/// `docs/large-files.md` has measurements.
public final class SegmentReader implements Closeable {
    private final ReadableByteChannel channel;
    private final int pieceByteSize;
    private final TransferProgressListener progress;

    private SegmentReader(ReadableByteChannel channel, int pieceByteSize, TransferProgressListener progress) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.pieceByteSize = pieceByteSize;
        this.progress = Objects.requireNonNull(progress, "progress");
    }

    /// Opens a file.
    ///
    /// @param file the file
    /// @return a reader, which the caller closes
    /// @throws IOException if the file cannot be opened
    public static SegmentReader open(Path file) throws IOException {
        return of(FileChannel.open(file, SafeFiles.READ));
    }

    /// Returns a reader of a channel.
    ///
    /// @param channel the channel; a `FileChannel` can also be read at positions
    /// @return the reader
    public static SegmentReader of(ReadableByteChannel channel) {
        return new SegmentReader(channel, SegmentTransfer.PIECE_BYTE_SIZE, (_, _) -> true);
    }

    /// Returns a reader of a stream.
    ///
    /// @param stream the stream
    /// @return the reader
    public static SegmentReader of(InputStream stream) {
        return of(Channels.newChannel(stream));
    }

    /// Returns a reader of the same channel with another size of pieces.
    ///
    /// @param pieceByteSize the size in bytes, from 1 to 1 MiB
    /// @return the reader
    /// @throws IllegalArgumentException if the size is out of this range
    public SegmentReader withPieceByteSize(int pieceByteSize) {
        return new SegmentReader(channel, SegmentTransfer.checkPiece(pieceByteSize), progress);
    }

    /// Returns a reader of the same channel that reports its progress.
    ///
    /// @param progress is called after each piece, and can cancel a read
    /// @return the reader
    public SegmentReader withProgress(TransferProgressListener progress) {
        return new SegmentReader(channel, pieceByteSize, progress);
    }

    /// Reads until the segment is full or the source ends.
    ///
    /// @param to the segment
    /// @return the number of bytes that were read, or -1 if the source had ended before
    /// @throws TransferException        if the channel throws an exception
    /// @throws IllegalArgumentException if the segment is read-only
    /// @throws IllegalStateException    if the segment is closed
    /// @throws WrongThreadException     if the current thread may not access the segment
    public long read(MemorySegment to) throws TransferException {
        return read(List.of(to));
    }

    /// Reads until all segments are full, one after the other, or the source ends.
    ///
    /// @param to the segments
    /// @return the number of bytes that were read, or -1 if the source had ended before
    /// @throws TransferException        if the channel throws an exception
    /// @throws IllegalArgumentException if a segment is read-only
    /// @throws IllegalStateException    if a segment is closed
    /// @throws WrongThreadException     if the current thread may not access a segment
    public long read(List<MemorySegment> to) throws TransferException {
        return transfer(to).read((piece, _) -> channel.read(piece));
    }

    /// Reads at a position of a file until the segment is full or the file ends. The position of the channel does not
    /// change.
    ///
    /// @param to       the segment
    /// @param position the offset in the file, in bytes
    /// @return the number of bytes that were read, or -1 if the position is not before the end of the file
    /// @throws TransferException             if the channel throws an exception
    /// @throws UnsupportedOperationException if the channel is no `FileChannel`
    /// @throws IllegalArgumentException      if the position is negative, or the segment read-only
    /// @throws IllegalStateException         if the segment is closed
    /// @throws WrongThreadException          if the current thread may not access the segment
    public long read(MemorySegment to, long position) throws TransferException {
        FileChannel file = SegmentTransfer.file(channel, position);
        return transfer(List.of(to)).read((piece, at) -> file.read(piece, position + at));
    }

    /// Fills a segment.
    ///
    /// @param to the segment
    /// @throws TransferException            also if the source ends before, or the read is cancelled
    /// @throws IllegalBlockingModeException if the channel is non-blocking
    /// @throws IllegalArgumentException     if the segment is read-only
    /// @throws IllegalStateException        if the segment is closed
    /// @throws WrongThreadException         if the current thread may not access the segment
    public void readFully(MemorySegment to) throws TransferException {
        readFully(List.of(to));
    }

    /// Fills several segments, one after the other.
    ///
    /// @param to the segments
    /// @throws TransferException            also if the source ends before, or the read is cancelled
    /// @throws IllegalBlockingModeException if the channel is non-blocking
    /// @throws IllegalArgumentException     if a segment is read-only
    /// @throws IllegalStateException        if a segment is closed
    /// @throws WrongThreadException         if the current thread may not access a segment
    public void readFully(List<MemorySegment> to) throws TransferException {
        SegmentTransfer.checkBlocking(channel);
        SegmentTransfer transfer = transfer(to);
        transfer.read((piece, _) -> channel.read(piece));
        transfer.checkComplete();
    }

    /// Fills a segment from a position of a file. The position of the channel does not change.
    ///
    /// @param to       the segment
    /// @param position the offset in the file, in bytes
    /// @throws TransferException             also if the file ends before, or the read is cancelled
    /// @throws UnsupportedOperationException if the channel is no `FileChannel`
    /// @throws IllegalArgumentException      if the position is negative, or the segment read-only
    /// @throws IllegalStateException         if the segment is closed
    /// @throws WrongThreadException          if the current thread may not access the segment
    public void readFully(MemorySegment to, long position) throws TransferException {
        FileChannel file = SegmentTransfer.file(channel, position);
        SegmentTransfer transfer = transfer(List.of(to));
        transfer.read((piece, at) -> file.read(piece, position + at));
        transfer.checkComplete();
    }

    /// Reads until the source ends, and writes everything. Both must be blocking.
    ///
    /// @param to the writer
    /// @return the number of bytes
    /// @throws TransferException            if a channel throws an exception; its [TransferException#byteCount] bytes
    ///                                      have been written
    /// @throws IllegalBlockingModeException if a channel is non-blocking
    public long transferTo(SegmentWriter to) throws TransferException {
        SegmentTransfer.checkBlocking(channel);
        SegmentTransfer.checkBlocking(to.channel());
        ByteBuffer piece = ByteBuffer.allocate(pieceByteSize);
        long byteCount = 0;
        try {
            do {
                piece.clear();
                int count = channel.read(piece);
                if (count < 0) {
                    break;
                }
                piece.flip();
                while (piece.hasRemaining()) {
                    byteCount += to.channel().write(piece);
                }
            } while (progress.transferred(byteCount, -1));
            return byteCount;
        } catch (IOException e) {
            throw SegmentTransfer.failed(byteCount, -1, e);
        }
    }

    private SegmentTransfer transfer(List<MemorySegment> to) {
        for (MemorySegment segment : to) {
            if (segment.isReadOnly()) {
                throw new IllegalArgumentException("Segment is read-only: byteSize=" + segment.byteSize());
            }
            Scopes.checkOpen(segment);
        }
        return new SegmentTransfer(to, pieceByteSize, progress);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
