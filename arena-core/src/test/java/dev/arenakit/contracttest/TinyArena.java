package dev.arenakit.contracttest;

import dev.arenakit.contract.Capabilities;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The smallest arena over a pool that keeps the contract, in steps: the planted faults override one each.
class TinyArena implements Arena {
    final TinyPool pool;
    final Capabilities capabilities;
    final Arena delegate;
    final MemorySegment view;

    // Guarded by this arena.
    private long slab;
    private long end;
    private long counted;
    private boolean released;

    TinyArena(TinyPool pool, Capabilities capabilities) {
        this(pool, capabilities, capabilities.shared() ? Arena.ofShared() : Arena.ofConfined());
    }

    TinyArena(TinyPool pool, Capabilities capabilities, Arena delegate) {
        this.pool = pool;
        this.capabilities = capabilities;
        this.delegate = delegate;
        this.view = Scopes.viewOf(delegate);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        check(byteSize, byteAlignment);
        long address;
        synchronized (this) {
            checkOpen();
            address = reserve(byteSize, byteAlignment);
        }
        return lend(address, byteSize);
    }

    void check(long byteSize, long byteAlignment) {
        checkArguments(byteSize, byteAlignment);
        checkOpen();
        checkMemory(byteSize, byteAlignment);
    }

    void checkArguments(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Sizes.checkAlignmentAtMost(capabilities.largestAlignment(), byteAlignment, "ask for less");
    }

    void checkOpen() {
        Scopes.checkOpen(view);
    }

    void checkMemory(long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        if (byteSize > TinyPool.SLAB || byteAlignment > TinyPool.SLAB) {
            throw new OutOfMemoryError("Larger than a slab: byteSize=" + byteSize);
        }
    }

    /// Counts the size and finds a place.
    long reserve(long byteSize, long byteAlignment) {
        count(byteSize);
        return place(byteSize, byteAlignment);
    }

    void count(long byteSize) {
        counted += byteSize;
        pool.held.addAndGet(byteSize);
    }

    long place(long byteSize, long byteAlignment) {
        long start = Sizes.alignUp(end(), byteAlignment);
        end(start + byteSize);
        return start;
    }

    /// Where the next allocation may begin.
    long end() {
        if (slab == 0) {
            slab = take();
            end = slab;
        }
        return end;
    }

    void end(long address) {
        if (address > slab + TinyPool.SLAB) {
            throw new OutOfMemoryError("Slab is full");
        }
        end = address;
    }

    long take() {
        return pool.take();
    }

    /// Makes the segment. A closed scope refuses to zero it.
    MemorySegment lend(long address, long byteSize) {
        return view.asSlice(address, byteSize).fill((byte) 0);
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public void close() {
        synchronized (this) {
            try {
                delegate.close();
            } finally {
                if (!delegate.scope().isAlive()) {
                    release();
                }
            }
        }
    }

    /// Gives the memory back, once.
    void release() {
        if (!released) {
            released = true;
            giveBack();
        }
    }

    void giveBack() {
        pool.held.addAndGet(-counted);
        if (slab != 0) {
            pool.give(slab);
        }
    }
}
