package dev.arenakit.mapped.internal.io;

import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.io.TransferException;
import dev.arenakit.mapped.io.TransferProgressListener;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One transfer between segments and a channel.
///
/// A channel of the JDK takes a native buffer as large as the request, unless the request is native memory itself.
/// Therefore a segment is transferred in pieces. A piece is a slice of the segment where that is possible; otherwise,
/// and where several segments are smaller than a piece, the bytes are copied through an array.
public final class SegmentTransfer {
    /// The default size of a piece.
    public static final int PIECE_BYTE_SIZE = 1 << 18;
    /// The largest size of a piece.
    static final int LARGEST_PIECE = 1 << 20;

    private final List<MemorySegment> segments;
    private final int pieceByteSize;
    private final TransferProgressListener progress;
    private final long byteSize;
    private byte @Nullable [] array;
    /// The next segment, the offset in it, and the number of bytes before it in all segments.
    private int segment;
    private long offset;
    private long byteCount;
    private boolean cancelled;

    /// Reads or writes a piece at an offset of the transfer.
    @FunctionalInterface
    public interface Access {
        /// Returns the number of bytes that were transferred. The transfer ends if it is not positive.
        int transfer(ByteBuffer piece, long byteOffset) throws IOException;
    }

    public SegmentTransfer(List<MemorySegment> segments, int pieceByteSize, TransferProgressListener progress) {
        this.segments = List.copyOf(segments);
        this.pieceByteSize = pieceByteSize;
        this.progress = progress;
        byteSize = segments.stream().mapToLong(MemorySegment::byteSize).reduce(0, Math::addExact);
    }

    /// Fills the segments.
    ///
    /// @return the number of bytes, or -1 if the channel has ended before the first one
    public long read(Access channel) throws TransferException {
        return run(channel, (wanted, at) -> {
            byte[] array = array();
            int count = channel.transfer(ByteBuffer.wrap(array, 0, wanted), at);
            for (int copied = 0; copied < count;) {
                copied += copy(array, copied, count - copied, true);
            }
            return count;
        });
    }

    /// Writes the segments.
    ///
    /// @return the number of bytes
    public long write(Access channel) throws TransferException {
        return Math.max(0, run(channel, (wanted, at) -> {
            byte[] array = array();
            int first = segment;
            long firstOffset = offset;
            for (int copied = 0; copied < wanted;) {
                copied += copy(array, copied, wanted - copied, false);
            }
            segment = first;
            offset = firstOffset;
            int count = channel.transfer(ByteBuffer.wrap(array, 0, wanted), at);
            advance(count);
            return count;
        }));
    }

    /// Transfers a piece through the array.
    @FunctionalInterface
    private interface Copy {
        int transfer(int wanted, long at) throws IOException;
    }

    private long run(Access channel, Copy copy) throws TransferException {
        int count = 0;
        try {
            while (byteCount < byteSize && !cancelled) {
                skipEmpty();
                MemorySegment current = segments.get(segment);
                long rest = current.byteSize() - offset;
                if (isBuffer(current) && (rest >= pieceByteSize || rest == byteSize - byteCount)) {
                    count = channel.transfer(
                            current.asSlice(offset, Math.min(rest, pieceByteSize)).asByteBuffer(), byteCount);
                    advance(count);
                } else {
                    count = copy.transfer((int) Math.min(pieceByteSize, byteSize - byteCount), byteCount);
                }
                if (count <= 0) {
                    break;
                }
                byteCount += count;
                cancelled = !progress.transferred(byteCount, byteSize);
            }
        } catch (IOException e) {
            throw failed(byteCount, byteSize, e);
        }
        return byteCount == 0 && count < 0 ? -1 : byteCount;
    }

    /// Checks that all bytes were transferred.
    ///
    /// @throws TransferException if not all bytes have been transferred
    public void checkComplete() throws TransferException {
        if (byteCount < byteSize) {
            throw new TransferException((cancelled ? "Transfer was cancelled" : "Channel ended")
                    + ": byteCount=" + byteCount + ", byteSize=" + byteSize, byteCount);
        }
    }

    /// The exception of a channel.
    ///
    /// @param byteSize the requested size, or -1
    public static TransferException failed(long byteCount, long byteSize, IOException cause) {
        return new TransferException("Transfer failed: byteCount=" + byteCount
                + (byteSize < 0 ? "" : ", byteSize=" + byteSize) + ", reason=" + FileErrors.reason(cause)
                + "; the first " + byteCount + " bytes were transferred", byteCount, cause);
    }

    public static int checkPiece(int pieceByteSize) {
        if (pieceByteSize < 1 || pieceByteSize > LARGEST_PIECE) {
            throw new IllegalArgumentException("Size of a piece is out of range: pieceByteSize=" + pieceByteSize
                    + ", least=1, largest=" + LARGEST_PIECE);
        }
        return pieceByteSize;
    }

    public static void checkBlocking(Channel channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    /// The channel of a file that is accessed at a position.
    public static FileChannel file(Channel channel, long position) {
        if (!(channel instanceof FileChannel file)) {
            throw new UnsupportedOperationException("Channel has no positions: channel="
                    + channel.getClass().getName() + "; use a FileChannel, or transfer without a position");
        }
        if (position < 0) {
            throw new IllegalArgumentException("Position is negative: position=" + position);
        }
        return file;
    }

    private static boolean isBuffer(MemorySegment segment) {
        return segment.isNative() || segment.heapBase().filter(byte[].class::isInstance).isPresent();
    }

    private void skipEmpty() {
        while (offset == segments.get(segment).byteSize()) {
            segment++;
            offset = 0;
        }
    }

    private void advance(int count) {
        for (long left = count; left > 0;) {
            skipEmpty();
            long step = Math.min(left, segments.get(segment).byteSize() - offset);
            offset += step;
            left -= step;
        }
    }

    /// Copies bytes between the array and the current segment, and moves on.
    ///
    /// @return how many
    private int copy(byte[] array, int at, int atMost, boolean toSegment) {
        skipEmpty();
        MemorySegment current = segments.get(segment);
        int count = (int) Math.min(atMost, current.byteSize() - offset);
        MemorySegment bytes = MemorySegment.ofArray(array);
        if (toSegment) {
            MemorySegment.copy(bytes, at, current, offset, count);
        } else {
            MemorySegment.copy(current, offset, bytes, at, count);
        }
        offset += count;
        return count;
    }

    private byte[] array() {
        byte[] present = array;
        if (present == null) {
            present = new byte[(int) Math.min(pieceByteSize, byteSize)];
            array = present;
        }
        return present;
    }
}
