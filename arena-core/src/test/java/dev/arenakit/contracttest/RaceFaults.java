package dev.arenakit.contracttest;

import dev.arenakit.internal.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static dev.arenakit.contracttest.Fault.CONFINED;
import static dev.arenakit.contracttest.Fault.SHARED;
import static dev.arenakit.contracttest.Fault.window;

/// Threads that are not asked for, and steps that should be one. The windows of races are held open, so that a test
/// which looks there always sees something.
final class RaceFaults {
    private RaceFaults() {}

    static final List<Fault> ALL = List.of(
            Fault.of("a confined arena's memory is open to all", CONFINED,
                    pool -> new TinyArena(pool, CONFINED, Arena.ofShared()), "access_fromAnotherThread_isAsClaimed"),

            Fault.of("allocate does not ask for the thread", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void checkOpen() {
                    if (!scope().isAlive()) {
                        throw new IllegalStateException("Closed");
                    }
                }
            }, "allocate_fromAnotherThread_isAsClaimed"),

            Fault.of("the memory of other threads is lost", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void giveBack() {
                    if (Thread.currentThread().equals(pool.owner)) {
                        super.giveBack();
                    }
                }
            }, "open_inAPlatformThread_servesThatThread"),

            Fault.of("the memory of virtual threads is lost", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void giveBack() {
                    if (!Thread.currentThread().isVirtual()) {
                        super.giveBack();
                    }
                }
            }, "open_inAVirtualThread_servesThatThread"),

            Fault.of("two arenas take the same slab", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long take() {
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
                    return lend(start, byteSize);
                }
            }, "allocate_inSeveralThreadsAtOnce_neverOverlapsAndLosesNothing"),

            Fault.of("a count is lost between threads", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                public MemorySegment allocate(long byteSize, long byteAlignment) {
                    long held = pool.held.get();
                    MemorySegment segment = super.allocate(byteSize, byteAlignment);
                    window();
                    pool.held.set(held + byteSize);
                    return segment;
                }
            }, "allocate_inSeveralThreadsAtOnce_neverOverlapsAndLosesNothing"),

            Fault.of("the arena is closed after allocate has asked", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                public MemorySegment allocate(long byteSize, long byteAlignment) {
                    check(byteSize, byteAlignment);
                    window();
                    long address;
                    synchronized (this) {
                        address = reserve(byteSize, byteAlignment);
                    }
                    return lend(address, byteSize);
                }
            }, "allocate_againstClose_succeedsOrIsIllegalStateAndLosesNothing"),

            Fault.of("memory is zeroed outside of its scope", SHARED, pool -> new TinyArena(pool, SHARED) {
                private final MemorySegment unscoped = Scopes.viewOf(Arena.global());

                @Override
                MemorySegment lend(long address, long byteSize) {
                    if (!Thread.currentThread().equals(pool.owner)) {
                        window(2_000_000);
                    }
                    unscoped.asSlice(address, byteSize).fill((byte) 0);
                    return view.asSlice(address, byteSize);
                }
            }, "allocate_againstClose_succeedsOrIsIllegalStateAndLosesNothing"),

            Fault.of("a refused close gives the memory back", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                private volatile boolean givenBack;

                @Override
                public void close() {
                    try {
                        delegate.close();
                    } finally {
                        window();
                        if (!scope().isAlive() && !givenBack) {
                            window();
                            givenBack = true;
                            giveBack();
                        }
                    }
                }
            }, "close_againstCloseByAnotherThread_givesBackOnce"),

            Fault.of("two threads give the memory back", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                public void close() {
                    boolean alive = scope().isAlive();
                    window();
                    if (alive) {
                        giveBack();
                    }
                    delegate.close();
                }
            }, "close_inSeveralThreadsAtOnce_succeedsOnce"));
}
