package dev.arenakit.internal.pool;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.internal.diagnostics.leak.LeakSampling;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.pool.memory.Slab;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Chooses the arenas of a pool that are watched for leaks. What is known of such an arena is in its slabs.
///
/// A sampled arena is closed on the slow path, as if it had several slabs, so that the fast path has no branch for it.
final class SlabLeakSampler {
    /// While a slab rests, the clock is read less often: it takes 25 ns.
    private static final int RESTING_OF = 8 * LeakSampling.SAMPLED_OF;

    private final LeakDetection detection;
    /// The name of the pool, or empty.
    private final String pool;

    SlabLeakSampler(LeakDetection detection, String pool) {
        this.detection = detection;
        this.pool = pool;
    }

    /// The number of opens of a new slab after which one is sampled. The rule of a new slab is the rule of all slabs:
    /// in a pool that grows because some arenas are never closed, the others get the new slabs.
    long first() {
        return samplesAll() ? 0 : distance(LeakSampling.SAMPLED_OF);
    }

    /// A random number of opens between two samples, which depends on no earlier open: a slab may be opened twice only.
    private static long distance(int mean) {
        return (long) (mean * ThreadLocalRandom.current().nextExponential());
    }

    boolean samplesAll() {
        return detection.level() == LeakDetection.Level.ALL;
    }

    /// Watches the arena that has acquired a slab as its first slab, unless the slab rests.
    ///
    /// @param confined whether the arena is confined to the current thread
    void open(Slab slab, boolean confined) {
        long begin = System.nanoTime();
        if (!samplesAll()) {
            boolean rests = begin - slab.sampledNanos < slab.restNanos;
            slab.nextSample = slab.opens + distance(rests ? RESTING_OF : LeakSampling.SAMPLED_OF);
            if (rests) {
                return;
            }
        }
        describe(slab, detection, pool, confined).register();
        slab.sampledNanos = System.nanoTime();
        slab.restNanos = LeakSampling.restNanos(slab.sampledNanos - begin);
    }

    /// Describes the arena that has acquired a slab as its first slab.
    ///
    /// @param detection how it is watched, or null if it is only known for messages and events
    /// @param pool      the name of the pool, or empty
    static LeakWatch describe(Slab slab, @Nullable LeakDetection detection, String pool, boolean confined) {
        LeakWatch open = new LeakWatch(detection,
                confined ? "confined arena of a SlabPool" : "shared arena of a SlabPool", pool, confined,
                slab.limit - slab.address);
        slab.open = open;
        // The arena is closed on the slow path.
        slab.shortEnd = 0;
        return open;
    }
}
