package dev.arenakit;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The contract of every arena, for arenas of blocks over pages and of a pool. Takes some seconds: hundreds of tests,
/// and a tenth of a second for each test of threads. [FreeListArenaFormsContractTest] has the other forms.
@ParameterizedClass
@EnumSource(value = FreeListArenaContractTest.Kind.class, names = FreeListArenaContractTest.TELLING,
        mode = EnumSource.Mode.MATCH_ANY)
class FreeListArenaContractTest implements ArenaContract {
    static final String TELLING = "CONFINED|SHARED|CHECKED|OF_POOL";

    enum Kind {
        CONFINED, SHARED, COUNTED_SHARED, CHECKED, CHECKED_SHARED, OF_POOL, //
        /// Without `aligned_alloc`.
        UNALIGNED_SHARED
    }

    private final Kind kind;
    private final CountingAllocator counting;
    private final SlabPool pool = SlabPool.builder().maxByteSize(4 * (64L << 20)).build();

    FreeListArenaContractTest(Kind kind) {
        this.kind = kind;
        counting = kind == Kind.UNALIGNED_SHARED ? CountingAllocator.withoutAlignedAlloc() : new CountingAllocator();
    }

    @Override
    public Arena open() {
        FreeListArena.Builder builder = FreeListArena.builder();
        return (switch (kind) {
            case CONFINED -> builder;
            case SHARED -> builder.shared();
            case COUNTED_SHARED, UNALIGNED_SHARED -> builder.shared().allocator(counting.allocator());
            case CHECKED -> builder.checked();
            case CHECKED_SHARED -> builder.shared().checked().allocator(counting.allocator());
            case OF_POOL -> builder.pool(pool);
        }).build();
    }

    @Override
    public Capabilities capabilities() {
        Capabilities all = (kind.name().endsWith("SHARED") ? Capabilities.ofShared() : Capabilities.ofConfined())
                .withoutZeroing();
        return switch (kind) {
            case CHECKED -> all.withScopePerAllocation();
            // Closing each block takes a handshake with every thread.
            case CHECKED_SHARED -> all.withScopePerAllocation().withAllocations(100);
            default -> all;
        };
    }

    @Override
    public OptionalLong held() {
        return switch (kind) {
            case COUNTED_SHARED, UNALIGNED_SHARED -> OptionalLong.of(counting.bytes());
            case OF_POOL -> OptionalLong.of(pool.stats().usedByteSize());
            default -> OptionalLong.empty();
        };
    }

    @AfterEach
    void everythingIsGivenBack() {
        counting.assertNothingHeld();
        assertThat(pool.stats().openArenas()).isZero();
        assertThat(pool.stats().usedByteSize()).isZero();
        pool.close();
    }
}
