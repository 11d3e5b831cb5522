package dev.arenakit.contracttest;

import dev.arenakit.contract.Capabilities;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static dev.arenakit.contracttest.Fault.CONFINED;
import static dev.arenakit.contracttest.Fault.SHARED;

/// Scopes that end too late, and faulty implementations of close.
final class LifetimeFaults {
    private static final Capabilities UNZEROED = SHARED.withoutZeroing();
    private static final Arena IMMORTAL = Arena.ofShared();

    private LifetimeFaults() {}

    static final List<Fault> ALL = List.of(
            Fault.of("large blocks have the global scope", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                MemorySegment slice(long address, long byteSize) {
                    MemorySegment memory = byteSize > 1_000_000 ? Scopes.viewOf(Arena.global()) : view;
                    return memory.asSlice(address, byteSize).fill((byte) 0);
                }
            }, "scope_ofASegment_isTheArenasOrItsOwnAsClaimed", "access_afterClose_isIllegalState"),

            Fault.of("all arenas have one scope", SHARED, pool -> new TinyArena(pool, SHARED, IMMORTAL) {
                @Override
                public void close() {
                    release();
                }
            }, "scope_ofArenasOpenAtTheSameTime_differs", "access_afterMemoryIsReused_isIllegalState"),

            Fault.of("close does not end the scope", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public void close() {
                    release();
                }
            }, "scope_isAliveUntilClose", "access_afterClose_isIllegalState"),

            Fault.of("allocate does not check liveness", UNZEROED, pool -> new TinyArena(pool, UNZEROED) {
                @Override
                void checkOpen() {
                    // The thread need not be checked: all threads may use a shared arena.
                }

                @Override
                MemorySegment slice(long address, long byteSize) {
                    return view.asSlice(address, byteSize);
                }
            }, "allocate_afterClose_isIllegalState"),

            Fault.of("a second close is accepted", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public void close() {
                    if (scope().isAlive()) {
                        super.close();
                    }
                }
            }, "close_again_isIllegalState"),

            Fault.of("large blocks are not released", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                void releaseMemory() {
                    super.releaseMemory();
                    pool.held.incrementAndGet();
                }
            }, "close_always_releasesTheMemory"),

            Fault.of("a second close releases again", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void release() {
                    releaseMemory();
                }
            }, "close_again_neverReleasesMemoryTwice"),

            Fault.of("close releases the memory of other arenas", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void releaseMemory() {
                    super.releaseMemory();
                    pool.releaseAll();
                }
            }, "close_ofOneArena_leavesTheOthersAlone"),

            Fault.of("confined memory is released although close is rejected", CONFINED,
                    pool -> new TinyArena(pool, CONFINED) {
                        @Override
                        public void close() {
                            release();
                            super.close();
                        }
                    }, "close_whileASegmentIsInUse_isRejectedOrDeferredAsClaimed",
                    "close_fromAnotherThread_isAsClaimed"),

            Fault.of("shared memory is released although close is rejected", SHARED,
                    pool -> new TinyArena(pool, SHARED) {
                        @Override
                        public void close() {
                            release();
                            Fault.window(20_000_000);
                            super.close();
                        }
                    }, "close_whileASegmentIsInUse_isRejectedOrDeferredAsClaimed",
                    "access_againstClose_neverReachesMemoryReused"),

            Fault.of("memory of a deferred end is released by close", SHARED.withDeferredEnd(),
                    pool -> new TinyArena(pool, SHARED) {
                        private boolean closed;

                        @Override
                        void checkOpen() {
                            if (closed) {
                                throw Scopes.alreadyClosed();
                            }
                            super.checkOpen();
                        }

                        @Override
                        public void close() {
                            checkOpen();
                            closed = true;
                            release();
                        }
                    }, "close_whileASegmentIsInUse_isRejectedOrDeferredAsClaimed",
                    "access_afterMemoryIsReused_isIllegalState"),

            Fault.of("memory is lost when a cleanup throws", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                public void close() {
                    delegate.close();
                    release();
                }
            }, "close_whenACleanupThrows_throwsItAndReleasesEverything"));
}
