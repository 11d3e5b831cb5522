package dev.arenakit.mapped.internal.arena;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogRun;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.data.Chunk;
import dev.arenakit.mapped.internal.data.DataFileParts;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.data.MappedFiles.ExistingRange;
import dev.arenakit.mapped.internal.data.MappedFiles.FreeRange;
import dev.arenakit.mapped.internal.files.PageSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Allocates the memory of an arena from its current chunk, and makes the next chunk when the current one is full.
public final class ChunkAllocator {
    /* The fast path bumps the pointer of the current chunk. The first chunk is empty. A plain arena keeps it, so that
     * each of its allocations takes the slow path. An allocation that does not fit into the current chunk takes the
     * slow path, too. The slow path returns a chunk and not a segment: all segments are made in one place, which lets
     * the compiler eliminate segments that do not escape.
     *
     * A shared arena bumps the pointer by compare and set, and makes the next chunk under the lock. A thread that still
     * sees the previous chunk does no harm: its allocation fits there, or the thread waits for the lock.
     *
     * If there is a catalog, small allocations without names are made in runs: each thread claims a range of the chunk
     * and slots of the catalog, and then needs neither an atomic operation nor the lock.
     *
     * The line of any other allocation is reserved before memory is allocated, so that a full disk is detected early.
     * The record is written afterwards: each allocation that is recorded has its memory.
     *
     * Closing the arena ends the scope first. A slow path that holds the lock at that moment has either registered its
     * mapping with the scope, which unmaps it, or it fails and deletes its file. The release waits for the lock, so
     * that it sees the exact number of mappings. */

    private static final String PLAIN_REMEDY = "that is the page size; build the arena with chunked() for up to 2 MiB";
    private static final String CHUNK_REMEDY = "allocate byteAlignment more bytes and slice them";

    private final Arena delegate;
    private final boolean shared;
    private final boolean chunked;
    private final @Nullable CatalogWriter catalog;
    /// Null if there is no catalog, or each allocation has a file.
    private final @Nullable ThreadRuns runs;

    /// A segment without memory: its scope is checked, and it backs the first chunk.
    private final MemorySegment empty;

    /// The data files. This object is also the lock of the slow path.
    private final DataFileWriter files;

    /// The size of the next chunk, 0 in a plain arena. Guarded by the lock.
    private long chunkByteSize;

    /// The current chunk. Written under the lock.
    private volatile Chunk chunk;

    /// Makes the allocator of an arena.
    ///
    /// @param delegate      the arena whose scope the memory gets
    /// @param chunkByteSize the size of a chunk, or 0 for an arena with a file for each allocation
    /// @param catalog       the catalog that records the allocations, or null
    /// @param free          the rest of a chunk of a previous owner that is not full
    public ChunkAllocator(Arena delegate, boolean shared, DataFileWriter files, long chunkByteSize,
            @Nullable CatalogWriter catalog, Optional<FreeRange> free) {
        this.delegate = delegate;
        this.shared = shared;
        chunked = chunkByteSize > 0;
        this.files = files;
        this.chunkByteSize = chunkByteSize;
        this.catalog = catalog;
        runs = catalog == null || chunkByteSize == 0 ? null : new ThreadRuns(catalog, chunkByteSize);
        empty = delegate.allocate(0);
        Chunk none = new Chunk(empty, CatalogFormat.NO_FILE, 0);
        chunk = free.map(files::resume).orElse(none);
    }

    /// Checks that the current thread may use the arena, and that the arena is open.
    public void checkOpen() {
        Scopes.checkOpen(empty);
    }

    /// Checks that the arena supports an alignment.
    public void checkAlignment(long byteAlignment) {
        Sizes.checkAlignmentAtMost(chunked ? Chunk.LARGEST_ALIGNMENT : PageSize.BYTES, byteAlignment,
                chunked ? CHUNK_REMEDY : PLAIN_REMEDY);
    }

