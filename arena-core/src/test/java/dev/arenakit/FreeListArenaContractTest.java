package dev.arenakit;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

import static org.assertj.core.api.Assertions.assertThat;

/// The contract of every arena, for arenas of blocks over pages, a counting allocator, and a pool.
class FreeListArenaContractTest {
    @Nested
    class Confined implements ArenaContract {
        @Override
        public Arena open() {
            return FreeListArena.ofConfined();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withoutZeroing();
        }
    }

    @Nested
    class Shared implements ArenaContract {
        @Override
        public Arena open() {
            return FreeListArena.ofShared();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withoutZeroing();
        }
    }

    @Nested
    class Counted implements ArenaContract {
        private final CountingAllocator counting = new CountingAllocator();

        @Override
        public Arena open() {
            return FreeListArena.builder().allocator(counting.allocator()).build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withoutZeroing();
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(counting.bytes());
        }

        @AfterEach
        void everyBlockIsGivenBackOnce() {
            counting.assertNothingHeld();
        }
    }

    @Nested
    class CountedShared implements ArenaContract {
        private final CountingAllocator counting = new CountingAllocator();

        @Override
        public Arena open() {
            return FreeListArena.builder().shared().allocator(counting.allocator()).build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withoutZeroing();
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(counting.bytes());
        }

        @AfterEach
        void everyBlockIsGivenBackOnce() {
            counting.assertNothingHeld();
        }
    }

    @Nested
    class CheckedConfined implements ArenaContract {
        @Override
        public Arena open() {
            return FreeListArena.builder().checked().build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withoutZeroing().withScopePerAllocation();
        }
    }

    @Nested
    class CheckedShared implements ArenaContract {
        private final CountingAllocator counting = new CountingAllocator();

        @Override
        public Arena open() {
            return FreeListArena.builder().shared().checked().allocator(counting.allocator()).build();
        }

        /// Closing each block takes a handshake with every thread.
        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withoutZeroing().withScopePerAllocation().withAllocations(100);
        }

        @AfterEach
        void everyBlockIsGivenBackOnce() {
            counting.assertNothingHeld();
        }
    }

    @Nested
    class OfPool implements ArenaContract {
        private final SlabPool pool = SlabPool.builder().maxByteSize(4 * (64L << 20)).build();

        @Override
        public Arena open() {
            return FreeListArena.builder().pool(pool).build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withoutZeroing();
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(pool.stats().usedByteSize());
        }

        @AfterEach
        void poolCloses() {
            assertThat(pool.stats().openArenas()).isZero();
            assertThat(pool.stats().usedByteSize()).isZero();
            pool.close();
        }
    }
}
