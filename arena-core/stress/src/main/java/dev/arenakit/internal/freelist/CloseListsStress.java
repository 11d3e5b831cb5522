package dev.arenakit.internal.freelist;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A thread uses its stacks while another one closes the arena, and frees the stacks and the tables of blocks.
@JCStressTest
@Outcome(id = {"0", "1", "2", "3"}, expect = Expect.ACCEPTABLE, desc = "A call was refused, or none.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A call did neither succeed nor fail with an exception.")
@State
public class CloseListsStress {
    private final StressLists lists = new StressLists(true);

    @Actor
    public void use(I_Result r) {
        try {
            lists.free(0);
            r.r1 = 1;
            lists.free(1);
            r.r1 = 2;
            long block = lists.tryAllocate();
            lists.lists.record(block, 0, 64);
            r.r1 = block == 0 ? 10 : 3;
        } catch (IllegalStateException e) {
            // The arena is closed.
            r.r1 += 0;
        }
    }

    @Actor
    public void close() {
        lists.close();
    }

    @Arbiter
    public void check(I_Result r) {
        try {
            lists.tryAllocate();
            r.r1 = 20;
        } catch (IllegalStateException e) {
            r.r1 += 0;
        }
    }
}
