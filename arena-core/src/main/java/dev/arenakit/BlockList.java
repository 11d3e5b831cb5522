package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.Sizes;
import org.jspecify.annotations.Nullable;

/// The blocks of an arena as a list from the newest to the oldest, which is linked through a header before each block.
///
/// ```
///   start             address - 16   address - 8        address
///   | (padding) ...   | previous     | sizeAndAlignment | the block ...
///
///   sizeAndAlignment = byteSize << 6 | log2(byteAlignment)
/// ```
///
/// `previous` is the address of the block before, or 0. The native block begins at `start`: 16 bytes before the block,
/// or, if its alignment is larger, as many bytes as its alignment.
final class BlockList {
    private static final long HEADER = 16;

    private BlockList() {}

    /// Encodes size and alignment in one word: the largest size has 48 bits, the exponent of the alignment 6.
    static long sizeAndAlignment(long byteSize, long byteAlignment) {
        return (byteSize << 6) | Long.numberOfTrailingZeros(byteAlignment);
    }

    static long byteSize(long sizeAndAlignment) {
        return sizeAndAlignment >>> 6;
    }

    static long byteAlignment(long sizeAndAlignment) {
        return 1L << sizeAndAlignment;
    }

    /// Allocates a block that is to be linked.
    ///
    /// @return its address
    static long allocate(NativeAllocator allocator, long byteSize, long byteAlignment, boolean zeroed) {
        if (!zeroed && byteAlignment <= NativeAllocator.MALLOC_ALIGNMENT && allocator.isSmall(byteSize)) {
            long start = allocator.tryAllocateSmall(nativeByteSize(byteSize, HEADER));
            if (start == 0) {
                throw allocator.exhausted(byteSize, byteAlignment, "malloc");
            }
            return HEADER + start;
        }
        return allocateOther(OutOfLine.CALLS, allocator, byteSize, byteAlignment, zeroed);
    }

    private static long allocateOther(int calls, NativeAllocator allocator, long byteSize, long byteAlignment,
            boolean zeroed) {
        if (calls > 0) {
            return allocateOther(calls - 1, allocator, byteSize, byteAlignment, zeroed);
        }
        Sizes.checkAddressable(byteSize, byteAlignment);
        long prefix = Math.max(byteAlignment, HEADER);
        long nativeByteSize = nativeByteSize(byteSize, prefix);
        long start = allocator.tryAllocate(nativeByteSize, prefix, zeroed);
        if (start == 0) {
            throw allocator.exhausted(byteSize, byteAlignment,
                    allocator.functionFor(nativeByteSize, prefix, zeroed));
        }
        return start + prefix;
    }

    /// The address past the end of a native block may be that of another one. It must not be that of an empty block.
    private static long nativeByteSize(long byteSize, long prefix) {
        return prefix + Math.max(byteSize, 1);
    }

    /// The size that a block takes from the system.
    static long takenByteSize(NativeAllocator allocator, long byteSize, long byteAlignment) {
        long prefix = Math.max(byteAlignment, HEADER);
        return allocator.takenByteSize(nativeByteSize(byteSize, prefix), prefix);
    }

    /// Frees a block.
    static void free(NativeAllocator allocator, long address, long sizeAndAlignment) {
        long prefix = Math.max(byteAlignment(sizeAndAlignment), HEADER);
        allocator.freeBlock(address - prefix,
                NativeAllocator.nativeByteSize(nativeByteSize(byteSize(sizeAndAlignment), prefix), prefix));
    }

    /// Writes the header of a block.
    static void link(long address, long previous, long sizeAndAlignment) {
        Memory.putLong(address - HEADER, previous);
        Memory.putLong(address - HEADER + 8, sizeAndAlignment);
    }

    static long previous(long address) {
        return Memory.getLong(address - HEADER);
    }

    /// The size and alignment of a block, encoded.
    static long sizeAndAlignment(long address) {
        return Memory.getLong(address - HEADER + 8);
    }

    /// Frees a block and all older ones, and all blocks of a table, which may be null.
    static void freeAll(NativeAllocator allocator, long newest, @Nullable BlockTable table) {
        if (newest == 0 && table == null) {
            return;
        }
        if (table == null && previous(newest) == 0 && isSmall(allocator, sizeAndAlignment(newest))) {
            // One small block is the common case. To free one of several here as well would be more than C2 inlines.
            allocator.freeSmall(newest - HEADER);
            return;
        }
        freeRest(OutOfLine.CALLS, allocator, newest, table);
    }

    private static boolean isSmall(NativeAllocator allocator, long sizeAndAlignment) {
        return byteAlignment(sizeAndAlignment) <= NativeAllocator.MALLOC_ALIGNMENT
                && allocator.isSmall(byteSize(sizeAndAlignment));
    }

    private static void freeRest(int calls, NativeAllocator allocator, long newest, @Nullable BlockTable table) {
        if (calls > 0) {
            freeRest(calls - 1, allocator, newest, table);
            return;
        }
        long address = newest;
        while (address != 0) {
            long previous = previous(address);
            free(allocator, address, sizeAndAlignment(address));
            address = previous;
        }
        if (table != null) {
            table.freeAll(allocator);
        }
    }
}
