package dev.arenakit.internal.freelist;

import java.lang.foreign.Arena;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A block that two threads have freed at the same time, which is an error, comes back twice.
class SlabDepotTest {
    private static final int SMALL = SizeClasses.classOf(16);
    private static final int LARGER = SizeClasses.classOf(8192);
    private static final int SLABS = 2;

    @AutoClose
    private final Arena arena = Arena.ofShared();
    private final HookedLists space = new HookedLists(arena, SLABS, false);
    private final SlabDepot depot = new SlabDepot(space);
    private final long[] batch = new long[64];

    private long takeAndGive() {
        assertThat(depot.take(SMALL, batch, 1)).isEqualTo(1);
        depot.give(batch[0]);
        assertThat(depot.usedSlabs()).isZero();
        return batch[0];
    }

    @Test
    void give_twiceOfABlockWhoseSlabIsFree_changesNothing() {
        depot.give(takeAndGive());
        assertThat(depot.usedSlabs()).isZero();
        assertThat(depot.takeLarge(SLABS, 1)).isPositive();
    }

    @Test
    void give_twiceOfABlockWhoseSlabIsALargeBlock_changesNothing() {
        long block = takeAndGive();
        assertThat(depot.takeLarge(SLABS, 1)).isPositive();
        depot.give(block);
        assertThat(depot.usedSlabs()).isEqualTo(SLABS);
        assertThat(depot.takeLarge(1, 1)).isZero();
    }

    @Test
    void give_twiceOfABlockWhoseSlabIsInsideALargeBlock_changesNothing() {
        long[] first = {takeAndGive()};
        assertThat(depot.takeLarge(1, 1)).isPositive();
        long block = takeOfSecond();
        depot.release(depot.slabOf(space.startOf(1)));
        assertThat(depot.takeLarge(SLABS, 1)).isEqualTo(space.startOf(1));
        depot.give(block);
        depot.give(first[0]);
        assertThat(depot.usedSlabs()).isEqualTo(SLABS);
        assertThat(depot.takeLarge(1, 1)).isZero();
    }

    private long takeOfSecond() {
        assertThat(depot.take(SMALL, batch, 1)).isEqualTo(1);
        depot.give(batch[0]);
        return batch[0];
    }

    /// The slab was used again for larger blocks, none of which starts or has been allocated where the old block was.
    @Test
    void give_twiceOfABlockWhoseSlabHasOtherBlocks_givesNoBlockThatIsFreeAlready() {
        long block = takeAndGive();
        assertThat(depot.take(LARGER, batch, 1)).isEqualTo(1);
        long[] taken = {batch[0]};
        for (long old = space.startOf(1); old < space.startOf(2); old += 16) {
            if (old != taken[0]) {
                depot.give(old);
            }
        }
        depot.give(block == taken[0] ? block + 16 : block);
        int count = depot.take(LARGER, batch, 64);
        // The other blocks of the slab.
        assertThat(count).isEqualTo(7);
        assertThat(LongStream.of(batch).limit(count)).doesNotHaveDuplicates().doesNotContain(taken[0]);
    }
}
