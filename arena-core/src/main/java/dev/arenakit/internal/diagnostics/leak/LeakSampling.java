package dev.arenakit.internal.diagnostics.leak;

import java.util.concurrent.ThreadLocalRandom;

/// How many arenas are watched for leaks, if not all are.
public final class LeakSampling {
    /// One arena of so many is sampled.
    public static final int SAMPLED_OF = 128;

    /// After a stack of a sampled arena, none is taken for a multiple of the time that it took: one in 128 would still
    /// double the time of a session that takes 9 ns.
    private static final long REST = 100;
    /// If the system has interrupted the thread meanwhile, that time says nothing.
    private static final long LONGEST_REST_NANOS = 1_000_000;

    private LeakSampling() {}

    /// Returns whether the next arena is sampled.
    public static boolean isSampled() {
        return ThreadLocalRandom.current().nextInt(SAMPLED_OF) == 0 && !LeakRegistry.isResting();
    }

    /// Returns for how long no arena is sampled after one that took so long.
    public static long restNanos(long nanos) {
        return Math.min(REST * nanos, LONGEST_REST_NANOS);
    }
}
