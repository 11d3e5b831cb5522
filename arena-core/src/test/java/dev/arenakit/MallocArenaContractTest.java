package dev.arenakit;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/// The contract of every arena, over libc and over a counting allocator.
class MallocArenaContractTest {

    @Nested
    class OfConfined implements ArenaContract {
        @Override
        public Arena open() {
            return MallocArena.ofConfined();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withoutZeroing();
        }
    }

    @Nested
    class OfShared implements ArenaContract {
        @Override
        public Arena open() {
            return MallocArena.ofShared();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withoutZeroing();
        }
    }

    /// Arenas whose blocks are counted.
    abstract static class Counted implements ArenaContract {
        private final CountingAllocator counting = new CountingAllocator();
        private final MallocKind kind;

        Counted(MallocKind kind) {
            this.kind = kind;
        }

        @Override
        public Arena open() {
            return kind.open(counting.allocator());
        }

        @Override
        public Capabilities capabilities() {
            Capabilities claimed = kind.shared ? Capabilities.ofShared() : Capabilities.ofConfined();
            return kind.checked ? claimed.withoutZeroing().withScopePerAllocation() : claimed.withoutZeroing();
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
    class CountedConfined extends Counted {
        CountedConfined() {
            super(MallocKind.CONFINED);
        }
    }

    @Nested
    class CountedShared extends Counted {
        CountedShared() {
            super(MallocKind.SHARED);
        }
    }

    @Nested
    class CheckedConfined extends Counted {
        CheckedConfined() {
            super(MallocKind.CHECKED);
        }
    }

    @Nested
    class CheckedShared extends Counted {
        CheckedShared() {
            super(MallocKind.CHECKED_SHARED);
        }

        /// Closing each block takes a handshake with every thread.
        @Override
        public Capabilities capabilities() {
            return super.capabilities().withAllocations(100);
        }
    }
}
