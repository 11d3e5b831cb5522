package dev.arenakit.bench.candidate;

/// Blocks of malloc, which are freed together.
final class MallocBlocks implements PeerArena.Blocks {
    /// During a critical call, other threads wait at safepoints, and larger blocks may take long.
    private static final long MAX_CRITICAL = 64 * 1024;

    private final AddressList live = new AddressList();

    @Override
    public long allocate(long byteSize) {
        long address = byteSize <= MAX_CRITICAL
                ? LibcAllocator.mallocCritical(byteSize)
                : LibcAllocator.malloc(byteSize);
        if (address == 0) {
            throw new OutOfMemoryError("malloc failed: byteSize=" + byteSize);
        }
        live.add(address);
        return address;
    }

    @Override
    public void free() {
        while (!live.isEmpty()) {
            LibcAllocator.freeCritical(live.removeLast());
        }
    }
}
