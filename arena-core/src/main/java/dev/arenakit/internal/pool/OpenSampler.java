package dev.arenakit.internal.pool;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.internal.diagnostics.OpenArena;
import java.util.concurrent.ThreadLocalRandom;

/// Chooses the arenas of a pool that are watched for leaks. What is known of such an arena is in its slabs.
///
/// A sampled arena is closed on the slow path, as if it had several slabs, so that the fast path has no branch for it.
final class OpenSampler {
    /// While a slab rests, the clock is read less often: it takes 25 ns.
    private static final int RESTING_OF = 8 * OpenArena.SAMPLED_OF;

    private final LeakDetection detection;
    private final long slabByteSize;

    OpenSampler(LeakDetection detection, long slabByteSize) {
        this.detection = detection;
        this.slabByteSize = slabByteSize;
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
            // Not every 128th: a program that opens two arenas in turn would never have the other one sampled.
            slab.nextSample = slab.opens
                    + ThreadLocalRandom.current().nextInt(2 * (rests ? RESTING_OF : OpenArena.SAMPLED_OF));
            if (rests) {
                return;
            }
        }
        OpenArena open = new OpenArena(detection,
                confined ? "confined arena of a SlabPool" : "shared arena of a SlabPool",
                confined, slabByteSize);
        slab.open = open;
        // The arena is closed on the slow path.
        slab.shortEnd = 0;
        open.register();
        slab.sampledNanos = System.nanoTime();
        slab.restNanos = OpenArena.restNanos(slab.sampledNanos - begin);
    }
}
