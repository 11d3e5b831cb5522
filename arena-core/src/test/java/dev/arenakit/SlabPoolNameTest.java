package dev.arenakit;

import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.diagnostics.Leak;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.LeakDetector;
import dev.arenakit.diagnostics.MemoryBudget;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/// The names of pools and arenas, wherever a user reads about them.
class SlabPoolNameTest {
    private static final long SLAB = 4096;

    private static SlabPool.Builder builder() {
        return SlabPool.builder().name("requests").slabByteSize(SLAB);
    }

    @Test
    void stats_ofANamedPool_haveTheName() {
        try (SlabPool named = builder().build(); SlabPool unnamed = SlabPool.create()) {
            assertThat(named.stats().name()).isEqualTo("requests");
            assertThat(named).asString().startsWith("SlabPool requests: 0 open arenas, ");
            assertThat(unnamed.stats().name()).isEmpty();
            assertThat(unnamed).asString().startsWith("SlabPool: 0 open arenas, ");
        }
    }

    @Test
    void name_thatIsNull_isRefused() {
        assertThatNullPointerException().isThrownBy(() -> SlabPool.builder().name(nothing())).withMessage("name");
        assertThatNullPointerException().isThrownBy(() -> MallocArena.builder().name(nothing())).withMessage("name");
        assertThatNullPointerException().isThrownBy(() -> FreeListArena.builder().name(nothing())).withMessage("name");
    }

    @SuppressWarnings("NullAway")
    private static String nothing() {
        return null;
    }

    @Test
    void allocate_inAFullNamedPool_throwsWithTheName() {
        try (SlabPool pool = builder().maxByteSize(SLAB).build(); SlabArena _ = pool.openConfined()) {
            assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(pool::openConfined)
                    .withMessageStartingWith("Pool is full: pool=requests, limit=4096, used=4096, requested=4096, ");
            assertThatThrownBy(pool::close)
                    .hasMessageStartingWith("Pool has open arenas: pool=requests, openArenas=1");
            pool.shutdown();
            assertThatThrownBy(pool::openConfined).hasMessage("Pool is shut down: pool=requests");
        }
    }

    @Test
    void openConfined_ofAClosedNamedPool_throwsWithTheName() {
        SlabPool pool = builder().build();
        pool.close();
        assertThatThrownBy(pool::openConfined).hasMessage("Pool is closed: pool=requests");
    }

    @Test
    void allocate_beyondTheBudget_throwsWithTheNameOfThePoolOrArena() {
        MemoryBudget budget = MemoryBudget.root("small", 2 * SLAB);
        try (SlabPool pool = builder().budget(budget).build();
                SlabArena arena = pool.openConfined();
                MallocArena blocks = MallocArena.builder().name("codec").budget(budget).build()) {
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> arena.allocate(4 * SLAB, 8))
                    .withMessageContaining(", pool=requests, openArenas=1;");
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> blocks.allocate(4 * SLAB, 8))
                    .withMessageContaining(", arena=codec;");
            assertThatExceptionOfType(BudgetExceededException.class)
                    .isThrownBy(() -> FreeListArena.builder().name("cache").budget(budget).build())
                    .withMessageContaining(", arena=cache;");
        }
        budget.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stats_ofNamedArenas_haveTheName(boolean checked) {
        MallocArena.Builder malloc = MallocArena.builder().name("codec");
        FreeListArena.Builder freeLists = FreeListArena.builder().name("cache").shared();
        try (MallocArena codec = (checked ? malloc.checked() : malloc).build();
                MallocArena shared = malloc.shared().build();
                FreeListArena cache = (checked ? freeLists.checked() : freeLists).build();
                MallocArena unnamed = MallocArena.ofConfined()) {
            codec.allocate(100, 8);
            assertThat(codec.stats()).extracting(MallocArenaStatistics::name).isEqualTo("codec");
            assertThat(codec).asString().startsWith("MallocArena codec: 1 live blocks, ");
            assertThat(shared.stats().name()).isEqualTo("codec");
            assertThat(cache.stats().name()).isEqualTo("cache");
            assertThat(unnamed.stats().name()).isEmpty();
        }
    }

    @Test
    void allocate_withoutNativeMemory_throwsWithTheNameOfTheArena() {
        NativeAllocator none = NativeAllocator.failing(NativeAllocator.libc(), size -> size > SLAB);
        try (MallocArena codec = MallocArena.builder().name("codec").allocator(none).build()) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> codec.allocate(2 * SLAB, 8))
                    .withMessageEndingWith(", tried=malloc, arena=codec");
        }
    }

    @Test
    void leaks_ofPoolsAndArenas_haveTheirNames() {
        LeakDetection all = LeakDetection.ALL;
        SlabPool pool = builder().leakDetection(all).build();
        SlabArena confined = pool.openConfined();
        SlabArena detached = pool.openConfined();
        List<Arena> arenas = List.of(confined, pool.openShared(), detached,
                MallocArena.builder().name("codec").leakDetection(all).build(),
                FreeListArena.builder().name("cache").pool(pool).leakDetection(all).build());
        try (SlabParcel _ = detached.detach()) {
            assertThat(LeakDetector.open()).filteredOn(leak -> !leak.name().isEmpty())
                    .extracting(Leak::arena, Leak::name)
                    .contains(tuple("confined arena of a SlabPool", "requests"),
                            tuple("shared arena of a SlabPool", "requests"),
                            tuple("parcel of a SlabPool", "requests"),
                            tuple("MallocArena", "codec"),
                            tuple("FreeListArena", "cache"));
            assertThat(LeakDetector.open()).filteredOn(leak -> leak.name().equals("codec"))
                    .singleElement()
                    .asString()
                    .contains(": arena=MallocArena, name=codec, number=");
        } finally {
            arenas.forEach(Arena::close);
            pool.close();
        }
    }
}
