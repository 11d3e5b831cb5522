package dev.arenakit.internal.diagnostics;

import dev.arenakit.diagnostics.DebugOptions.Guard;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;

/// The memory of a block and what stands around it.
///
/// ```
///   memory    start        address             end       memoryEnd
///     | guard   | canary     | block   | canary  | guard     |
/// ```
///
/// A guard is pages without access. A canary is bytes of [#CANARY]. Without guards, `memory` is `start` and
/// `memoryEnd` is `end`.
///
/// @param byteAlignment the alignment of the block
/// @param guarded       whether there are guards
record BlockPlace(long memory, long memoryEnd, long start, long end, long address, long byteSize, long byteAlignment,
        boolean guarded) {
    /// The content of the bytes around a block: the value that other debug allocators use for them. New memory and
    /// freed memory have other values.
    static final byte CANARY = (byte) 0xFD;
    /// The content of a new block, if it is not zeroed.
    static final byte FRESH = (byte) 0xCD;
    /// The content of a freed block.
    static final byte FREED = (byte) 0xDF;

    /// The size of a canary without guards: an overrun by a vector register is found.
    private static final long CANARY_BYTE_SIZE = 64;

    /// Returns new memory, with canaries.
    ///
    /// @throws OutOfMemoryError if there is no memory left, or there are too many mappings
    static BlockPlace allocate(Guard guard, boolean zeroed, long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        BlockPlace place = guard == Guard.CANARIES
                ? withCanaries(byteSize, byteAlignment, zeroed)
                : withGuards(byteSize, byteAlignment, guard == Guard.BEHIND);
        place.fillCanaries();
        if (!zeroed) {
            Memory.segment(place.address, byteSize).fill(FRESH);
        }
        return place;
    }

    private static BlockPlace withGuards(long byteSize, long byteAlignment, boolean atEnd) {
        long page = PageMappings.pageByteSize();
        // The alignment of the first accessible byte. Addresses that are only reserved take no memory.
        long guard = Math.max(page, byteAlignment);
        long accessible = Sizes.alignUp(byteSize, page);
        long memory = PageMappings.reserve(guard + accessible + page, guard);
        if (memory == 0) {
            throw new OutOfMemoryError("Address space is exhausted, or there are too many mappings: byteSize="
                    + byteSize + ", byteAlignment=" + byteAlignment + remedy());
        }
        long start = memory + guard;
        long end = start + accessible;
        if (accessible > 0 && !PageMappings.enable(start, accessible)) {
            PageMappings.unmap(memory, end + page - memory);
            throw new OutOfMemoryError("Too many mappings, or too little memory for one: byteSize=" + byteSize
                    + ", byteAlignment=" + byteAlignment + remedy());
        }
        long address = atEnd ? (end - byteSize) & -byteAlignment : start;
        return new BlockPlace(memory, end + page, start, end, address, byteSize, byteAlignment, true);
    }

    private static String remedy() {
        return "; close arenas sooner, use DebugOptions.canaries(), or raise the limit on mappings (vm.max_map_count)";
    }

    private static BlockPlace withCanaries(long byteSize, long byteAlignment, boolean zeroed) {
        long before = Math.max(CANARY_BYTE_SIZE, byteAlignment);
        long total = before + byteSize + CANARY_BYTE_SIZE;
        long memory = AllocatorFunctions.libc().allocateBlock(total, byteAlignment, zeroed);
        return new BlockPlace(memory, memory + total, memory + before - CANARY_BYTE_SIZE, memory + total,
                memory + before, byteSize, byteAlignment, false);
    }

    void fillCanaries() {
        Memory.segment(start, address - start).fill(CANARY);
        long blockEnd = address + byteSize;
        Memory.segment(blockEnd, end - blockEnd).fill(CANARY);
    }

    void fillFreed() {
        Memory.segment(address, byteSize).fill(FREED);
    }

    /// Makes the block inaccessible, so that there is nothing but guards. If the system refuses it, gives the memory
    /// back.
    ///
    /// @return whether the addresses are still reserved
    boolean disable() {
        if (PageMappings.disable(start, end - start)) {
            return true;
        }
        release();
        return false;
    }

    /// The size of the addresses that belong to the block, guards included.
    long reservedByteSize() {
        return memoryEnd - memory;
    }

    /// Gives the memory back.
    void release() {
        if (guarded) {
            PageMappings.unmap(memory, memoryEnd - memory);
        } else {
            AllocatorFunctions.libc()
                    .freeBlock(memory, AllocatorFunctions.nativeByteSize(memoryEnd - memory, byteAlignment));
        }
    }
}
