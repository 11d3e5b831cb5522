package dev.arenakit.collection;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// The ring is full. Its reader reads the first message, while the producer sends another one into the same memory.
@JCStressTest
@Outcome(id = "2, 0, 3, 0", expect = Expect.ACCEPTABLE, desc = "The ring was still full.")
@Outcome(id = "2, 1, 3, 4", expect = Expect.ACCEPTABLE, desc = "The space of the first message was free.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A message is lost, torn or overwritten.")
@State
public class RingWrapStress {
    private final StressRing ring = StressRing.spsc();

    public RingWrapStress() {
        // A message of an earlier round is at the place of the last message.
        ring.send(1);
        ring.receive();
        ring.send(2);
        ring.send(3);
    }

    @Actor
    public void read(IIII_Result r) {
        r.r1 = ring.receive();
    }

    @Actor
    public void write(IIII_Result r) {
        r.r2 = ring.send(4) ? 1 : 0;
    }

    @Arbiter
    public void readRest(IIII_Result r) {
        r.r3 = ring.receive();
        r.r4 = ring.receive();
    }
}
