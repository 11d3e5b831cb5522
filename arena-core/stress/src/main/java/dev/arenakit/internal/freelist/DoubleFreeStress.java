package dev.arenakit.internal.freelist;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Two threads free a block at the same time, an error of the program, of lists whose `free` is atomic: one is refused.
@JCStressTest
@Outcome(id = {"1, 0, 3", "0, 1, 3"}, expect = Expect.ACCEPTABLE, desc = "One has freed the block.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both or none have freed it, or it is available twice.")
@State
public class DoubleFreeStress {
    private final StressLists lists = new StressLists(true);

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
        r.r3 = lists.liveBlocks() == StressLists.BLOCKS - 3 ? lists.remaining(StressLists.BLOCKS - 3) : 0;
        lists.close();
    }
}
