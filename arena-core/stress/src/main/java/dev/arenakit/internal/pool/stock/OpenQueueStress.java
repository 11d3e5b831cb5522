package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.pool.SlabCache;
import dev.arenakit.internal.pool.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A thread waits for the only slab of a pool. The other thread gives up waiting at the same time, and then releases
/// the slab.
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The patient thread had the slab.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A wake-up or the slab is lost.")
@State
public class OpenQueueStress {
    private static final long SLAB = 1024;
    private static final long TIMEOUT_NANOS = 5_000_000_000L;

    private final SlabCache cache = new SlabCache("", AllocatorFunctions.libc(), SLAB, SLAB, Long.MAX_VALUE, false,
            TIMEOUT_NANOS, null, null, 0, 0);
    private final Slab slab = cache.acquireSharedPrimary();

    @Actor
    public void patient(III_Result r) {
        r.r1 = openAndClose();
    }

    @Actor
    public void impatient(III_Result r) {
        // It joins the queue if the pool is full, tries once, and leaves.
        Thread.currentThread().interrupt();
        r.r2 = openAndClose();
        Thread.interrupted();
        cache.release(slab);
    }

    @Arbiter
    public void end(III_Result r) {
        r.r3 = openAndClose();
        cache.store.end.close();
    }

    private int openAndClose() {
        try {
            cache.release(cache.acquireSharedPrimary());
            return 1;
        } catch (RuntimeException e) {
            return 0;
        }
    }
}