    /// Checks that the arena is open, allocates memory, and records it if there is a catalog. Recording in a run checks
    /// the arena, too.
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        if (byteSize == 0) {
            return delegate.allocate(0, byteAlignment);
        }
        if (runs == null || !runs.isSmall(byteSize, byteAlignment)) {
            checkOpen();
            return allocate(catalog == null ? 0 : catalog.reserve(), byteSize, byteAlignment, Text.NONE, Text.NONE);
        }
        CatalogRun current = runs.current();
        CatalogRun run = current == null ? nextRun(runs, byteSize, byteAlignment) : current;
        long offset = run.allocate(byteSize, byteAlignment);
        while (offset < 0) {
            run = nextRun(runs, byteSize, byteAlignment);
            offset = run.allocate(byteSize, byteAlignment);
        }
        return run.chunk().asSlice(offset, byteSize);
    }

    private CatalogRun nextRun(ThreadRuns runs, long byteSize, long byteAlignment) {
        synchronized (files) {
            // The arena may have been closed meanwhile, and the image may have another owner.
            checkOpen();
            while (true) {
                Chunk current = chunk;
                CatalogRun run = runs.next(current, byteSize, byteAlignment);
                if (run != null) {
                    return run;
                }
                nextChunk(current, byteSize, byteAlignment);
            }
        }
    }

    /// Allocates memory for a name and records it, even if its size is 0.
    ///
    /// @param line the line that was reserved in the catalog
    MemorySegment allocateNamed(CatalogWriter catalog, int line, long byteSize, long byteAlignment, Text name,
            Text type) {
        if (byteSize > 0) {
            return allocate(line, byteSize, byteAlignment, name, type);
        }
        if (runs == null) {
            return allocateEmptyFile(catalog, line, byteAlignment, name, type);
        }
        catalog.addAllocation(line, CatalogFormat.NO_FILE, 0, 0, byteAlignment, name, type);
        return delegate.allocate(0, byteAlignment);
    }

    /// Allocates memory of size 0 that has a data file, so that it can be resized.
    private MemorySegment allocateEmptyFile(CatalogWriter catalog, int line, long byteAlignment, Text name, Text type) {
        try {
            checkOpen();
            Chunk own = files.mapGrowable(PageSize.BYTES, PageSize.BYTES);
            catalog.addWhole(line, own.file(), 0, 0, byteAlignment, name, type);
            return own.slice(0, 0);
        } catch (Throwable t) {
            catalog.cancel(line);
            throw t;
        }
    }

    private MemorySegment allocate(int line, long byteSize, long byteAlignment, Text name, Text type) {
        Chunk current = chunk;
        long offset = bump(current, byteSize, byteAlignment);
        while (offset < 0) {
            current = nextChunk(current, byteSize, byteAlignment, line);
            offset = bump(current, byteSize, byteAlignment);
        }
        if (catalog != null && (runs == null || current.partByteSize() > 0)) {
            catalog.addWhole(line, current.file(), byteSize, current.partByteSize(), byteAlignment, name, type);
        } else if (catalog != null) {
            catalog.addAllocation(line, current.file(), offset, byteSize, byteAlignment, name, type);
        }
        return current.slice(offset, byteSize);
    }

    private long bump(Chunk chunk, long byteSize, long byteAlignment) {
        return shared ? chunk.bumpAtomically(byteSize, byteAlignment) : chunk.bump(byteSize, byteAlignment);
    }

    /// @param line the line that was reserved in the catalog; it is cancelled on failure
    private Chunk nextChunk(Chunk full, long byteSize, long byteAlignment, int line) {
        try {
            Sizes.checkAddressable(byteSize, byteAlignment);
            return nextChunk(full, byteSize, byteAlignment);
        } catch (Throwable t) {
            if (catalog != null) {
                catalog.cancel(line);
            }
            throw t;
        }
    }

    /// The chunk to try after a full one: a chunk that another thread has made meanwhile, a new one, or a file for this
    /// allocation alone.
    private Chunk nextChunk(Chunk full, long byteSize, long byteAlignment) {
        synchronized (files) {
            // The arena may have been closed meanwhile, and a new file would be deleted at once.
            checkOpen();
            if (chunk != full || full.reserve(byteSize, byteAlignment) || (runs != null && runs.giveBack(full))) {
                return chunk;
            }
            // A mapping begins at a page, so that an alignment up to the page size needs no padding.
            long needed = byteSize + Math.max(0, byteAlignment - PageSize.BYTES);
            if (needed > chunkByteSize) {
                return files.map(needed, needed, needed, byteSize);
            }
            long least = Math.max(needed, Math.min(chunkByteSize, Chunk.LEAST_BYTE_SIZE));
            Chunk next = files.map(chunkByteSize, least, needed, byteSize);
            // Files that are mapped side by side contain one allocation alone, and no other thread may find room in
            // them.
            if (next.partByteSize() == 0) {
                chunkByteSize = next.byteSize();
                chunk = next;
            }
            return next;
        }
    }

    /// The runs that may still be written.
    public List<CatalogRun> openRuns() {
        synchronized (files) {
            return runs == null ? List.of() : runs.open();
        }
    }

    /// The memory that a previous owner has allocated.
    MemorySegment existing(ExistingRange range) {
        if (range.file() < 0) {
            return delegate.allocate(0, range.byteAlignment());
        }
        return range.partByteSize() > 0
                || (!chunked && DataFileParts.areNeeded(files.base(), range.byteOffset(), range.byteAlignment()))
                        ? files.existingParts(range)
                        : files.existing(range);
    }
}
