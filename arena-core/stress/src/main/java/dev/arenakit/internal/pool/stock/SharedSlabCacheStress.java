package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.pool.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Two threads acquire the only idle slab of a slot, and release it. The second thread must see the writes of the
/// first.
@JCStressTest
@Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "One of two has acquired the slab.")
@Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "One after the other.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Acquired twice, or lost, or an old value read.")
@State
public class SharedSlabCacheStress {
    private final SharedSlabCache cache = new SharedSlabCache(SharedSlabCache.NO_LIMIT);

    public SharedSlabCacheStress() {
        Slab slab = Stress.slab();
        cache.assignSlot(slab);
        cache.restore(slab);
    }

    @Actor
    public void one(II_Result r) {
        r.r1 = Stress.acquireAndRelease(cache);
    }

    @Actor
    public void other(II_Result r) {
        r.r2 = Stress.acquireAndRelease(cache);
    }
}
