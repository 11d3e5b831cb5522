package dev.arenakit.internal.malloc;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NotInlined;
import org.jspecify.annotations.Nullable;

/// The header before a block of malloc: it holds the size and the alignment of the block, and links the blocks of an
/// arena to a list from the newest to the oldest.
///
/// ```
///   start             address - 16   address - 8        address
///   | (padding) ...   | previous     | sizeAndAlignment | the block ...
///
///   sizeAndAlignment = byteSize << 6 | log2(byteAlignment)
/// ```
///
/// `previous` is the address of the next older block, or 0. The native block begins at `start`: 16 bytes before the
/// block, or, if its alignment is larger, as many bytes as its alignment. A block without a header begins where its
/// native block begins; the highest bit of its `sizeAndAlignment` is set.
public final class MallocHeader {
    private static final long HEADER = 16;
    /// The bit of a block without a header.
    private static final long NO_HEADER = Long.MIN_VALUE;

    private static final int ALIGNMENT_BITS = 6;
    private static final long ALIGNMENT_MASK = (1L << ALIGNMENT_BITS) - 1;
    private static final long MALLOC_ALIGNMENT_EXPONENT = Long
            .numberOfTrailingZeros(AllocatorFunctions.MALLOC_ALIGNMENT);

    private MallocHeader() {}

    /// Encodes size and alignment of a block with a header. The caller has checked that the block is addressable: the
    /// largest size has 49 bits, and the exponent of the alignment has 6.
    static long sizeAndAlignment(long byteSize, long byteAlignment) {
        return (byteSize << ALIGNMENT_BITS) | Long.numberOfTrailingZeros(byteAlignment);
    }

    static long sizeAndAlignment(long byteSize, long byteAlignment, boolean hasHeader) {
        return sizeAndAlignment(byteSize, byteAlignment) | (hasHeader ? 0 : NO_HEADER);
    }

    /// Encodes size and alignment of a block that is never linked. Only an empty block has a header: without a header,
    /// its address could be the end of another block.
    static long sizeAndAlignmentUnlinked(long byteSize, long byteAlignment) {
        return sizeAndAlignment(byteSize, byteAlignment, byteSize == 0);
    }

    /// Encodes the size of a block that other code has allocated, and whose alignment is malloc's for that size.
    static long sizeOfAdopted(long byteSize) {
        return sizeAndAlignment(byteSize, 1, false);
    }

    static long byteSize(long sizeAndAlignment) {
        return (sizeAndAlignment & ~NO_HEADER) >>> ALIGNMENT_BITS;
    }

    static long byteAlignment(long sizeAndAlignment) {
        return 1L << sizeAndAlignment;
    }

    /// Allocates a block.
    ///
    /// @return its address
    static long allocate(AllocatorFunctions allocator, long sizeAndAlignment, boolean zeroed) {
        if (!zeroed && isSmall(sizeAndAlignment, allocator.largestSmall())) {
            long prefix = smallPrefix(sizeAndAlignment);
            // One size for all alignments: C2 inlines this method only if it is small.
            long start = allocator.tryAllocateSmall(Math.max(prefix + Math.max(byteSize(sizeAndAlignment), 1),
                    AllocatorFunctions.MALLOC_ALIGNMENT));
            if (start == 0) {
                throw exhausted(allocator, sizeAndAlignment, "malloc");
            }
            return start + prefix;
        }
        return allocateOther(NotInlined.CALLS, allocator, sizeAndAlignment, zeroed);
    }

    private static long allocateOther(int calls, AllocatorFunctions allocator, long sizeAndAlignment, boolean zeroed) {
        if (calls > 0) {
            return allocateOther(calls - 1, allocator, sizeAndAlignment, zeroed);
        }
        long nativeByteSize = nativeByteSize(sizeAndAlignment);
        long nativeByteAlignment = nativeByteAlignment(sizeAndAlignment);
        long start = allocator.tryAllocate(nativeByteSize, nativeByteAlignment, zeroed);
        if (start == 0) {
            throw exhausted(allocator, sizeAndAlignment,
                    allocator.functionFor(nativeByteSize, nativeByteAlignment, zeroed));
        }
        return start + prefix(sizeAndAlignment);
    }

