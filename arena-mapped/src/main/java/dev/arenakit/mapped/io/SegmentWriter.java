package dev.arenakit.mapped.io;

import dev.arenakit.internal.Scopes;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.io.SegmentTransfer;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Writes memory segments of any size, also above 2 GiB, to files, channels and streams.
///
/// ```java
/// try (SegmentWriter writer = SegmentWriter.open(path)) {
///     writer.writeFully(segment);
/// }
/// ```
///
/// It is the counterpart of [SegmentReader], whose documentation of memory, threads and exceptions also applies here.
/// If the disk is full in the middle, the [TransferException] says how many bytes have been written.
///
/// A write ends early if it is cancelled, or if a non-blocking channel accepts no more bytes. The methods whose names
/// end in `Fully` throw a [TransferException] when the transfer is cancelled, and refuse non-blocking channels.
public final class SegmentWriter implements Closeable {
    private final WritableByteChannel channel;
    private final int pieceByteSize;
    private final TransferProgressListener progress;

    private SegmentWriter(WritableByteChannel channel, int pieceByteSize, TransferProgressListener progress) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.pieceByteSize = pieceByteSize;
        this.progress = Objects.requireNonNull(progress, "progress");
    }

    /// Opens a file.
    ///
    /// @param file    the file
    /// @param options how; without any, the file is created, or emptied if it exists
    /// @return a writer, which the caller closes
    /// @throws IOException if the file cannot be opened
    public static SegmentWriter open(Path file, OpenOption... options) throws IOException {
        Set<OpenOption> all = options.length > 0
                ? Set.of(options)
                : SafeFiles.REPLACE;
        return of(FileChannel.open(file, all));
    }

    /// Returns a writer of a channel.
    ///
    /// @param channel the channel; a `FileChannel` can also be written at positions
    /// @return the writer
    public static SegmentWriter of(WritableByteChannel channel) {
        return new SegmentWriter(channel, SegmentTransfer.PIECE_BYTE_SIZE, (_, _) -> true);
    }

    /// Returns a writer of a stream.
    ///
    /// @param stream the stream
    /// @return the writer
    public static SegmentWriter of(OutputStream stream) {
        return of(Channels.newChannel(stream));
    }

    /// Returns a writer of the same channel with another size of pieces.
    ///
    /// @param pieceByteSize the size in bytes, from 1 to 1 MiB
    /// @return the writer
    /// @throws IllegalArgumentException if the size is out of this range
    public SegmentWriter withPieceByteSize(int pieceByteSize) {
        return new SegmentWriter(channel, SegmentTransfer.checkPiece(pieceByteSize), progress);
    }

    /// Returns a writer of the same channel that reports its progress.
    ///
    /// @param progress is called after each piece, and can cancel a write
    /// @return the writer
    public SegmentWriter withProgress(TransferProgressListener progress) {
        return new SegmentWriter(channel, pieceByteSize, progress);
    }

    /// Writes a segment.
    ///
    /// @param from the segment
    /// @return the number of bytes that were written
    /// @throws TransferException     if the channel throws an exception
    /// @throws IllegalStateException if the segment is closed
    /// @throws WrongThreadException  if the current thread may not access the segment
    public long write(MemorySegment from) throws TransferException {
        return write(List.of(from));
    }

    /// Writes several segments, one after the other.
    ///
    /// @param from the segments
    /// @return the number of bytes that were written
    /// @throws TransferException     if the channel throws an exception
    /// @throws IllegalStateException if a segment is closed
    /// @throws WrongThreadException  if the current thread may not access a segment
    public long write(List<MemorySegment> from) throws TransferException {
        return transfer(from).write((piece, _) -> channel.write(piece));
    }

    /// Writes a segment at a position of a file. The position of the channel does not change.
    ///
    /// @param from     the segment
    /// @param position the offset in the file, in bytes
    /// @return the number of bytes that were written
    /// @throws TransferException             if the channel throws an exception
    /// @throws UnsupportedOperationException if the channel is no `FileChannel`
    /// @throws IllegalArgumentException      if the position is negative
    /// @throws IllegalStateException         if the segment is closed
    /// @throws WrongThreadException          if the current thread may not access the segment
    public long write(MemorySegment from, long position) throws TransferException {
        FileChannel file = SegmentTransfer.file(channel, position);
        return transfer(List.of(from)).write((piece, at) -> file.write(piece, position + at));
    }

    /// Writes a whole segment.
    ///
    /// @param from the segment
    /// @throws TransferException            also if the write is cancelled
    /// @throws IllegalBlockingModeException if the channel is non-blocking
    /// @throws IllegalStateException        if the segment is closed
    /// @throws WrongThreadException         if the current thread may not access the segment
    public void writeFully(MemorySegment from) throws TransferException {
        writeFully(List.of(from));
    }

    /// Writes several whole segments, one after the other.
    ///
    /// @param from the segments
    /// @throws TransferException            also if the write is cancelled
    /// @throws IllegalBlockingModeException if the channel is non-blocking
    /// @throws IllegalStateException        if a segment is closed
    /// @throws WrongThreadException         if the current thread may not access a segment
    public void writeFully(List<MemorySegment> from) throws TransferException {
        SegmentTransfer.checkBlocking(channel);
        SegmentTransfer transfer = transfer(from);
        transfer.write((piece, _) -> channel.write(piece));
        transfer.checkComplete();
    }

    /// Writes a whole segment at a position of a file. The position of the channel does not change.
    ///
    /// @param from     the segment
    /// @param position the offset in the file, in bytes
    /// @throws TransferException             also if the write is cancelled
    /// @throws UnsupportedOperationException if the channel is no `FileChannel`
    /// @throws IllegalArgumentException      if the position is negative
    /// @throws IllegalStateException         if the segment is closed
    /// @throws WrongThreadException          if the current thread may not access the segment
    public void writeFully(MemorySegment from, long position) throws TransferException {
        FileChannel file = SegmentTransfer.file(channel, position);
        SegmentTransfer transfer = transfer(List.of(from));
        transfer.write((piece, at) -> file.write(piece, position + at));
        transfer.checkComplete();
    }

    WritableByteChannel channel() {
        return channel;
    }

    private SegmentTransfer transfer(List<MemorySegment> from) {
        from.forEach(Scopes::checkOpen);
        return new SegmentTransfer(from, pieceByteSize, progress);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
