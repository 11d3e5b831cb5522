package dev.arenakit;

import dev.arenakit.internal.AllocatorFunctions;

/// What the blocks of a checked arena are allocated from.
interface BlockMemory {
    /// Returns the address of a new block.
    long allocate(long byteSize, long byteAlignment, boolean zeroed);

    /// Frees a block.
    void free(long address, long byteSize, long byteAlignment);

    /// Blocks of a native allocator.
    static BlockMemory of(AllocatorFunctions allocator) {
        return new BlockMemory() {
            @Override
            public long allocate(long byteSize, long byteAlignment, boolean zeroed) {
                return allocator.allocateBlock(byteSize, byteAlignment, zeroed);
            }

            @Override
            public void free(long address, long byteSize, long byteAlignment) {
                allocator.freeBlock(address, AllocatorFunctions.nativeByteSize(byteSize, byteAlignment));
            }
        };
    }
}
