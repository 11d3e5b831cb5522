package dev.arenakit.internal.freelist;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Two threads free a block at the same time, an error of the program, of lists whose `free` is not atomic: the block
/// may be available twice, but no block that is live is available.
@JCStressTest
@Outcome(id = {"1, 0, 1", "0, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "One has freed the block.")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "Both have freed it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "None has freed it, or another block is available that is live.")
@State
public class PlainDoubleFreeStress {
    private final StressLists lists = new StressLists(false);

    @Actor
    public void one(III_Result r) {
        lists.free(1);
        r.r1 = lists.free(0) ? 1 : 0;
    }

    @Actor
    public void other(III_Result r) {
        lists.free(2);
        r.r2 = lists.free(0) ? 1 : 0;
    }

    @Arbiter
    public void count(III_Result r) {
        int available = 0;
        boolean live = false;
        for (long block = lists.tryAllocate(); block != 0 && available < 10; block = lists.tryAllocate()) {
            available++;
            for (int i = 3; i < StressLists.BLOCKS; i++) {
                live |= block == lists.blocks[i];
            }
        }
        // Both other blocks, and this one once or twice.
        r.r3 = !live && (available == 3 || available == 4) ? 1 : 0;
        lists.close();
    }
}
