package dev.arenakit.internal.diagnostics.debug;

import dev.arenakit.diagnostics.DebugOptions.Guard;
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
/// A guard is pages without access. A canary is bytes of [#CANARY]. Without guards, the memory belongs to a
/// [chunk][BlockChunks].
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

    /// The smallest size of a canary: an overrun by a vector register is found.
    private static final long CANARY_BYTE_SIZE = 64;

    /// Returns new memory with canaries.
    ///
    /// @param chunks the memory of blocks without guards; its lock is held
    /// @throws OutOfMemoryError if there is no memory left, or there are too many mappings
    static BlockPlace allocate(Guard guard, BlockChunks chunks, boolean zeroed, long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        BlockPlace place = guard == Guard.CANARIES
                ? withCanaries(chunks, byteSize, byteAlignment)
                : withGuards(byteSize, byteAlignment, guard == Guard.BEHIND);
        place.fillCanaries();
        if (!zeroed) {
            Memory.segment(place.address, byteSize).fill(FRESH);
        }
        return place;
    }

    /// Returns accessible pages between two guards. On the side of the block that is not at its guard, there is a
    /// canary in any case: a system call that writes too much reports an error at a guard, or writes less, and nobody
    /// notices it.
    private static BlockPlace withGuards(long byteSize, long byteAlignment, boolean atEnd) {
        long page = PageMappings.pageByteSize();
        // The accessible bytes from the address of the block on, and before it.
        long tail;
        long head;
        if (atEnd) {
            tail = Sizes.alignUp(byteSize, Math.min(byteAlignment, page));
            head = Sizes.alignUp(tail + CANARY_BYTE_SIZE, page) - tail;
        } else {
            tail = Sizes.alignUp(byteSize + CANARY_BYTE_SIZE, page);
            head = 0;
        }
        // Addresses that are only reserved take no memory.
        long lead = Math.max(page + head, byteAlignment);
        long reserved = lead + tail + page;
        long memory = PageMappings.reserve(reserved, Math.max(page, byteAlignment));
        if (memory == 0) {
            PageMappings.checkLimit();
            throw new OutOfMemoryError("Address space is exhausted, or there are too many mappings: byteSize="
                    + byteSize + ", byteAlignment=" + byteAlignment + remedy());
        }
        long address = memory + lead;
        BlockPlace place = new BlockPlace(memory, memory + reserved, address - head, address + tail, address, byteSize,
                byteAlignment, true);
        if (!place.enable()) {
            place.release();
            throw new OutOfMemoryError("Too many mappings, or too little memory for one: byteSize=" + byteSize
                    + ", byteAlignment=" + byteAlignment + remedy());
        }
        return place;
    }

    private static String remedy() {
        return "; close arenas sooner, use DebugOptions.canaries(), or raise the limit on mappings (vm.max_map_count)";
    }

    private static BlockPlace withCanaries(BlockChunks chunks, long byteSize, long byteAlignment) {
        long total = CANARY_BYTE_SIZE + byteAlignment - 1 + byteSize + CANARY_BYTE_SIZE;
        long memory = chunks.cut(total);
        long address = Sizes.alignUp(memory + CANARY_BYTE_SIZE, byteAlignment);
        return new BlockPlace(memory, memory + total, address - CANARY_BYTE_SIZE, address + byteSize + CANARY_BYTE_SIZE,
                address, byteSize, byteAlignment, false);
    }

    void fillCanaries() {
        Memory.segment(start, address - start).fill(CANARY);
        long blockEnd = address + byteSize;
        Memory.segment(blockEnd, end - blockEnd).fill(CANARY);
    }

    void fillFreed() {
        Memory.segment(address, byteSize).fill(FREED);
    }

    /// Makes the block accessible again, after [#disable].
    ///
    /// @return whether the system has done so
    boolean enable() {
        return PageMappings.enable(start, end - start);
    }

    /// Makes the block inaccessible, so that there is nothing but guards.
    ///
    /// @return whether the system has done so
    boolean disable() {
        return PageMappings.disable(start, end - start);
    }

    /// The size of the addresses that belong to the block, guards included.
    long reservedByteSize() {
        return memoryEnd - memory;
    }

    /// Gives the memory back, unless it belongs to a chunk.
    void release() {
        if (guarded) {
            PageMappings.releaseReserved(memory, memoryEnd - memory);
        }
    }
}
