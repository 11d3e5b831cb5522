package dev.arenakit.mapped.io;

import dev.arenakit.internal.scope.Scopes;
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
import java.nio.file.StandardOpenOption;
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
    /// Whether the system writes at the end of the file, whatever the position is.
    private final boolean appends;

    private SegmentWriter(WritableByteChannel channel, boolean appends, int pieceByteSize,
            TransferProgressListener progress) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.appends = appends;
        this.pieceByteSize = pieceByteSize;
        this.progress = Objects.requireNonNull(progress, "progress");
    }

    /// Opens a file.
    ///
    /// @param file    the file
    /// @param options how; without any, the file is created, or emptied if it exists; with `APPEND`, the writer does
    ///                not write at positions
    /// @return a writer, which the caller closes
    /// @throws IOException if the file cannot be opened
    public static SegmentWriter open(Path file, OpenOption... options) throws IOException {
        Set<OpenOption> all = options.length > 0
                ? Set.of(options)
                : SafeFiles.REPLACE;
        return new SegmentWriter(FileChannel.open(file, all), all.contains(StandardOpenOption.APPEND),
                SegmentTransfer.PIECE_BYTE_SIZE, (_, _) -> true);
    }

    /// Returns a writer of a channel.
    ///
    /// @param channel the channel; a `FileChannel` can also be written at positions, unless it was opened with `APPEND`
    /// @return the writer
    public static SegmentWriter of(WritableByteChannel channel) {
        return new SegmentWriter(channel, false, SegmentTransfer.PIECE_BYTE_SIZE, (_, _) -> true);
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
        return new SegmentWriter(channel, appends, SegmentTransfer.checkPiece(pieceByteSize), progress);
    }

    /// Returns a writer of the same channel that reports its progress.
    ///
    /// @param progress is called after each piece, and can cancel a write
    /// @return the writer
    public SegmentWriter withProgress(TransferProgressListener progress) {
        return new SegmentWriter(channel, appends, pieceByteSize, progress);
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
    /// @throws UnsupportedOperationException if the channel is no `FileChannel`, or the file was opened with `APPEND`
    /// @throws IllegalArgumentException      if the position is negative
    /// @throws IllegalStateException         if the segment is closed
    /// @throws WrongThreadException          if the current thread may not access the segment
    public long write(MemorySegment from, long position) throws TransferException {
        FileChannel file = file(position);
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
    /// @throws UnsupportedOperationException if the channel is no `FileChannel`, or the file was opened with `APPEND`
    /// @throws IllegalArgumentException      if the position is negative
    /// @throws IllegalStateException         if the segment is closed
    /// @throws WrongThreadException          if the current thread may not access the segment
    public void writeFully(MemorySegment from, long position) throws TransferException {
        FileChannel file = file(position);
        SegmentTransfer transfer = transfer(List.of(from));
        transfer.write((piece, at) -> file.write(piece, position + at));
        transfer.checkComplete();
    }

    private FileChannel file(long position) {
        if (appends) {
            throw new UnsupportedOperationException("File was opened to append, and has no positions: position="
                    + position + "; open it with WRITE, or write without a position");
        }
        return SegmentTransfer.file(channel, position);
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
