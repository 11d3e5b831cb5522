package dev.arenakit;

import dev.arenakit.diagnostics.ArenaRecorder;
import dev.arenakit.internal.pool.BumpSlabArena;
import dev.arenakit.internal.pool.RecordedSlabArena;
import dev.arenakit.internal.pool.SlabCache;

/// The kinds of pools that do more than a plain [SlabPool] when they open an arena.
final class SlabPools {
    private SlabPools() {}

    /// A pool that watches some of its arenas for leaks.
    ///
    /// As long as no such pool exists, this class is not loaded, and C2 knows that [#openConfined()] has one
    /// implementation. A field that tells the pools apart would cost all of them a tenth of an empty session.
    static final class Sampled extends SlabPool {
        Sampled(SlabCache cache) {
            super(cache);
        }

        @Override
        public SlabArena openConfined() {
            return BumpSlabArena.sampled(super.cache, super.threadSlabs);
        }
    }

    /// A pool that watches all of its arenas for leaks.
    static final class Watched extends SlabPool {
        Watched(SlabCache cache) {
            super(cache);
        }

        @Override
        public SlabArena openConfined() {
            return BumpSlabArena.watched(super.cache, super.threadSlabs);
        }
    }

    /// A pool that waits if it is full, and in which no thread owns a slab. It watches arenas for leaks or not.
    static final class Waiting extends SlabPool {
        Waiting(SlabCache cache) {
            super(cache);
        }

        @Override
        public SlabArena openConfined() {
            return BumpSlabArena.unowned(super.cache);
        }
    }

    /// A pool whose arenas are recorded, as another pool over the same memory opens them.
    static final class Recorded extends SlabPool {
        private final SlabPool pool;
        private final ArenaRecorder recorder;

        Recorded(SlabPool pool, ArenaRecorder recorder) {
            super(pool.cache);
            this.pool = pool;
            this.recorder = recorder;
        }

        @Override
        public SlabArena openConfined() {
            return RecordedSlabArena.of(pool.openConfined(), recorder, false);
        }

        @Override
        public SlabArena openShared() {
            return RecordedSlabArena.of(pool.openShared(), recorder, true);
        }
    }
}
