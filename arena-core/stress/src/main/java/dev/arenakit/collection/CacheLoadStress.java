package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.concurrent.ConcurrentLruMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// A thread loads a key, while another one removes the key and then loads it. The loads return the numbers of their
/// calls.
@JCStressTest
@Outcome(id = "1, 1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Removed before the first load: one load for both.")
@Outcome(id = {"1, 2, 2, 2", "2, 1, 1, 2"}, expect = Expect.ACCEPTABLE,
        desc = "Removed during or after the first load.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two loads without a removal, or the value of a load before the removal.")
@State
public class CacheLoadStress {
    private static final ConcurrentLruMap CACHE = ConcurrentLruMap.builder(1 << 16)
            .shards(1)
            .owning(MallocArena::ofShared);
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final int key = KEYS.incrementAndGet();
    private final AtomicInteger loads = new AtomicInteger();

    private int load() {
        return CACHE.getOrLoad(key, () -> new byte[]{(byte) loads.incrementAndGet()})[0];
    }

    @Actor
    public void first(IIII_Result r) {
        r.r1 = load();
    }

    @Actor
    public void second(IIII_Result r) {
        CACHE.remove(key);
        r.r2 = load();
    }

    @Arbiter
    public void end(IIII_Result r) {
        r.r3 = CACHE.get(key, new byte[1])[0];
        r.r4 = loads.get();
        CACHE.remove(key);
    }
}
