package dev.arenakit.arrow.internal;

import dev.arenakit.arrow.internal.IpcMessages.FileBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// Writes messages to a channel.
///
/// ```text
/// message:  0xFFFFFFFF | metadata size, int32 | metadata, padded | body
/// end:      0xFFFFFFFF | 0
/// file:     "ARROW1" 0 0 | messages | end | footer | footer size, int32 | "ARROW1"
/// ```
///
/// Metadata is padded so that each body begins at a multiple of 64, counted from the first byte that was written. Sizes
/// are little-endian.
final class IpcChannel {
    private static final int CONTINUATION = -1;
    private static final int PREFIX_BYTE_SIZE = 2 * Integer.BYTES;
    private static final int ALIGNMENT = (int) BatchBuffers.BYTE_ALIGNMENT;
    private static final String MAGIC = "ARROW1";
    private static final int PADDED_MAGIC = 8;

    private final WritableByteChannel channel;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(ALIGNMENT);
    private final List<ByteBuffer> pieces = new ArrayList<>();
    private long position;

    /// @throws IllegalBlockingModeException if the channel is non-blocking
    IpcChannel(WritableByteChannel channel) {
        this.channel = channel;
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    void writeMagic() throws IOException {
        pieces.add(ByteBuffer.wrap(MAGIC.getBytes(US_ASCII)));
        addZeros(PADDED_MAGIC - MAGIC.length());
        writePieces();
    }

    FileBlock writeMessage(ByteBuffer metadata, List<MemorySegment> body) throws IOException {
        long start = position;
        int end = PREFIX_BYTE_SIZE + metadata.remaining();
        int padding = (int) -(start + end) & (ALIGNMENT - 1);
        pieces.add(prefix(metadata.remaining() + padding));
        pieces.add(metadata);
        addZeros(padding);
        long bodyByteSize = 0;
        for (MemorySegment buffer : body) {
            long padded = BatchBuffers.padded(buffer.byteSize());
            if (padded > 0) {
                pieces.add(buffer.asByteBuffer());
                addZeros((int) (padded - buffer.byteSize()));
                bodyByteSize += padded;
            }
        }
        writePieces();
        return new FileBlock(start, end + padding, bodyByteSize);
    }

    void writeEnd() throws IOException {
        pieces.add(prefix(0));
        writePieces();
    }

    void writeFooter(ByteBuffer footer) throws IOException {
        int byteSize = footer.remaining();
        pieces.add(footer);
        pieces.add(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, byteSize));
        pieces.add(ByteBuffer.wrap(MAGIC.getBytes(US_ASCII)));
        writePieces();
    }

    private static ByteBuffer prefix(int metadataByteSize) {
        return ByteBuffer.allocate(PREFIX_BYTE_SIZE)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, CONTINUATION)
                .putInt(Integer.BYTES, metadataByteSize);
    }

    private void addZeros(int byteSize) {
        if (byteSize > 0) {
            pieces.add(zeros.slice(0, byteSize));
        }
    }

    private void writePieces() throws IOException {
        ByteBuffer[] buffers = pieces.toArray(ByteBuffer[]::new);
        pieces.clear();
        for (int first = 0; first < buffers.length;) {
            if (!buffers[first].hasRemaining()) {
                first++;
                continue;
            }
            long written = channel instanceof GatheringByteChannel gathering
                    ? gathering.write(buffers, first, buffers.length - first)
                    : channel.write(buffers[first]);
            if (written < 0) {
                throw new IOException("Channel does not accept bytes: result=" + written);
            }
            position += written;
        }
    }
}
