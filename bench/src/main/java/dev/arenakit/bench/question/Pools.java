package dev.arenakit.bench.question;

import dev.arenakit.SlabPool;
import dev.arenakit.Zeroing;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The pools that slab arenas are opened from, long-lived as in a program. A benchmark names the one that it wants, and
/// the others are never made in its JVM: what they load there could not be told from their absence in a profile.
public final class Pools {
    private Pools() {}

    /// What `SlabPool.create()` gives: unbounded, zeroed.
    @State(Scope.Benchmark)
    public static class Zeroed {
        final SlabPool pool = SlabPool.create();

        /// Gives the slabs back.
        @TearDown
        public void close() {
            pool.close();
        }
    }

    /// Unbounded, not zeroed.
    @State(Scope.Benchmark)
    public static class Unzeroed {
        final SlabPool pool = SlabPool.builder().zeroing(Zeroing.NONE).build();

        /// Gives the slabs back.
        @TearDown
        public void close() {
            pool.close();
        }
    }

    /// Bounded, at far more than is ever lent, and not zeroed.
    @State(Scope.Benchmark)
    public static class Bounded {
        private static final long MAX_BYTES = 64 << 20;

        final SlabPool pool = SlabPool.builder().maxBytes(MAX_BYTES).zeroing(Zeroing.NONE).build();

        /// Gives the slabs back.
        @TearDown
        public void close() {
            pool.close();
        }
    }
}
