package dev.arenakit;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;

/// A pool of a soak run, with what may be missing from it in the end.
final class SoakPool {
    final SlabPool pool;
    final boolean zeroed;
    /// Whether the pool holds back the memory of closed arenas.
    final boolean grouped;
    /// Arenas that were open when their thread ended.
    final AtomicInteger abandoned = new AtomicInteger();

    private SoakPool(SlabPool pool, boolean zeroed, boolean grouped) {
        this.pool = pool;
        this.zeroed = zeroed;
        this.grouped = grouped;
    }

    /// One pool of each kind: unbounded and bounded, with little idle memory, of small slabs, not zeroed; over pages
    /// and libc; over allocators that refuse; of grouped arenas.
    static List<SoakPool> ofEachKind(LongPredicate refuses) {
        NativeAllocator pages = NativeAllocator.failing(NativeAllocator.pages(), refuses);
        NativeAllocator libc = NativeAllocator.failing(NativeAllocator.libc(), refuses);
        return List.of(of(true, builder -> builder), of(true, builder -> builder.allocator(pages).maxByteSize(3 << 20)),
                of(true, builder -> builder.allocator(pages).slabByteSize(4096).maxIdleByteSize(5 * 4096)),
                of(true, builder -> builder.allocator(libc).slabByteSize(1024).maxByteSize(40 * 1024)),
                of(false, builder -> builder.allocator(libc).slabByteSize(16 * 1024)),
                of(true, builder -> builder.allocator(pages).slabByteSize(2048).maxByteSize(14 * 2048)),
                new SoakPool(SlabPool.builder()
                        .allocator(pages)
                        .slabByteSize(4096)
                        .maxByteSize(200 * 4096)
                        .groupedClose(5)
                        .maxHeldBackByteSize(40 * 4096)
                        .build(), true, true));
    }

    /// A pool for arenas that are never closed.
    static SoakPool small() {
        return of(true, builder -> builder.slabByteSize(4096));
    }

    private static SoakPool of(boolean zeroed, UnaryOperator<SlabPool.Builder> options) {
        SlabPool.Builder builder = zeroed ? SlabPool.builder() : SlabPool.builder().unzeroed();
        return new SoakPool(options.apply(builder).build(), zeroed, false);
    }

    /// Checks the pool while no arena is in use.
    void check() {
        if (grouped) {
            pool.trim();
        }
        SlabPoolStatistics stats = pool.stats();
        if (stats.openArenas() != abandoned.get()
                || (abandoned.get() == 0 && (stats.usedByteSize() != 0 || stats.largeByteSize() != 0))) {
            throw new AssertionError("Memory is lost: " + stats);
        }
    }

    /// Trims and closes the pool.
    void close() {
        check();
        long idle = pool.stats().idleByteSize();
        long trimmed = pool.trim();
        SlabPoolStatistics stats = pool.stats();
        if (trimmed != idle || stats.idleByteSize() != 0) {
            throw new AssertionError("Idle slabs are lost: trimmed=" + trimmed + ", idle=" + idle + ": " + stats);
        }
        // A pool of arenas that were never closed cannot be closed.
        if (abandoned.get() == 0) {
            pool.close();
        }
    }
}
