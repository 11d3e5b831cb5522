package dev.arenakit.collection;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// Two producers send messages that do not fit before the end of the memory. There is space for one of them.
@JCStressTest
@Outcome(id = {"1, 0, 1, 0", "0, 1, 2, 0"}, expect = Expect.ACCEPTABLE, desc = "One of the messages was sent.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A message is lost, torn, overwritten or read twice.")
@State
public class RingPaddingStress {
    private final StressRing ring = StressRing.mpsc();

    public RingPaddingStress() {
        // 16 of 64 bytes remain before the end of the memory.
        ring.send(1);
        ring.receive();
        ring.ring.commit(ring.ring.claim(0), 7);
        ring.ring.poll((_, _, _, _) -> {}, 1);
    }

    @Actor
    public void one(IIII_Result r) {
        r.r1 = ring.send(1) ? 1 : 0;
    }

    @Actor
    public void other(IIII_Result r) {
        r.r2 = ring.send(2) ? 1 : 0;
    }

    @Arbiter
    public void read(IIII_Result r) {
        r.r3 = ring.receive();
        r.r4 = ring.receive();
    }
}
