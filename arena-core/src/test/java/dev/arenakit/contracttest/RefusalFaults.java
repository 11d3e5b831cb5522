package dev.arenakit.contracttest;

import dev.arenakit.contract.Capabilities;
import dev.arenakit.internal.Sizes;
import java.util.List;

import static dev.arenakit.contracttest.Fault.CONFINED;
import static dev.arenakit.contracttest.Fault.SHARED;

/// Wrong exceptions, and checks in the wrong order.
final class RefusalFaults {
    private static final Capabilities ALIGNED_TO_A_PAGE = CONFINED.withLargestAlignment(4_096);

    private RefusalFaults() {}

    static final List<Fault> ALL = List.of(
            Fault.of("wrong arguments are not named", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void checkArguments(long byteSize, long byteAlignment) {
                    if (byteSize < 0 || Long.bitCount(byteAlignment) != 1) {
                        throw new IllegalArgumentException("Wrong argument");
                    }
                }
            }, "allocate_sizeOrAlignmentThatIsNotSupported_isRejectedWithTheValue"),

            Fault.of("too large an alignment is not rejected", ALIGNED_TO_A_PAGE,
                    pool -> new TinyArena(pool, ALIGNED_TO_A_PAGE) {
                        @Override
                        void checkArguments(long byteSize, long byteAlignment) {
                            Sizes.checkArguments(byteSize, byteAlignment);
                        }
                    }, "allocate_sizeOrAlignmentThatIsNotSupported_isRejectedWithTheValue"),

            Fault.of("too large a size is a wrong argument", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void checkMemory(long byteSize, long byteAlignment) {
                    if (byteSize > TinyPool.SLAB || byteAlignment > TinyPool.SLAB) {
                        throw new IllegalArgumentException("Larger than a slab: byteSize=" + byteSize);
                    }
                }
            }, "allocate_beyondTheAddressSpace_isOutOfMemory"),

            Fault.of("a rejected allocation is counted", SHARED, pool -> new TinyArena(pool, SHARED) {
                @Override
                void checkMemory(long byteSize, long byteAlignment) {
                    count(byteSize);
                    super.checkMemory(byteSize, byteAlignment);
                    count(-byteSize);
                }
            }, "allocate_rejected_leavesNothingBehind"),

            Fault.of("state comes before arguments", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void checkArguments(long byteSize, long byteAlignment) {
                    checkOpen();
                    super.checkArguments(byteSize, byteAlignment);
                }
            }, "allocate_wrongArgumentsInAClosedArena_areRejectedAsArguments",
                    "allocate_wrongArgumentsFromAnotherThread_areRejectedAsArguments"),

            Fault.of("memory comes before state", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void checkArguments(long byteSize, long byteAlignment) {
                    super.checkArguments(byteSize, byteAlignment);
                    checkMemory(byteSize, byteAlignment);
                }
            }, "allocate_beyondTheAddressSpaceInAClosedArena_isIllegalState",
                    "allocate_beyondTheAddressSpaceFromAnotherThread_checksTheThreadFirst"),

            Fault.of("allocate checks liveness before the thread", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                void checkOpen() {
                    if (!scope().isAlive()) {
                        throw new IllegalStateException("Closed");
                    }
                    super.checkOpen();
                }
            }, "allocate_fromAnotherThreadInAClosedArena_checksTheThreadFirst"),

            Fault.of("close checks liveness before the thread", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public void close() {
                    if (!scope().isAlive()) {
                        throw new IllegalStateException("Closed");
                    }
                    super.close();
                }
            }, "close_fromAnotherThreadOfAClosedArena_checksTheThreadFirst"));
}
