package dev.arenakit.internal.pool;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.pool.stock.Stress;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Two threads open an arena of a pool whose only slab belongs to a thread that has ended.
@JCStressTest
@Outcome(id = {"1, 0, 1", "0, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "One of two has reclaimed the slab.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The slab was reclaimed twice, or lost.")
@State
public class DeadThreadStress {
    private final SlabPool pool = Stress.pool();
    private @Nullable SlabArena first;
    private @Nullable SlabArena second;

    public DeadThreadStress() {
        Thread owner = Thread.ofPlatform().start(() -> pool.openConfined().close());
        try {
            owner.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Actor
    public void one(III_Result r) {
        first = open();
        r.r1 = first == null ? 0 : 1;
    }

    @Actor
    public void other(III_Result r) {
        second = open();
        r.r2 = second == null ? 0 : 1;
    }

    @Arbiter
    public void close(III_Result r) {
        r.r3 = (int) pool.stats().openArenas();
        if (first != null) {
            first.close();
        }
        if (second != null) {
            second.close();
        }
        pool.close();
    }

    private @Nullable SlabArena open() {
        try {
            return pool.openShared();
        } catch (CapacityExceededException e) {
            return null;
        }
    }
}
