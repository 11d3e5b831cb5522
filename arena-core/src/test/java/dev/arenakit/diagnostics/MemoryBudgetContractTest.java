package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThatCode;

/// The contract of every arena, for arenas that are counted on a budget. Each budget can be closed afterwards, so that
/// nothing stays reserved.
@ParameterizedClass
@EnumSource(MemoryBudgetContractTest.Kind.class)
@Tag("full")
class MemoryBudgetContractTest implements ArenaContract {
    enum Kind {
        CONFINED, SHARED, WRAPPED_TWICE, WRAPPED_CHECKED, MALLOC, FREE_LISTS, SHARED_FREE_LISTS_OF_A_POOL, POOL
    }

    private final Kind kind;
    private final MemoryBudget root = MemoryBudget.root("suite", 1L << 30);
    private final MemoryBudget budget = root.child("arena", 1L << 30);
    private final SlabPool counted = SlabPool.builder().budget(budget).maxIdleByteSize(0).build();
    private final SlabPool uncounted = SlabPool.create();

    MemoryBudgetContractTest(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Arena open() {
        return switch (kind) {
            case CONFINED -> budget.wrap(Arena.ofConfined());
            case SHARED -> budget.wrap(Arena.ofShared());
            case WRAPPED_TWICE -> budget.wrap(budget.wrap(MallocArena.ofConfined()));
            case WRAPPED_CHECKED -> budget.wrap(MallocArena.builder().checked().build());
            case MALLOC -> MallocArena.builder().budget(budget).build();
            case FREE_LISTS -> FreeListArena.builder().budget(budget).build();
            case SHARED_FREE_LISTS_OF_A_POOL -> FreeListArena.builder().pool(uncounted).budget(budget).shared().build();
            case POOL -> counted.openConfined();
        };
    }

    @Override
    public Capabilities capabilities() {
        return switch (kind) {
            case CONFINED, POOL -> Capabilities.ofConfined();
            case SHARED -> Capabilities.ofShared();
            case WRAPPED_TWICE, MALLOC, FREE_LISTS -> Capabilities.ofConfined().withoutZeroing();
            case WRAPPED_CHECKED -> Capabilities.ofConfined().withoutZeroing().withScopePerAllocation();
            case SHARED_FREE_LISTS_OF_A_POOL -> Capabilities.ofShared().withoutZeroing();
        };
    }

    @Override
    public OptionalLong held() {
        return OptionalLong.of(root.stats().reservedByteSize());
    }

    @AfterEach
    void nothingStaysReserved() {
        assertThatCode(() -> {
            uncounted.close();
            counted.close();
            budget.close();
            root.close();
        }).doesNotThrowAnyException();
    }
}
