package dev.arenakit;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The contract of every arena, over libc and over a counting allocator. Takes some seconds: hundreds of tests, and
/// a tenth of a second for each test of threads. [MallocArenaFormsContractTest] has the other forms.
@ParameterizedClass
@EnumSource(value = MallocArenaContractTest.Kind.class, names = MallocArenaContractTest.TELLING,
        mode = EnumSource.Mode.MATCH_ANY)
class MallocArenaContractTest implements ArenaContract {
    static final String TELLING = "CONFINED|SHARED|CHECKED";

    /// The blocks of all but the first are counted. The last has an allocator without `aligned_alloc`.
    enum Kind {
        OF_SHARED, CONFINED, SHARED, CHECKED, CHECKED_SHARED, UNALIGNED_SHARED
    }

    private final Kind kind;
    private final CountingAllocator counting;

    MallocArenaContractTest(Kind kind) {
        this.kind = kind;
        counting = kind == Kind.UNALIGNED_SHARED ? CountingAllocator.withoutAlignedAlloc() : new CountingAllocator();
    }

    @Override
    public Arena open() {
        return switch (kind) {
            case OF_SHARED -> MallocArena.ofShared();
            case UNALIGNED_SHARED -> MallocKind.SHARED.open(counting.allocator());
            default -> MallocKind.valueOf(kind.name()).open(counting.allocator());
        };
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
        return kind.name().startsWith("OF") ? OptionalLong.empty() : OptionalLong.of(counting.bytes());
    }

    @AfterEach
    void everyBlockIsGivenBackOnce() {
        counting.assertNothingHeld();
    }
}
