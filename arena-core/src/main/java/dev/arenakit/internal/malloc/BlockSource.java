package dev.arenakit.internal.malloc;

import dev.arenakit.internal.AllocatorFunctions;

/// The source of the memory of blocks.
public interface BlockSource {
    /// Returns the address of new memory.
    long allocate(long byteSize, long byteAlignment, boolean zeroed);

    /// Frees memory.
    void free(long address, long byteSize, long byteAlignment);

    /// Checks that the `free` of C code frees the blocks with an alignment.
    default void checkReleasable(long byteAlignment) {}

    /// Counts a block that this source has not allocated. A source without an account does nothing.
    default void count(long byteSize) {}

    /// Counts a block no longer, which this source will not free.
    default void uncount(long byteSize, long byteAlignment) {}

    /// Returns a native allocator as a source.
    static BlockSource of(AllocatorFunctions allocator) {
        return new BlockSource() {
            @Override
            public long allocate(long byteSize, long byteAlignment, boolean zeroed) {
                return allocator.allocateBlock(byteSize, byteAlignment, zeroed);
            }

            @Override
            public void free(long address, long byteSize, long byteAlignment) {
                allocator.freeBlock(address, byteSize, byteAlignment);
            }

            @Override
            public void checkReleasable(long byteAlignment) {
                allocator.checkReleasable(byteAlignment);
            }

            @Override
            public void count(long byteSize) {
                allocator.count(byteSize);
            }

            @Override
            public void uncount(long byteSize, long byteAlignment) {
                allocator.uncount(AllocatorFunctions.nativeByteSize(byteSize, byteAlignment));
            }
        };
    }
}
