package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.internal.freelist.SlabHeapFormat.RECORDS_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.SLAB_BYTE_SIZE;
import static dev.arenakit.internal.freelist.SlabHeapFormat.get;
import static dev.arenakit.internal.freelist.SlabHeapFormat.put;

/// The memory of the records of heaps: a part of a segment's data or of a range, and then chunks from the source.
///
/// ```
///   chunk, 64 KiB
///     0  previous  address of the chunk that was added before, or 0
///    64  records
/// ```
///
/// Blocks never use this memory, so that a store through an old segment does not change it. Not thread-safe.
final class SlabRecords {
    private static final long CHUNK = SLAB_BYTE_SIZE;
    /// A cache line.
    private static final long CHUNK_RECORDS = 64;

    /// The source of chunks, or null if there are none.
    private final @Nullable SlabSource source;
    private long next;
    private long end;
    private long lastChunk;
    private long chunks;

    SlabRecords(@Nullable SlabSource source) {
        this.source = source;
    }

    /// Whether there is memory for the records of another heap.
    boolean hasNext() {
        return RECORDS_BYTE_SIZE <= end - next;
    }

    /// Whether the next records, or the last ones, are in a part of the memory.
    boolean isIn(long mask, long start) {
        return (next & mask) == start;
    }

    /// Uses a part of memory, unless there is another one.
    void add(long start, long byteSize) {
        if (!hasNext()) {
            next = start;
            end = start + byteSize;
        }
    }

    /// Adds a chunk.
    ///
    /// @return whether there is a source
    /// @throws CapacityExceededException if the source is full
    boolean addChunk() {
        if (source == null) {
            return false;
        }
        long chunk = source.allocate(CHUNK, CHUNK_RECORDS);
        try {
            put(chunk, lastChunk);
        } catch (Throwable t) {
            source.free(chunk, CHUNK);
            throw t;
        }
        lastChunk = chunk;
        chunks++;
        next = chunk + CHUNK_RECORDS;
        end = chunk + CHUNK;
        return true;
    }

    /// The address of the next records, which are cleared.
    long prepare() {
        for (long i = 0; i < RECORDS_BYTE_SIZE; i += Long.BYTES) {
            put(next + i, 0);
        }
        return next;
    }

    /// Allocates the next records. They are never freed.
    void use() {
        next += RECORDS_BYTE_SIZE;
    }

    /// The size of all chunks.
    long chunkByteSize() {
        return chunks * CHUNK;
    }

    /// Frees all chunks.
    void close() {
        while (source != null && lastChunk != 0) {
            long chunk = lastChunk;
            lastChunk = get(chunk);
            source.free(chunk, CHUNK);
        }
    }
}
