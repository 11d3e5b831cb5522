package dev.arenakit.collection;

import dev.arenakit.BlockAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/// An allocator that counts blocks and arenas, refuses requests on demand, and returns memory with arbitrary contents.
/// Each block has an arena of its own, so that access through a freed block throws an exception. Each resize moves the
/// block.
public final class TestAllocator implements BlockAllocator, Supplier<Arena> {
    private final Map<Long, Arena> blocks = new HashMap<>();
    private final List<Arena> arenas = new ArrayList<>();
    private long granted = Long.MAX_VALUE;
    private long requests;
    private String refusal = "Refused";
    private boolean isBusy;

    public TestAllocator() {}

    /// Grants this number of further requests.
    public void refuseAfter(long count) {
        granted = count;
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

    /// The number of blocks and arenas that are held.
    public long held() {
        return blocks.size() + arenas.stream().filter(each -> each.scope().isAlive()).count();
    }

    /// The number of requests so far, including refused requests.
    long requests() {
        return requests;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        count(byteSize);
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(byteSize, byteAlignment).fill((byte) 0x5A);
        blocks.put(segment.address(), arena);
        return segment;
    }

    @Override
    public void free(MemorySegment segment) {
        checkIdle();
        Objects.requireNonNull(blocks.remove(segment.address()), "a live block").close();
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Arena old = Objects.requireNonNull(blocks.get(segment.address()), "a live block");
        MemorySegment moved = allocate(newByteSize, 64);
        MemorySegment.copy(segment, 0, moved, 0, Math.min(segment.byteSize(), newByteSize));
        blocks.remove(segment.address());
        old.close();
        return moved;
    }

    /// Opens an arena.
    @Override
    public Arena get() {
        Arena opened = new Owned(Arena.ofConfined());
        arenas.add(opened);
        return opened;
    }

    private void count(long byteSize) {
        requests++;
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
            return delegate.allocate(byteSize, byteAlignment).fill((byte) 0xA5);
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
