package dev.arenakit.mapped.internal.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.internal.structure.StructureBytes;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The memory of a structure in the data files of an image.
public final class DataFileBytes implements StructureBytes {
    private final DataFileReader files;
    private final Refresher refresher;
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
    public long byteSize() {
        return allocation.byteSize();
    }

    @Override
    public boolean contains(long byteSize) throws IOException {
        if (byteSize > allocation.byteSize()) {
            allocation = refresher.allocation(allocation.number()).orElse(allocation);
        }
        return byteSize <= allocation.byteSize();
    }

    @Override
    public void read(long byteOffset, MemorySegment into) throws IOException {
        Copy copy = new Copy(into);
        files.source(allocation).transferTo(copy, byteOffset, into.byteSize());
        if (copy.at < into.byteSize()) {
            throw new EOFException("Data file is truncated: name=" + name() + ", byteOffset=" + (byteOffset + copy.at)
                    + ", byteSize=" + byteSize());
        }
    }

    @Override
    public long nextData(long byteOffset) throws IOException {
        return files.nextData(allocation, byteOffset);
    }

    /// Copies bytes into a segment.
    private static final class Copy implements ExtentSource.Sink {
        private final MemorySegment into;
        private long at;

        Copy(MemorySegment into) {
            this.into = into;
        }

        @Override
        public void data(MemorySegment bytes) {
            MemorySegment.copy(bytes, 0, into, at, bytes.byteSize());
            at += bytes.byteSize();
        }

        @Override
        public void zeros(long byteSize) {
            into.asSlice(at, byteSize).fill((byte) 0);
            at += byteSize;
        }
    }
}
