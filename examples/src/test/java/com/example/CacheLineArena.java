package com.example;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

final class CacheLineArena implements Arena {
    private static final long CACHE_LINE = 64;

    private final Arena delegate = Arena.ofConfined();

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        // The delegate rejects an alignment that is not a power of two: do not round that up.
        boolean smaller = Long.bitCount(byteAlignment) == 1 && byteAlignment > 0 && byteAlignment < CACHE_LINE;
        return delegate.allocate(byteSize, smaller ? CACHE_LINE : byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public void close() {
        delegate.close();
    }
}
