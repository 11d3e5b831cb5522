package dev.arenakit.internal.malloc;

import dev.arenakit.BlockAllocator;
import dev.arenakit.MallocArena;
import dev.arenakit.MallocArenaStatistics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An arena over malloc whose blocks a wrapper of another arena allocates.
public final class WrappedMallocArena implements MallocArena {
    private final MallocArena inner;
    private final Arena wrapper;
    private final BlockAllocator blocks;

    /// @param wrapper closes the inner arena when it is closed; it frees its blocks itself if it can
    public WrappedMallocArena(MallocArena inner, Arena wrapper) {
        this.inner = inner;
        this.wrapper = wrapper;
        blocks = wrapper instanceof BlockAllocator allocator ? allocator : inner;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return wrapper.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        return allocate(byteSize, byteAlignment).fill((byte) 0);
    }

    @Override
    public void free(MemorySegment segment) {
        blocks.free(segment);
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        return blocks.reallocate(segment, newByteSize);
    }

    @Override
    public MemorySegment blockAt(long address) {
        return inner.blockAt(address);
    }

    @Override
    public MemorySegment adopt(MemorySegment segment) {
        return inner.adopt(segment);
    }

    @Override
    public MemorySegment release(MemorySegment segment) {
        return inner.release(segment);
    }

    @Override
    public MallocArenaStatistics stats() {
        return inner.stats();
    }

    @Override
    public MemorySegment.Scope scope() {
        return wrapper.scope();
    }

    @Override
    public void close() {
        wrapper.close();
    }
}
