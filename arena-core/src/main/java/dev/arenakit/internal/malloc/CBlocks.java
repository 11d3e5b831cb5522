package dev.arenakit.internal.malloc;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The checks of blocks that a `MallocArena` takes over from C code, or gives to it.
public final class CBlocks {
    private static final MemorySegment.Scope GLOBAL = Arena.global().scope();

    private CBlocks() {}

    /// Checks that a segment can be a block of C code, and that an arena over the allocator can free it.
    ///
    /// @throws IllegalArgumentException      if the segment cannot be such a block
    /// @throws UnsupportedOperationException if the allocator has several ways to free a block
    public static void checkAdoptable(AllocatorFunctions allocator, MemorySegment segment) {
        if (!segment.isNative() || segment.isMapped() || segment.isReadOnly() || !segment.scope().equals(GLOBAL)) {
            throw notAdoptable("the segment is not one of the global scope, or is read-only", segment,
                    "pass the segment that a native call has returned, resized by MemorySegment.reinterpret(byteSize)");
        }
        if (segment.address() == 0) {
            throw notAdoptable("the pointer is null", segment, "look at the result of the native call first");
        }
        if (segment.address() < 0 || segment.address() > Sizes.ADDRESSABLE - segment.byteSize()) {
            throw notAdoptable("no block has this address and size", segment,
                    "call MemorySegment.reinterpret(byteSize) with the size of the block");
        }
        if (allocator.hasMappings()) {
            throw new UnsupportedOperationException("Cannot adopt a block: allocator=" + allocator
                    + ", which unmaps large blocks; use an arena over NativeAllocator.libc()");
        }
    }

    /// Checks that C code can free the blocks of an allocator.
    public static void checkReleasable(AllocatorFunctions allocator) {
        if (!allocator.isOfC()) {
            throw new UnsupportedOperationException("The free of C does not free blocks of this allocator: allocator="
                    + allocator + "; use an arena over NativeAllocator.libc()");
        }
    }

    /// Moves the bytes of an unchecked block to the start of its native block, over its header.
    public static void moveToStart(MemorySegment block, MemorySegment released) {
        if (block.address() != released.address()) {
            Memory.copy(block.address(), released.address(), block.byteSize());
        }
    }

    static IllegalArgumentException alreadyABlock(long address, long byteSize) {
        return new IllegalArgumentException("Already a block of this arena: address=0x" + Long.toHexString(address)
                + ", byteSize=" + byteSize + "; adopt a block once, and none that this arena has allocated");
    }

    private static IllegalArgumentException notAdoptable(String reason, MemorySegment segment, String remedy) {
        return new IllegalArgumentException("Cannot adopt a block, because " + reason + ": address=0x"
                + Long.toHexString(segment.address()) + ", byteSize=" + segment.byteSize() + "; " + remedy);
    }
}
