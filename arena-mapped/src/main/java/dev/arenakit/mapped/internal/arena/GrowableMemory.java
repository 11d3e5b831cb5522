package dev.arenakit.mapped.internal.arena;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Scopes;
import dev.arenakit.mapped.internal.catalog.CatalogCounts;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Memory of an arena that grows in place. All of its addresses are reserved, and the files behind them grow.
///
/// If the arena is shared, it is thread-safe.
public final class GrowableMemory {
    private final DataFileWriter files;
    private final @Nullable CatalogWriter catalog;
    private final @Nullable CatalogCounts counts;
    private final int line;
    private final Chunk chunk;
    private final long elementByteSize;
    /// All addresses. This segment is never handed out: access behind the end of the file throws an [InternalError].
    private final MemorySegment reserved;
    /// Written under the monitor of the files.
    private volatile MemorySegment present;

    /// @param counts          the counts of elements, if there is a catalog
    /// @param line            the line of its record, if there is a catalog
    /// @param byteSize        the present size
    /// @param elementByteSize the size of an element, or 0 if elements have no size
    GrowableMemory(DataFileWriter files, @Nullable CatalogWriter catalog, @Nullable CatalogCounts counts, int line,
            Chunk chunk, long byteSize, long elementByteSize) {
        this.files = files;
        this.catalog = catalog;
        this.counts = counts;
        this.line = line;
        this.chunk = chunk;
        this.elementByteSize = elementByteSize;
        reserved = chunk.slice(0, chunk.byteSize());
        present = reserved.asSlice(0, byteSize);
    }

    /// The line of its record, if there is a catalog.
    int line() {
        return line;
    }

    /// The memory with its present size.
    public MemorySegment segment() {
        return present;
    }

    /// The present size in bytes.
    public long byteSize() {
        return present.byteSize();
    }

    /// The size in bytes up to which the memory can grow.
    public long maxByteSize() {
        return reserved.byteSize();
    }

    /// The address of the first byte, which never changes.
    public long address() {
        return reserved.address();
    }

    /// Grows the memory, unless it has the new size already. A failure has no effect.
    ///
    /// @return the memory with its present size
    public MemorySegment grow(long newByteSize) {
        if (newByteSize < 0) {
            throw new IllegalArgumentException("Negative size: newByteSize=" + newByteSize);
        }
        Scopes.checkOpen(reserved);
        if (newByteSize > maxByteSize()) {
            throw new CapacityExceededException("Memory cannot grow so far: base=" + files.base(), maxByteSize(),
                    byteSize(), newByteSize - byteSize(),
                    "pass a larger maximum to InfiniteArena.growable when the memory is allocated: it never changes");
        }
        synchronized (files) {
            // The arena may have been closed meanwhile. Its files are released by a thread that holds the monitor.
            Scopes.checkOpen(reserved);
            long byteSize = byteSize();
            if (newByteSize > byteSize) {
                MemorySegment grown = reserved.asSlice(0, newByteSize);
                long recorded = catalog == null ? byteSize : catalog.checkGrowth(line);
                files.grow(chunk.file(), chunk.partByteSize(), recorded, newByteSize);
                if (catalog != null) {
                    catalog.grow(line, recorded, newByteSize);
                }
                present = grown;
            }
            return present;
        }
    }

    /// The number of elements that was stored last.
    public long elementCount() {
        Scopes.checkOpen(reserved);
        long count = counts().get(line);
        if (count < 0) {
            throw new IllegalStateException("Number of elements is damaged: base=" + files.base() + ", record=" + line
                    + "; count the elements, and store their number by elementCount");
        }
        return count;
    }

    /// Stores the number of elements.
    public void elementCount(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Negative number of elements: count=" + count);
        }
        Scopes.checkOpen(reserved);
        long most = elementByteSize == 0 ? CatalogFormat.LARGEST_VALUE : byteSize() / elementByteSize;
        if (count > most) {
            throw new IllegalArgumentException("Number of elements exceeds the memory: count=" + count + ", byteSize="
                    + byteSize() + ", largest=" + most + "; grow the memory and store the elements first");
        }
        counts().set(line, count);
    }

    private CatalogCounts counts() {
        if (counts == null) {
            throw new IllegalStateException("Arena has no catalog for a number of elements: base=" + files.base()
                    + "; build it with catalog(CatalogLevel.SIZES) or catalog(CatalogLevel.FULL)");
        }
        return counts;
    }
}
