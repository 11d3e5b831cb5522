package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.internal.Sizes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT_HANDLE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG_HANDLE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SLOT;

/// A run of a catalog that is being written: a range of a chunk, and the slots that record the allocations in it. One
/// thread makes these allocations, without any atomic operation.
public final class CatalogRun {
    private final MemorySegment chunk;
    private final long baseAddress;
    private final MemorySegment catalog;
    private final long line;
    /// The end of the range in the chunk.
    private final long limit;
    /// The end of the slots in the catalog.
    private final long slotLimit;

    /// The offset of the first free byte.
    private long bumpPointer;
    /// The offset of the first unused slot.
    private long slot;
    /// Two cache lines, so that the runs of two threads do not share one.
    @SuppressWarnings("unused")
    private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;

    /// @param chunk       the mapping of the chunk
    /// @param baseAddress the address of the chunk, modulo [CatalogFormat#BASE_ADDRESS_MODULO]
    /// @param catalog     the mapping of the catalog
    /// @param line        the offset of its entry in the catalog
    /// @param lines       the number of lines, the entry included
    /// @param start       the start of the range in the chunk
    /// @param limit       the end of the range in the chunk
    CatalogRun(MemorySegment chunk, long baseAddress, MemorySegment catalog, long line, int lines, long start,
            long limit) {
        this.chunk = chunk;
        this.baseAddress = baseAddress;
        this.catalog = catalog;
        this.line = line;
        this.limit = limit;
        slotLimit = line + lines * LINE;
        bumpPointer = start;
        slot = line + LINE;
    }

    /// Allocates memory and records it.
    ///
    /// @param byteSize less than [CatalogFormat#SLOT_BYTE_SIZE_LIMIT]
    /// @return the offset of the allocation, or -1 if it does not fit
    public long allocate(long byteSize, long byteAlignment) {
        long start = Sizes.alignUp(baseAddress + bumpPointer, byteAlignment) - baseAddress;
        long at = slot;
        if (byteSize > limit - start || at == slotLimit) {
            return -1;
        }
        // Record it first: if the next line is not reached, the next allocation replaces the record.
        LONG_HANDLE.setRelease(catalog, at, CatalogFormat.slot(at, byteSize, byteAlignment, start));
        slot = at + SLOT;
        bumpPointer = start + byteSize;
        return start;
    }

    /// The mapping of the chunk.
    public MemorySegment chunk() {
        return chunk;
    }

    /// Whether the range is in a chunk.
    ///
    /// @param mapping the mapping of a chunk
    public boolean isIn(MemorySegment mapping) {
        return chunk.address() == mapping.address();
    }

    /// The offset of the first free byte in the chunk.
    public long bumpPointer() {
        return bumpPointer;
    }

    /// The end of the range in the chunk.
    public long limit() {
        return limit;
    }

    /// Records that no more slots will be used. The thread of the run calls this method.
    public void end() {
        INT_HANDLE.setRelease(catalog, line + CatalogFormat.STATE, ended(slot));
    }

    /// Records that no more slots will be used, after the arena has unmapped the catalog. A thread may have stored into
    /// a slot whose use is not visible in this object.
    void end(FileChannel channel) throws IOException {
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long unused = slot;
        while (unused < slotLimit && channel.read(word.clear(), unused) == SLOT && word.getLong(0) != 0) {
            unused += SLOT;
        }
        channel.write(word.clear().putInt(0, ended(unused)).limit(Integer.BYTES), line + CatalogFormat.STATE);
    }

    private int ended(long unused) {
        return (int) ((unused - line - LINE) / SLOT) + 1;
    }
}
