package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

import static org.assertj.core.api.Assertions.assertThat;

/// The contract of every arena, for arenas that are watched for leaks.
class WatchedArenaContractTest {
    abstract static class Watched implements ArenaContract {
        private final FoundLeaks found = new FoundLeaks();
        final LeakDetection detection = LeakDetection.ALL.listener(found::add);
        private final Capabilities capabilities;

        Watched(Capabilities capabilities) {
            this.capabilities = capabilities;
        }

        @Override
        public Capabilities capabilities() {
            return capabilities;
        }

        @AfterEach
        void nothingIsReported() {
            LeakDetector.check();
            assertThat(found.all()).isEmpty();
        }
    }

    @Nested
    class WrappedConfined extends Watched {
        WrappedConfined() {
            super(Capabilities.ofConfined());
        }

        @Override
        public Arena open() {
            return LeakDetector.wrap(Arena.ofConfined(), detection);
        }
    }

    @Nested
    class Reclaimed extends Watched {
        Reclaimed() {
            super(Capabilities.ofShared());
        }

        @Override
        public Arena open() {
            return LeakDetector.wrap(Arena.ofShared(), detection.reclaimLeaked(true));
        }
    }

    @Nested
    class Malloc extends Watched {
        Malloc() {
            super(Capabilities.ofConfined().withoutZeroing());
        }

        @Override
        public Arena open() {
            return MallocArena.builder().leakDetection(detection).build();
        }
    }

    @Nested
    class FreeLists extends Watched {
        FreeLists() {
            super(Capabilities.ofConfined().withoutZeroing());
        }

        @Override
        public Arena open() {
            return FreeListArena.builder().leakDetection(detection).build();
        }
    }

    @Nested
    class Pooled extends Watched {
        private final SlabPool pool = SlabPool.builder().slabByteSize(4096).leakDetection(detection).build();

        Pooled() {
            super(Capabilities.ofConfined());
        }

        @Override
        public Arena open() {
            return pool.openConfined();
        }

        @AfterEach
        void poolCloses() {
            pool.close();
        }
    }

    @Nested
    class PooledAndShared extends Watched {
        private final SlabPool pool = SlabPool.builder().slabByteSize(4096).leakDetection(detection).build();

        PooledAndShared() {
            super(Capabilities.ofShared());
        }

        @Override
        public Arena open() {
            return pool.openShared();
        }

        @AfterEach
        void poolCloses() {
            pool.close();
        }
    }
}
