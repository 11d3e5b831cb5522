package dev.arenakit.collection;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// A reader polls while a producer claims, writes and commits two messages.
@JCStressTest
@Outcome(id = {"0, 0, 1, 2", "0, 1, 2, 0", "1, 0, 2, 0", "1, 2, 0, 0"}, expect = Expect.ACCEPTABLE,
        desc = "Both messages, once, whole and in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A message is lost, torn or read twice.")
@State
public class RingReadStress {
    private final StressRing ring = StressRing.mpsc();

    @Actor
    public void write() {
        ring.send(1);
        ring.send(2);
    }

    @Actor
    public void read(IIII_Result r) {
        r.r1 = ring.receive();
        r.r2 = ring.receive();
    }

    @Arbiter
    public void readRest(IIII_Result r) {
        r.r3 = ring.receive();
        r.r4 = ring.receive();
    }
}
