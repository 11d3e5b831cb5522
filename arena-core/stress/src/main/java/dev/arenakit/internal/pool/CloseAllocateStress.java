package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.pool.stock.Stress;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A thread allocates from a shared arena and writes, while another one closes it. A write after the memory was zeroed
/// would reach the next arena.
@JCStressTest
@Outcome(id = {"0, 0", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "Written before the close, or refused.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Written after the memory was released.")
@State
public class CloseAllocateStress {
    private final SlabPool pool = Stress.pool();
    private final SlabArena arena = pool.openShared();

    @Actor
    public void allocate(II_Result r) {
        try {
            arena.allocate(8, 8).set(ValueLayout.JAVA_LONG, 0, 7);
            r.r1 = 1;
        } catch (IllegalStateException e) {
            r.r1 = 0;
        }
    }

    @Actor
    public void close() {
        arena.close();
    }

    @Arbiter
    public void readNext(II_Result r) {
        try (SlabArena next = pool.openShared()) {
            r.r2 = (int) next.allocate(8, 8).get(ValueLayout.JAVA_LONG, 0);
        }
        pool.close();
    }
}
