package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.internal.entries.StructureBytes;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;

/// The memory of a structure in the data files of an image.
public final class DataFileBytes implements StructureBytes {
    /// Larger reads are not faster.
    private static final int BUFFER_SIZE = 1 << 17;

    private final DataFileReader files;
    private final Refresher refresher;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private Allocation allocation;

    /// @param refresher reads the record of the allocation again, which grows with its owner's memory
    public DataFileBytes(DataFileReader files, Allocation allocation, Refresher refresher) {
        this.files = files;
        this.allocation = allocation;
        this.refresher = refresher;
    }

    /// Finds an allocation by its number.
    @FunctionalInterface
    public interface Refresher {
        Optional<Allocation> allocation(long number) throws IOException;
    }

    @Override
    public String name() {
        return allocation.label();
    }

    @Override
    public boolean contains(long byteSize) throws IOException {
        if (byteSize > allocation.byteSize()) {
            allocation = refresher.allocation(allocation.number()).orElse(allocation);
        }
        return byteSize <= allocation.byteSize();
    }

    @Override
    public boolean read(long byteOffset, MemorySegment into) throws IOException {
        if (byteOffset < 0 || byteOffset > Long.MAX_VALUE - into.byteSize()
                || !contains(byteOffset + into.byteSize())) {
            return false;
        }
        for (long at = 0; at < into.byteSize();) {
            int piece = (int) Math.min(buffer.capacity(), into.byteSize() - at);
            if (!files.read(allocation, byteOffset + at, buffer.clear().limit(piece))) {
                throw new EOFException("Data file is truncated: name=" + name() + ", byteOffset="
                        + (byteOffset + at + buffer.position()) + ", byteSize=" + allocation.byteSize());
            }
            MemorySegment.copy(MemorySegment.ofBuffer(buffer.flip()), 0, into, at, piece);
            at += piece;
        }
        return true;
    }

    @Override
    public long nextData(long byteOffset) throws IOException {
        return files.nextData(allocation, byteOffset);
    }
}
