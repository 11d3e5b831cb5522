package dev.arenakit.collection;

import dev.arenakit.BlockAllocator;
import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// An allocator that counts blocks and arenas, refuses requests on demand, and returns memory with arbitrary contents.
public final class TestAllocator implements BlockAllocator, Supplier<Arena> {
    private final MallocArena arena = MallocArena.ofConfined();
    private final List<Arena> arenas = new ArrayList<>();
    private long granted = Long.MAX_VALUE;
    private String refusal = "Refused";
    private boolean isBusy;
    private boolean isMoving;
    private long blocks;

    public TestAllocator() {}

    /// Grants this number of further requests.
    public void refuseAfter(long requests) {
        granted = requests;
    }

    /// Refuses each request, as the JVM does if the Java heap is exhausted.
    public void exhaustJavaHeap() {
        granted = 0;
        refusal = "Java heap space";
    }

    /// Refuses to free any block, as if native calls used all blocks.
    public void setBusy(boolean busy) {
        isBusy = busy;
    }

    /// Makes each reallocation move the block and overwrite the old block.
    void setMoving(boolean moving) {
        isMoving = moving;
    }

    /// The number of blocks and arenas that are held.
    public long held() {
        return blocks + arenas.stream().filter(each -> each.scope().isAlive()).count();
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        count(byteSize);
        MemorySegment segment = arena.allocate(byteSize, byteAlignment);
        segment.fill((byte) 0x5A);
        blocks++;
        return segment;
    }

    @Override
    public void free(MemorySegment segment) {
        checkIdle();
        arena.free(segment);
        blocks--;
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        count(newByteSize);
        return isMoving ? move(segment, newByteSize) : arena.reallocate(segment, newByteSize);
    }

    private MemorySegment move(MemorySegment segment, long newByteSize) {
        MemorySegment larger = arena.allocate(newByteSize);
        MemorySegment.copy(segment, 0, larger, 0, Math.min(segment.byteSize(), newByteSize));
        segment.fill((byte) 0x5A);
        arena.free(segment);
        return larger;
    }

    /// Opens an arena.
    @Override
    public Arena get() {
        Arena opened = new Owned(MallocArena.ofConfined());
        arenas.add(opened);
        return opened;
    }

    private void count(long byteSize) {
        if (granted-- <= 0) {
            throw new OutOfMemoryError(refusal + ": byteSize=" + byteSize);
        }
    }

    private void checkIdle() {
        if (isBusy) {
            throw new IllegalStateException("Busy");
        }
    }

    private final class Owned implements Arena {
        private final Arena delegate;

        Owned(Arena delegate) {
            this.delegate = delegate;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            count(byteSize);
            MemorySegment segment = delegate.allocate(byteSize, byteAlignment);
            segment.fill((byte) 0xA5);
            return segment;
        }

        @Override
        public MemorySegment.Scope scope() {
            return delegate.scope();
        }

        @Override
        public void close() {
            checkIdle();
            delegate.close();
        }
    }
}
