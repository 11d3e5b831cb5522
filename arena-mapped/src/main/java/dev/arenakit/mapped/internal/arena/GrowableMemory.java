package dev.arenakit.mapped.internal.arena;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Scopes;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Memory of an arena that grows in place. All of its addresses are reserved, and the files behind them grow.
///
/// If the arena is shared, it is thread-safe.
public final class GrowableMemory {
    private final DataFileWriter files;
    private final @Nullable CatalogWriter catalog;
    private final int line;
    private final Chunk chunk;
    /// All addresses. This segment is never handed out: access behind the end of the file throws an [InternalError].
    private final MemorySegment reserved;
    /// Written under the monitor of the files.
    private volatile MemorySegment present;

    /// @param line the line of its record, if there is a catalog
    GrowableMemory(DataFileWriter files, @Nullable CatalogWriter catalog, int line, Chunk chunk) {
        this.files = files;
        this.catalog = catalog;
        this.line = line;
        this.chunk = chunk;
        reserved = chunk.slice(0, chunk.byteSize());
        present = reserved.asSlice(0, 0);
    }

    /// The line of its record, if there is a catalog.
    int line() {
        return line;
    }

    /// The memory with its present size.
    public MemorySegment segment() {
        return present;
    }

    /// The present size in bytes, 0 at first.
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
                    byteSize(), newByteSize - byteSize(), "pass a larger maxByteSize to InfiniteArena.growable");
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
}
