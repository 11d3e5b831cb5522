package dev.arenakit.internal.pool.stock;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.SlabPoolStatistics;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A thread opens arenas in its own slab and closes them without a lock, while another thread shuts the pool down.
@JCStressTest
@Outcome(id = {"0, 0", "1, 0", "2, 0"}, expect = Expect.ACCEPTABLE, desc = "The last release has freed everything.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A release was not noticed.")
@State
public class SlabShutdownStress {
    private final SlabPool pool = Stress.pool();

    @Actor
    public void owner(II_Result r) {
        try {
            while (r.r1 < 2) {
                try (SlabArena arena = pool.openConfined()) {
                    arena.allocate(8);
                    r.r1++;
                }
            }
        } catch (IllegalStateException e) {
            // The pool has been shut down.
            return;
        }
    }

    @Actor
    public void shutdown() {
        pool.shutdown();
    }

    @Arbiter
    public void end(II_Result r) {
        SlabPoolStatistics stats = pool.stats();
        r.r2 = (int) (stats.usedByteSize() + stats.idleByteSize());
    }
}
