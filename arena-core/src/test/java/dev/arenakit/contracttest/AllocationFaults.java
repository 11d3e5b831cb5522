package dev.arenakit.contracttest;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static dev.arenakit.contracttest.Fault.CONFINED;

/// Wrong sizes, alignments and addresses.
final class AllocationFaults {
    private static final long LARGE = 100_000;

    private AllocationFaults() {}

    static final List<Fault> ALL = List.of(
            Fault.of("size is rounded up", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                MemorySegment slice(long address, long byteSize) {
                    return super.slice(address, Sizes.alignUp(byteSize, 8));
                }
            }, "allocate_anySize_isExact"),

            Fault.of("large blocks are on the heap", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                MemorySegment slice(long address, long byteSize) {
                    return byteSize > LARGE
                            ? MemorySegment.ofArray(new byte[(int) byteSize])
                            : super.slice(address, byteSize);
                }
            }, "allocate_anySize_isNativeMemoryThatCanBeWritten"),

            Fault.of("alignment is ignored", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long bump(long byteSize, long byteAlignment) {
                    return super.bump(byteSize, 1);
                }
            }, "allocate_everyAlignment_isAligned"),

            Fault.of("every hundredth block is allocated twice", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                private int count;
                private long last;

                @Override
                long bump(long byteSize, long byteAlignment) {
                    if (++count % 100 != 0) {
                        last = super.bump(byteSize, byteAlignment);
                    }
                    return last;
                }
            }, "allocate_manySmallBlocks_neverOverlap"),

            Fault.of("padding is not reserved", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long bump(long byteSize, long byteAlignment) {
                    long unaligned = end();
                    long start = super.bump(byteSize, byteAlignment);
                    end(unaligned + byteSize);
                    return start;
                }
            }, "allocate_randomSizesAndAlignments_neverOverlap"),

            Fault.of("large blocks are not reserved", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long bump(long byteSize, long byteAlignment) {
                    return super.bump(byteSize > LARGE ? 0 : byteSize, byteAlignment);
                }
            }, "allocate_largeAndSmallInTurn_neverOverlap"),

            Fault.of("all arenas have the same slab", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long acquire() {
                    return pool.peek();
                }
            }, "allocate_inArenasOpenAtTheSameTime_neverOverlaps"),

            Fault.of("size 0 has no address", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long bump(long byteSize, long byteAlignment) {
                    return byteSize == 0 ? 0 : super.bump(byteSize, byteAlignment);
                }
            }, "allocate_sizeZero_isAnAlignedAddressWithoutBytes"),

            Fault.of("size 0 is past the memory that is reserved", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                long bump(long byteSize, long byteAlignment) {
                    return byteSize == 0
                            ? Sizes.alignUp(end() + 1, byteAlignment)
                            : super.bump(byteSize, byteAlignment);
                }
            }, "allocate_sizeZeroAmongOthers_neverPointsInsideThem"));
}
