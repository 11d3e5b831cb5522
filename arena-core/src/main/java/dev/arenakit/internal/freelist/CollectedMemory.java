package dev.arenakit.internal.freelist;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Zeroed native memory that the garbage collector frees: the data of the allocator of a segment, which is not closed.
final class CollectedMemory implements Runnable {
    /// The wait for the garbage collector is doubled up to this one.
    private static final long LONGEST_WAIT_MILLIS = 256;

    private final AllocatorFunctions allocator;
    private final long byteSize;
    private long address;

    private CollectedMemory(AllocatorFunctions allocator, long byteSize) {
        this.allocator = allocator;
        this.byteSize = byteSize;
    }

    /// Allocates memory that is freed when the segment is unreachable. No page of it is touched.
    ///
    /// If there is no memory left, waits up to half a second for such memory to be freed by a garbage collection.
    ///
    /// @throws OutOfMemoryError if there is no memory left
    static MemorySegment allocate(AllocatorFunctions allocator, long byteSize, long byteAlignment) {
        boolean wasInterrupted = false;
        try {
            for (long millis = 0;; millis = Math.max(1, 2 * millis)) {
                MemorySegment memory = tryAllocate(allocator, byteSize, byteAlignment);
                if (memory != null) {
                    return memory;
                }
                if (millis > LONGEST_WAIT_MILLIS) {
                    throw allocator.exhausted(byteSize, byteAlignment, "mmap");
                }
                if (millis == 0) {
                    // Only the garbage collector frees the memory of segments that are unreachable.
                    System.gc();
                }
                wasInterrupted |= !sleep(millis);
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Allocates such memory without waiting, or returns null if there is none left.
    static @Nullable MemorySegment tryAllocate(AllocatorFunctions allocator, long byteSize, long byteAlignment) {
        long size = Sizes.alignUp(byteSize, allocator.hasMappings() ? PageMappings.pageByteSize() : byteAlignment);
        CollectedMemory memory = new CollectedMemory(allocator, size);
        memory.address = allocator.hasMappings()
                ? allocator.tryMap(size, byteAlignment)
                : allocator.tryAllocate(size, AllocatorFunctions.MALLOC_ALIGNMENT, true);
        if (memory.address == 0) {
            return null;
        }
        try {
            return Scopes.collected(memory.address, size, memory);
        } catch (Throwable t) {
            memory.run();
            throw t;
        }
    }

    private static boolean sleep(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /// Frees the memory once. This may be called twice: a segment whose creation fails may have registered it already.
    @Override
    public synchronized void run() {
        if (address != 0) {
            long freed = address;
            address = 0;
            if (allocator.hasMappings()) {
                PageMappings.release(freed, byteSize);
            } else {
                allocator.freeBlock(freed, byteSize, AllocatorFunctions.MALLOC_ALIGNMENT);
            }
        }
    }
}
