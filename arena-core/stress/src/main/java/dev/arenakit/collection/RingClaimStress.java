package dev.arenakit.collection;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Two producers claim, write and commit a message each.
@JCStressTest
@Outcome(id = {"1, 2, 0", "2, 1, 0"}, expect = Expect.ACCEPTABLE, desc = "Both messages, once and whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A message is lost, torn or read twice.")
@State
public class RingClaimStress {
    private final StressRing ring = StressRing.mpsc();

    @Actor
    public void one() {
        ring.send(1);
    }

    @Actor
    public void other() {
        ring.send(2);
    }

    @Arbiter
    public void read(III_Result r) {
        r.r1 = ring.receive();
        r.r2 = ring.receive();
        r.r3 = ring.receive();
    }
}