    /// The address at which the native block begins: the only one that the allocator's `free` accepts.
    static long start(long address, long sizeAndAlignment) {
        return address - prefix(sizeAndAlignment);
    }

    /// Frees a block.
    static void free(AllocatorFunctions allocator, long address, long sizeAndAlignment) {
        if (isSmall(sizeAndAlignment, allocator.largestSmall())) {
            allocator.freeSmall(address - smallPrefix(sizeAndAlignment));
        } else {
            freeOther(NotInlined.CALLS, allocator, start(address, sizeAndAlignment), sizeAndAlignment);
        }
    }

    private static void freeOther(int calls, AllocatorFunctions allocator, long start, long sizeAndAlignment) {
        if (calls > 0) {
            freeOther(calls - 1, allocator, start, sizeAndAlignment);
            return;
        }
        allocator.freeBlock(start, nativeByteSize(sizeAndAlignment), nativeByteAlignment(sizeAndAlignment));
    }

    private static boolean isSmall(long sizeAndAlignment, long largestSmall) {
        return (sizeAndAlignment & ALIGNMENT_MASK) <= MALLOC_ALIGNMENT_EXPONENT
                && byteSize(sizeAndAlignment) <= largestSmall;
    }

    /// The prefix of a small block, without a branch.
    private static long smallPrefix(long sizeAndAlignment) {
        return HEADER & ~(sizeAndAlignment >> 63);
    }

    /// The bytes between the start of the native block and the block.
    private static long prefix(long sizeAndAlignment) {
        return hasHeader(sizeAndAlignment) ? Math.max(byteAlignment(sizeAndAlignment), HEADER) : 0;
    }

    static boolean hasHeader(long sizeAndAlignment) {
        return (sizeAndAlignment & NO_HEADER) == 0;
    }

    private static long nativeByteSize(long sizeAndAlignment) {
        long byteSize = byteSize(sizeAndAlignment);
        // Another native block may begin at the end of this one. An empty block has one byte, so that its address is
        // not that end.
        return hasHeader(sizeAndAlignment)
                ? prefix(sizeAndAlignment) + Math.max(byteSize, 1)
                : Math.max(byteSize, byteAlignment(sizeAndAlignment));
    }

    static long nativeByteAlignment(long sizeAndAlignment) {
        return Math.max(prefix(sizeAndAlignment), byteAlignment(sizeAndAlignment));
    }

    /// The size that the native allocator is asked for.
    static long requestedByteSize(long sizeAndAlignment) {
        return AllocatorFunctions.nativeByteSize(nativeByteSize(sizeAndAlignment),
                nativeByteAlignment(sizeAndAlignment));
    }

    /// The size that a block without a link takes from the system.
    public static long takenByteSize(AllocatorFunctions allocator, long byteSize, long byteAlignment) {
        long sizeAndAlignment = sizeAndAlignmentUnlinked(byteSize, byteAlignment);
        return allocator.takenByteSize(nativeByteSize(sizeAndAlignment), nativeByteAlignment(sizeAndAlignment));
    }

    private static OutOfMemoryError exhausted(AllocatorFunctions allocator, long sizeAndAlignment, String tried) {
        return allocator.exhausted(byteSize(sizeAndAlignment), byteAlignment(sizeAndAlignment), tried);
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

    /// Frees a block, all older blocks, and all blocks of a table, which may be null.
    static void freeAll(int calls, AllocatorFunctions allocator, long newest, @Nullable MallocTable table) {
        if (calls > 0) {
            freeAll(calls - 1, allocator, newest, table);
            return;
        }
        long largestSmall = allocator.largestSmall();
        long address = newest;
        while (address != 0) {
            long previous = previous(address);
            long sizeAndAlignment = sizeAndAlignment(address);
            // All blocks have a header.
            if (isSmall(sizeAndAlignment, largestSmall)) {
                allocator.freeSmall(address - HEADER);
            } else {
                free(allocator, address, sizeAndAlignment);
            }
            address = previous;
        }
        if (table != null) {
            table.freeAll(allocator);
        }
    }
}
