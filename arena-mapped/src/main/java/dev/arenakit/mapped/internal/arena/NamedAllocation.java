package dev.arenakit.mapped.internal.arena;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.data.MappedFiles.ExistingRange;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An allocation with a name. It has a line when it is recorded, and a segment when it is mapped. Thread-safe.
final class NamedAllocation {
    /// The text of the type, empty if the allocation consists of bytes.
    private final String type;
    private @Nullable ExistingRange range;
    /// The size up to which an allocation of a previous owner grows in place, or 0.
    private long maxByteSize;
    private int line;
    private volatile @Nullable MemorySegment segment;
    private volatile @Nullable GrowableMemory growable;

    NamedAllocation(String type) {
        this.type = type;
    }

    /// An allocation of a previous owner.
    NamedAllocation(CatalogEntry.Allocated entry) {
        this(entry.type().text());
        line = entry.line();
        maxByteSize = entry.maxByteSize();
        range = new ExistingRange(entry.file(), entry.byteOffset(), entry.byteSize(), entry.partByteSize(),
                entry.byteAlignment());
    }

    /// Whether its memory was allocated. Before that, its name is reserved.
    boolean isAllocated() {
        return segment != null || range != null || growable != null;
    }

    String type() {
        return type;
    }

    int line() {
        return line;
    }

    /// Whether it is memory of a previous owner that grows.
    boolean isPreviousGrowable() {
        return maxByteSize > 0;
    }

    /// Frees memory that grows.
    ///
    /// @param ended runs when the memory is freed, before its space is
    /// @return false if it was freed before
    synchronized boolean freeGrowable(DataFileWriter files, Runnable ended) {
        GrowableMemory open = growable;
        if (open != null) {
            return open.free(ended);
        }
        ExistingRange previous = Objects.requireNonNull(range);
        return files.freeGrowable(line, previous.file(), previous.byteSize(), 0, ended);
    }

    /// Whether its memory was made to grow.
    boolean isGrowable() {
        return maxByteSize > 0 || growable != null;
    }

    /// The number of the first file of growing memory of a previous owner.
    int previousFile() {
        return Objects.requireNonNull(range).file();
    }

    /// The memory that grows in place, or null if it is not open.
    @Nullable
    GrowableMemory openGrowable() {
        return growable;
    }

    /// The memory. An allocation of a previous owner is mapped when it is first requested.
    MemorySegment segment(ChunkAllocator memory) {
        GrowableMemory grows = growable;
        if (grows != null) {
            return grows.segment();
        }
        MemorySegment mapped = segment;
        return mapped == null ? firstSegment(memory) : mapped;
    }

    /// Maps the memory unless another thread has mapped it. The monitor is held, because this must not undo the
    /// growth by another thread.
    private synchronized MemorySegment firstSegment(ChunkAllocator memory) {
        MemorySegment mapped = segment;
        if (mapped == null) {
            mapped = memory.existing(Objects.requireNonNull(range));
            segment = mapped;
        }
        return mapped;
    }

    /// Grows the memory, unless it has the new size already.
    synchronized MemorySegment grow(String name, StructType struct, long newByteSize, ChunkAllocator memory,
            GrowableAllocator growing) {
        MemorySegment present = segment(memory);
        if (newByteSize > present.byteSize()) {
            GrowableMemory grows = growable(struct, growing, Long.MAX_VALUE, newByteSize);
            present = grows == null ? growing.resize(name, line, newByteSize) : grows.grow(newByteSize);
            segment = present;
        }
        return present;
    }

    /// The memory that grows in place, or null if it was not made to grow. The memory of a previous owner is opened when
    /// it is first requested.
    ///
    /// @param most  the size up to which it need not grow further
    /// @param least the size up to which it must be able to grow, as far as that was recorded
    synchronized @Nullable GrowableMemory growable(StructType struct, GrowableAllocator growing, long most,
            long least) {
        if (growable == null && maxByteSize > 0) {
            ExistingRange previous = Objects.requireNonNull(range);
            long smallest = Math.min(maxByteSize, Math.max(previous.byteSize(), least));
            long largest = previous.partByteSize() > 0 ? maxByteSize : Math.clamp(most, smallest, maxByteSize);
            growable = growing.reopen(line, previous, largest, smallest, struct.byteSize());
        }
        return growable;
    }

    /// Restores the size of memory that was made to grow, unless it is open.
    synchronized void restoreByteSize(GrowableAllocator growing, GrowableAllocator.StoredByteSize stored) {
        if (growable == null && maxByteSize > 0) {
            growing.restoreByteSize(Objects.requireNonNull(range), stored);
        }
    }

    void reserved(int line, GrowableMemory growable) {
        this.line = line;
        this.growable = growable;
    }

    void allocated(int line, MemorySegment segment) {
        this.line = line;
        this.segment = segment;
    }
}
