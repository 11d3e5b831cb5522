package dev.arenakit.internal.malloc;

import dev.arenakit.BlockAllocator;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena whose blocks are in a [guarded][MallocRegistry.Guarded] registry.
public abstract class GuardedArena implements Arena, BlockAllocator {
    private final Arena delegate;
    protected final MallocRegistry.Guarded blocks;
    /// What is known of this arena if it is watched for leaks, or null.
    private final @Nullable LeakWatch open;

    protected GuardedArena(Arena delegate, MallocRegistry.Guarded blocks, @Nullable LeakWatch open) {
        this.delegate = delegate;
        this.blocks = blocks;
        this.open = open;
    }

    @Override
    public final MemorySegment allocate(long byteSize, long byteAlignment) {
        return allocate(byteSize, byteAlignment, false);
    }

    /// Allocates a zeroed block.
    public final MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        return allocate(byteSize, byteAlignment, true);
    }

    private MemorySegment allocate(long byteSize, long byteAlignment, boolean zeroed) {
        Sizes.checkArguments(byteSize, byteAlignment);
        blocks.checkOpen();
        return blocks.allocate(byteSize, byteAlignment, zeroed);
    }

    @Override
    public final void free(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        blocks.checkOpen();
        blocks.free(segment);
    }

    @Override
    public final MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Objects.requireNonNull(segment, "segment");
        Sizes.checkArguments(newByteSize, 1);
        blocks.checkOpen();
        return blocks.reallocate(segment, newByteSize);
    }

    /// Returns the segment of the block at an address.
    public final MemorySegment blockAt(long address) {
        blocks.checkOpen();
        return blocks.blockAt(address);
    }

    @Override
    public final MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public final void close() {
        blocks.checkOpen();
        try {
            blocks.close();
        } finally {
            if (!delegate.scope().isAlive()) {
                LeakWatch.closed(NotInlined.CALLS, open);
            }
        }
    }
}
