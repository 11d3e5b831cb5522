package dev.arenakit.internal.freelist;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A thread frees blocks to its stacks and takes them from there. Another one, for which the memory is full, empties the
/// stacks of all threads meanwhile: each block is allocated once.
@JCStressTest
@Outcome(id = "3, 8", expect = Expect.ACCEPTABLE, desc = "Each free block was allocated once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A block was allocated twice, or lost.")
@State
public class SuspendStress {
    private final StressLists lists = new StressLists(false);
    private final long[] own = new long[3];
    private final long[] others = new long[3];

    @Actor
    public void own() {
        for (int i = 0; i < own.length; i++) {
            lists.free(i);
        }
        for (int i = 0; i < own.length; i++) {
            own[i] = lists.tryAllocate();
        }
    }

    @Actor
    public void others() {
        for (int i = 0; i < others.length; i++) {
            others[i] = lists.tryAllocate();
        }
    }

    @Arbiter
    public void count(II_Result r) {
        long[] rest = {lists.tryAllocate(), lists.tryAllocate(), lists.tryAllocate()};
        for (int i = 0; i < 3; i++) {
            r.r1 += count(lists.blocks[i], own) + count(lists.blocks[i], others) + count(lists.blocks[i], rest);
            // Each of them once.
            r.r1 += count(lists.blocks[i], own, others, rest) == 1 ? 0 : 100;
        }
        r.r2 = lists.liveBlocks();
        lists.close();
    }

    private static int count(long block, long[]... all) {
        int count = 0;
        for (long[] some : all) {
            for (long other : some) {
                count += other == block ? 1 : 0;
            }
        }
        return count;
    }
}
