package dev.arenakit.internal.malloc;

import dev.arenakit.internal.AllocatorFunctions;

/// The source of the blocks of a checked arena.
public interface MallocSource {
    /// Returns the address of a new block.
    long allocate(long byteSize, long byteAlignment, boolean zeroed);

    /// Frees a block.
    void free(long address, long byteSize, long byteAlignment);

    /// Returns a source of blocks from a native allocator.
    static MallocSource of(AllocatorFunctions allocator) {
        return new MallocSource() {
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
