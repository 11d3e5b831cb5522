package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;

/// Memory of an export, from malloc. Any thread can free it, without a handshake with other threads and without heap
/// memory. One thread at a time uses an object of this class.
///
/// Native access is checked before the first use of this class.
final class ExportMemory implements SegmentAllocator {
    private static final AllocatorFunctions MALLOC = AllocatorFunctions.libc();
    /// The structs and the texts of a column are cut from blocks of this size.
    private static final long CHUNK_BYTE_SIZE = 512;

    /// The address and the size of each block.
    private long[] blocks = new long[4];
    private int end;
    private long chunkAt;
    private long chunkEnd;

    /// Returns memory that is not zeroed.
    ///
    /// @throws OutOfMemoryError if there is no memory
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Sizes.checkAddressable(byteSize, byteAlignment);
        long address = Sizes.alignUp(chunkAt, byteAlignment);
        if (address + byteSize <= chunkEnd) {
            chunkAt = address + byteSize;
        } else if (byteSize + byteAlignment > CHUNK_BYTE_SIZE) {
            address = Sizes.alignUp(addBlock(byteSize + byteAlignment), byteAlignment);
        } else {
            long chunk = addBlock(CHUNK_BYTE_SIZE);
            address = Sizes.alignUp(chunk, byteAlignment);
            chunkAt = address + byteSize;
            chunkEnd = chunk + CHUNK_BYTE_SIZE;
        }
        return Memory.segment(address, byteSize);
    }

    private long addBlock(long byteSize) {
        if (end == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * end);
        }
        long address = MALLOC.allocateBlock(byteSize, AllocatorFunctions.MALLOC_ALIGNMENT, false);
        blocks[end] = address;
        blocks[end + 1] = byteSize;
        end += 2;
        return address;
    }

    /// Frees all memory. Later allocations use new blocks.
    void free() {
        // First, so that nothing is allocated in a freed block.
        chunkAt = 0;
        chunkEnd = 0;
        while (end > 0) {
            // First, so that no block is freed twice if an Error interrupts this method.
            end -= 2;
            MALLOC.freeBlock(blocks[end], blocks[end + 1], AllocatorFunctions.MALLOC_ALIGNMENT);
        }
    }
}
