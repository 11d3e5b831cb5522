package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The contract of every arena, for arenas that are watched for leaks.
@ParameterizedClass
@EnumSource(WatchedArenaContractTest.Kind.class)
@Tag("full")
class WatchedArenaContractTest implements ArenaContract {
    enum Kind {
        WRAPPED, RECLAIMED, MALLOC, FREE_LISTS, POOLED, POOLED_AND_SHARED
    }

    private final Kind kind;
    private final FoundLeaks found = new FoundLeaks();
    private final LeakDetection detection = LeakDetection.ALL.listener(found::add);
    private final SlabPool pool = SlabPool.builder().slabByteSize(4096).leakDetection(detection).build();

    WatchedArenaContractTest(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Arena open() {
        return switch (kind) {
            case WRAPPED -> LeakDetector.wrap(Arena.ofConfined(), detection);
            case RECLAIMED -> LeakDetector.wrap(Arena.ofShared(), detection.reclaimLeaked(true));
            case MALLOC -> MallocArena.builder().leakDetection(detection).build();
            case FREE_LISTS -> FreeListArena.builder().leakDetection(detection).build();
            case POOLED -> pool.openConfined();
            case POOLED_AND_SHARED -> pool.openShared();
        };
    }

    @Override
    public Capabilities capabilities() {
        return switch (kind) {
            case WRAPPED, POOLED -> Capabilities.ofConfined();
            case MALLOC, FREE_LISTS -> Capabilities.ofConfined().withoutZeroing();
            case RECLAIMED, POOLED_AND_SHARED -> Capabilities.ofShared();
        };
    }

    @AfterEach
    void nothingIsReported() {
        LeakDetector.check();
        assertThat(found.all()).isEmpty();
        pool.close();
    }
}
