package dev.arenakit.internal.scope;

import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Two threads close an arena.
@JCStressTest
@Outcome(id = {"1, 0, 1", "0, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "One has closed it, and released its memory.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both or none, or the memory was released twice or never.")
@State
public class SharedCloseStress {
    private int released;
    private final Arena arena = Arena.ofShared();
    private final SharedClose closing = new SharedClose(arena, true, arena::close, () -> released++);

    @Actor
    public void one(III_Result r) {
        r.r1 = close();
    }

    @Actor
    public void other(III_Result r) {
        r.r2 = close();
    }

    @Arbiter
    public void count(III_Result r) {
        r.r3 = released;
    }

    private int close() {
        try {
            closing.close();
            return 1;
        } catch (IllegalStateException e) {
            return 0;
        }
    }
}
