package dev.arenakit.mapped;

import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.CatalogEntry.Text;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Where the memory of an arena is cut from: its current chunk, and what comes when that is full.
final class ChunkSequence {
    /* An allocation is cut out of the current chunk. It begins as an empty one, and in a plain arena stays so: each
     * allocation takes the slow path, as does one that no longer fits into a chunk. The slow path returns a chunk,
     * not a segment: with one place that makes segments, a segment that does not escape is no garbage.
     *
     * A shared arena takes from its chunk by compare and set, and the next chunk is made under the lock. A thread
     * that still sees the earlier chunk does no harm: it finds room there, or comes to the lock.
     *
     * The line of the catalog is claimed before, so that a full disk is noticed before memory is taken, and written after: what is
     * recorded has its memory.
     *
     * Close ends the scope first. A slow path that holds the lock at that moment either has its mapping registered
     * with the scope, which unmaps it, or fails and removes its file; the release, which waits for the lock, finds
     * the count exact. */

    /// Where the halving of a chunk that is refused ends; below this, a refusal is not about the size.
    private static final long LEAST_CHUNK_BYTE_SIZE = 1L << 30;

    private final Arena delegate;
    private final boolean shared;
    private final @Nullable Catalog catalog;

    /// No memory, but the scope: to ask for its state, and to stand for a chunk before there is one.
    private final MemorySegment empty;

    /// Also the lock of the slow path.
    private final ArenaFiles files;

    /// The size of the next chunk, 0 in a plain arena. Guarded by the lock.
    private long chunkByteSize;

    /// The current chunk. Written under the lock.
    private volatile Chunk chunk;

    /// @param delegate      whose scope the memory has
    /// @param chunkByteSize 0 for a file for each allocation
    /// @param image         where allocations are recorded, or null; an earlier owner may have left room in it
    ChunkSequence(Arena delegate, boolean shared, ArenaFiles files, long chunkByteSize, @Nullable OwnImage image) {
        this.delegate = delegate;
        this.shared = shared;
        this.files = files;
        this.chunkByteSize = chunkByteSize;
        catalog = image == null ? null : image.catalog();
        empty = delegate.allocate(0);
        Chunk none = new Chunk(empty, CatalogFormat.NO_FILE, 0);
        chunk = image == null ? none : image.inheritance().free().map(files::resume).orElse(none);
    }

    /// Refuses another thread's call on a confined arena, then any call on a closed one.
    void checkOpen() {
        Scopes.checkOpen(empty);
    }

    /// Takes memory, and records it if there is a catalog.
    MemorySegment take(long byteSize, long byteAlignment) {
        if (byteSize == 0) {
            return delegate.allocate(0, byteAlignment);
        }
        return take(catalog == null ? 0 : catalog.claim(), byteSize, byteAlignment, Text.NONE, Text.NONE);
    }

    /// Takes memory that has a name, however little it is, and records it.
    ///
    /// @param line what was claimed in the catalog
    MemorySegment takeNamed(int line, long byteSize, long byteAlignment, Text name, Text type) {
        if (byteSize > 0 || catalog == null) {
            return take(line, byteSize, byteAlignment, name, type);
        }
        catalog.add(line, CatalogFormat.NO_FILE, 0, 0, byteAlignment, name, type);
        return delegate.allocate(0, byteAlignment);
    }

    private MemorySegment take(int line, long byteSize, long byteAlignment, Text name, Text type) {
        Chunk current = chunk;
        long offset = take(current, byteSize, byteAlignment);
        while (offset < 0) {
            current = chunkAfter(current, byteSize, byteAlignment, line);
            offset = take(current, byteSize, byteAlignment);
        }
        if (catalog != null) {
            catalog.add(line, current.file(), offset, byteSize, byteAlignment, name, type);
        }
        return current.slice(offset, byteSize);
    }

    private long take(Chunk from, long byteSize, long byteAlignment) {
        return shared ? from.takeAtomically(byteSize, byteAlignment) : from.take(byteSize, byteAlignment);
    }

    /// @param line what was claimed in the catalog, which is given back on failure
    private Chunk chunkAfter(Chunk full, long byteSize, long byteAlignment, int line) {
        boolean found = false;
        try {
            Sizes.checkAddressable(byteSize, byteAlignment);
            Chunk next = chunkAfter(full, byteSize, byteAlignment);
            found = true;
            return next;
        } finally {
            if (!found && catalog != null) {
                catalog.giveBack(line);
            }
        }
    }

    /// Where to look when an allocation does not fit into a chunk: a chunk that another thread has begun meanwhile, a
    /// new one, or a file for this allocation alone.
    private Chunk chunkAfter(Chunk full, long byteSize, long byteAlignment) {
        synchronized (files) {
            // Closed meanwhile: without this look, a file would be made in vain.
            checkOpen();
            if (chunk != full) {
                return chunk;
            }
            // A mapping begins at a page: up to there, alignment needs no room.
            long needed = byteSize + Math.max(0, byteAlignment - PageSize.BYTES);
            if (needed > chunkByteSize) {
                return files.map(needed, needed, byteSize);
            }
            long least = Math.max(needed, Math.min(chunkByteSize, LEAST_CHUNK_BYTE_SIZE));
            Chunk next = files.map(chunkByteSize, least, byteSize);
            chunkByteSize = next.byteSize();
            chunk = next;
            return next;
        }
    }

    /// The memory that an earlier owner has taken.
    MemorySegment existing(NamedAllocations.Place place) {
        return place.file() < 0
                ? delegate.allocate(0, place.byteAlignment())
                : files.existing(place.file(), place.end()).asSlice(place.byteOffset(), place.byteSize());
    }
}
