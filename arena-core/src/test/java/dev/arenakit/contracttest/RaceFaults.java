package dev.arenakit.contracttest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static dev.arenakit.contracttest.Fault.CONFINED;
import static dev.arenakit.contracttest.Fault.SHARED;
import static dev.arenakit.contracttest.Fault.window;

/// Missing checks of the thread, and pairs of steps that should be atomic. Each window of a race is held open, so that
/// a test of that race always detects it.
final class RaceFaults {
    private RaceFaults() {}

    static final List<Fault> ALL = List.of(
            Fault.of("a confined arena's memory is accessible to all threads", CONFINED,
                    pool -> new TinyArena(pool, CONFINED, Arena.ofShared()), "access_fromAnotherThread_isAsClaimed"),

            Fault.of("allocate does not check the thread", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void checkOpen() {
                    if (!scope().isAlive()) {
                        throw new IllegalStateException("Closed");
                    }
                }
            }, "allocate_fromAnotherThread_isAsClaimed"),

            Fault.of("the memory of other threads is lost", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void releaseMemory() {
                    if (Thread.currentThread().equals(pool.owner)) {
                        super.releaseMemory();
                    }
                }
            }, "open_inAPlatformThread_servesThatThread"),

            Fault.of("the memory of virtual threads is lost", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void releaseMemory() {
                    if (!Thread.currentThread().isVirtual()) {
                        super.releaseMemory();
                    }
                }
            }, "open_inAVirtualThread_servesThatThread"),

            Fault.of("two arenas acquire the same slab", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long acquire() {
                    long slab = pool.peek();
                    window(2_000_000);
                    pool.remove(slab);
                    return slab;
                }
            }, "open_inSeveralThreadsAtOnce_neverSharesMemory", "open_inSeveralVirtualThreadsAtOnce_neverSharesMemory"),

            Fault.of("two threads reserve the same block", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                public MemorySegment allocate(long byteSize, long byteAlignment) {
                    check(byteSize, byteAlignment);
                    long start = end();
                    window();
                    end(start + byteSize);
                    return slice(start, byteSize);
                }
            }, "allocate_inSeveralThreadsAtOnce_neverOverlapsAndLosesNothing"),

            Fault.of("the arena is closed after the check of allocate", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                public MemorySegment allocate(long byteSize, long byteAlignment) {
                    check(byteSize, byteAlignment);
                    window();
                    long address;
                    synchronized (this) {
                        address = reserve(byteSize, byteAlignment);
                    }
                    return slice(address, byteSize);
                }
            }, "allocate_againstClose_succeedsOrIsRejectedAndLosesNothing"),

            Fault.of("a rejected close releases the memory", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                private volatile boolean released;

                @Override
                public void close() {
                    try {
                        delegate.close();
                    } finally {
                        window();
                        if (!scope().isAlive() && !released) {
                            window();
                            released = true;
                            releaseMemory();
                        }
                    }
                }
            }, "close_inSeveralThreadsAtOnce_releasesOnce"),

            Fault.of("two threads release the memory", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                public void close() {
                    boolean alive = scope().isAlive();
                    window();
                    if (alive) {
                        releaseMemory();
                    }
                    delegate.close();
                }
            }, "close_inSeveralThreadsAtOnce_releasesOnce"));
}
