package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.pool.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// An owner acquires its slab without an atomic operation, while `trim` takes it away behind a handshake.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The owner has the slab.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The slab was taken.")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The owner has marked it too late, and asks the lock.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both have the slab.")
@State
public class ThreadSlabCacheStress {
    private final ThreadSlabCache slabs = new ThreadSlabCache(1);
    private final Slab slab = Stress.slab();

    @Actor
    public void owner(II_Result r) {
        synchronized (slabs) {
            slab.state(Slab.PRIMARY);
            slabs.add(slab);
            slab.state(Slab.IDLE);
        }
        r.r1 = slabs.acquire() != null ? 1 : 0;
    }

    @Actor
    public void trim(II_Result r) {
        synchronized (slabs) {
            slabs.suspend();
            if (slab.ownerId != 0 && slab.state() == Slab.IDLE) {
                slab.state(Slab.FREED);
                r.r2 = 1;
            }
            slabs.resume();
        }
    }
}
