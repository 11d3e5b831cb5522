package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

import static org.assertj.core.api.Assertions.assertThatCode;

/// The contract of every arena, for arenas that are counted on a budget. Each budget can be closed afterwards, so that
/// nothing stays reserved.
class MemoryBudgetContractTest {

    /// Arenas that are counted on a budget below another one.
    abstract static class Budgeted implements ArenaContract {
        final MemoryBudget root = MemoryBudget.root("suite", 1L << 30);
        final MemoryBudget budget = root.child("arena", 1L << 30);
        private final Capabilities capabilities;

        Budgeted(Capabilities capabilities) {
            this.capabilities = capabilities;
        }

        @Override
        public Capabilities capabilities() {
            return capabilities;
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(root.stats().reservedByteSize());
        }

        @AfterEach
        void nothingStaysReserved() {
            assertThatCode(() -> {
                budget.close();
                root.close();
            }).doesNotThrowAnyException();
        }
    }

    @Nested
    class Confined extends Budgeted {
        Confined() {
            super(Capabilities.ofConfined());
        }

        @Override
        public Arena open() {
            return budget.wrap(Arena.ofConfined());
        }
    }

    @Nested
    class Shared extends Budgeted {
        Shared() {
            super(Capabilities.ofShared());
        }

        @Override
        public Arena open() {
            return budget.wrap(Arena.ofShared());
        }
    }

    @Nested
    class WrappedTwice extends Budgeted {
        WrappedTwice() {
            super(Capabilities.ofConfined().withoutZeroing());
        }

        @Override
        public Arena open() {
            return budget.wrap(budget.wrap(MallocArena.ofConfined()));
        }
    }

    @Nested
    class WrappedChecked extends Budgeted {
        WrappedChecked() {
            super(Capabilities.ofConfined().withoutZeroing().withScopePerAllocation());
        }

        @Override
        public Arena open() {
            return budget.wrap(MallocArena.builder().checked().build());
        }
    }

    @Nested
    class OfMalloc extends Budgeted {
        OfMalloc() {
            super(Capabilities.ofConfined().withoutZeroing());
        }

        @Override
        public Arena open() {
            return MallocArena.builder().budget(budget).build();
        }
    }

    @Nested
    class OfFreeLists extends Budgeted {
        OfFreeLists() {
            super(Capabilities.ofConfined().withoutZeroing());
        }

        @Override
        public Arena open() {
            return FreeListArena.builder().budget(budget).build();
        }
    }

    @Nested
    class OfSharedFreeListsOfAPool extends Budgeted {
        private final SlabPool pool = SlabPool.create();

        OfSharedFreeListsOfAPool() {
            super(Capabilities.ofShared().withoutZeroing());
        }

        @Override
        public Arena open() {
            return FreeListArena.builder().pool(pool).budget(budget).shared().build();
        }

        @AfterEach
        void poolCloses() {
            pool.close();
        }
    }

    @Nested
    class OfPool extends Budgeted {
        private final SlabPool pool = SlabPool.builder().budget(budget).maxIdleByteSize(0).build();

        OfPool() {
            super(Capabilities.ofConfined());
        }

        @Override
        public Arena open() {
            return pool.openConfined();
        }

        @AfterEach
        @Override
        void nothingStaysReserved() {
            pool.close();
            super.nothingStaysReserved();
        }
    }
}
