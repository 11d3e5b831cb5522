package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Memory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A thread writes to a block and frees it. Another one, for which the memory is full otherwise, allocates meanwhile: it
/// gets the block only after the last write to it.
@JCStressTest
@Outcome(id = {"1, 1, 1", "2, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "Each write is kept, and no block is lost.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A block was written to after it was allocated again, or lost.")
@State
public class RemoteFreeStress {
    private final StressLists lists = new StressLists(false);
    private int allocated;

    @Actor
    public void free() {
        lists.free(1);
        lists.tryAllocate();
        Memory.putLong(lists.blocks[0], 7);
        lists.free(0);
    }

    @Actor
    public void allocate(III_Result r) {
        lists.free(2);
        long first = lists.tryAllocate();
        Memory.putLong(first, 8);
        long second = lists.tryAllocate();
        if (second != 0) {
            Memory.putLong(second, 9);
        }
        allocated = second == 0 ? 1 : 2;
        r.r1 = allocated;
        r.r2 = first != second && Memory.getLong(first) == 8 && (second == 0 || Memory.getLong(second) == 9) ? 1 : 0;
    }

    @Arbiter
    public void count(III_Result r) {
        int live = lists.liveBlocks();
        r.r3 = live + lists.remaining(0) == StressLists.BLOCKS ? 1 : 0;
        lists.close();
    }
}
