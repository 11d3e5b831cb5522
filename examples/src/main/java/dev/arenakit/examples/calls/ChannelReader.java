package dev.arenakit.examples.calls;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Reads each block by a call of [FileChannel], for comparison.
final class ChannelReader implements BlockReader {
    private final FileChannel channel;

    ChannelReader(Path file) throws IOException {
        channel = FileChannel.open(file);
    }

    @Override
    public void read(MemorySegment positions, MemorySegment blocks) throws IOException {
        int byteSize = (int) BlockReader.blockByteSize(positions, blocks);
        ByteBuffer buffer = blocks.asByteBuffer();
        for (int begin = 0; begin < buffer.capacity(); begin += byteSize) {
            long position = positions.getAtIndex(JAVA_LONG, begin / byteSize);
            buffer.limit(begin + byteSize).position(begin);
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, position + buffer.position() - begin) < 0) {
                    throw new EOFException("The file ends within a block: position=" + position);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return "FileChannel";
    }
}
