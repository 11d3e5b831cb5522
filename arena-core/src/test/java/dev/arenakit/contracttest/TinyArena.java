package dev.arenakit.contracttest;

import dev.arenakit.contract.Capabilities;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A minimal arena over a pool that passes the contract. It consists of small steps, of which each planted fault
/// overrides one.
class TinyArena implements Arena {
    final TinyPool pool;
    final Capabilities capabilities;
    final Arena delegate;
    final MemorySegment view;

    // Guarded by the lock of this arena.
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
        return slice(address, byteSize);
    }

    void check(long byteSize, long byteAlignment) {
        checkArguments(byteSize, byteAlignment);
        checkOpen();
        checkMemory(byteSize, byteAlignment);
    }

    void checkArguments(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Sizes.checkAlignmentAtMost(capabilities.largestAlignment(), byteAlignment, "request a smaller one");
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

    /// Counts the size and reserves memory.
    long reserve(long byteSize, long byteAlignment) {
        count(byteSize);
        return bump(byteSize, byteAlignment);
    }

    void count(long byteSize) {
        counted += byteSize;
        pool.held.addAndGet(byteSize);
    }

    long bump(long byteSize, long byteAlignment) {
        long start = Sizes.alignUp(end(), byteAlignment);
        end(start + byteSize);
        return start;
    }

    /// The end of the used memory.
    long end() {
        if (slab == 0) {
            slab = acquire();
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

    long acquire() {
        return pool.acquire();
    }

    /// Creates the zeroed segment. Zeroing fails if the scope is closed.
    MemorySegment slice(long address, long byteSize) {
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

    /// Releases the memory, unless it is already released.
    void release() {
        if (!released) {
            released = true;
            releaseMemory();
        }
    }

    void releaseMemory() {
        pool.held.addAndGet(-counted);
        if (slab != 0) {
            pool.release(slab);
        }
    }
}
