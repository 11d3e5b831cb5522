package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Leak detection of pools, of [MallocArena] and of [FreeListArena], which watch their arenas from the inside.
class PoolLeakTest {
    private static final long SLAB = 4096;

    private final FoundLeaks found = new FoundLeaks();
    private final LeakDetection sampled = LeakDetection.SAMPLED.listener(found::add);
    private final LeakDetection all = LeakDetection.ALL.listener(found::add);

    private static SlabPool pool(LeakDetection detection) {
        return SlabPool.builder().slabByteSize(SLAB).leakDetection(detection).build();
    }

    @Test
    void sampled_leftOpenByAThread_isReportedOnceWithItsStack() {
        SlabPool pool = pool(sampled);
        assertThat(Threads.thrownBy(() -> watched(pool).allocate(8))).isNull();
        found.await(1);
        LeakDetector.check();
        assertThat(found.all()).singleElement().satisfies(leak -> {
            assertThat(leak.reason()).isEqualTo(Leak.Reason.THREAD_ENDED);
            assertThat(leak.arena()).isEqualTo("confined arena of a SlabPool");
            assertThat(leak.byteSize()).isEqualTo(SLAB);
            assertThat(leak.stack().getFirst().getClassName()).startsWith(PoolLeakTest.class.getName());
        });
    }

    /// By a lambda, which is a frame of this class.
    private static SlabArena watched(SlabPool pool) {
        return FoundLeaks.watched(() -> pool.openConfined());
    }

    /// The arenas that are closed get the new slabs.
    @Test
    void sampled_leaksBetweenOtherArenas_areSampledLikeThem() {
        SlabPool pool = pool(sampled);
        long before = LeakDetector.open().size();
        for (int i = 0; i < 2_000; i++) {
            assertThat(pool.openConfined().scope().isAlive()).isTrue();
            pool.openConfined().close();
        }
        // Fifteen are expected.
        assertThat(LeakDetector.open().size() - before).isBetween(1L, 100L);
    }

    @Test
    @Tag("full")
    void close_ofAPoolWithThousandsOfArenas_namesAFewPlaces() {
        SlabPool pool = pool(all);
        List<SlabArena> arenas = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            arenas.add(pool.openConfined());
        }
        arenas.add(pool.openShared());
        String name = Thread.currentThread().getName() + "#" + Thread.currentThread().threadId();
        assertThatIllegalStateException().isThrownBy(pool::close)
                .withMessageContaining("openArenas=3001, watched=[" + name + " at ")
                .withMessageContaining(".java:")
                .withMessageContaining(") (3000 arenas), " + name + " at ")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
        arenas.forEach(Arena::close);
        pool.close();
    }

    @Test
    void sampled_leftOpenByAVirtualThread_isReported() {
        SlabPool pool = pool(sampled);
        Threads.inVirtualThread(() -> watched(pool).allocate(8));
        assertThat(found.await(1)).singleElement().extracting(Leak::reason).isEqualTo(Leak.Reason.THREAD_ENDED);
    }

    @Test
    void sampled_openWhenThePoolIsClosed_isNamedAndReportedOnce() {
        SlabPool pool = pool(sampled);
        try (Arena _ = watched(pool); Arena _ = FoundLeaks.watched(() -> pool.openShared())) {
            String name = Thread.currentThread().getName() + "#" + Thread.currentThread().threadId();
            assertThatIllegalStateException().isThrownBy(pool::close)
                    .withMessageContaining("openArenas=2, watched=[" + name + " at ")
                    .withMessageContaining("PoolLeakTest.java")
                    .withMessageEndingWith("; close them before the pool");
            assertThatIllegalStateException().isThrownBy(pool::close);
            assertThat(found.all()).hasSize(2)
                    .allSatisfy(leak -> assertThat(leak.reason()).isEqualTo(Leak.Reason.POOL_CLOSE));
        }
        pool.close();
    }

    @Test
    void poolWithoutDetection_openWhenItIsClosed_saysHowToFindTheArena() {
        SlabPool pool = SlabPool.create();
        try (Arena _ = pool.openConfined()) {
            assertThatIllegalStateException().isThrownBy(pool::close)
                    .withMessage(
                            "Pool has open arenas: openArenas=1; close them before the pool (start with "
                                    + "-Ddev.arenakit.leakDetection=ALL to see where they were opened)");
        }
        pool.close();
    }

    @Test
    void sampled_sessionsOfOneThread_areSampledNowAndThen() {
        int sessions = 5_000;
        try (SlabPool pool = pool(sampled.longestOpen(Duration.ZERO))) {
            for (int i = 0; i < sessions; i++) {
                try (Arena _ = pool.openConfined()) {
                    LeakDetector.check();
                }
            }
        }
        // One of 128 is sampled, and fewer while the slab rests.
        assertThat(found.all()).hasSizeBetween(1, sessions / 32);
    }

    @Test
    void open_ofASampledArena_countsSlabsAndLargeBlocks() {
        try (SlabPool pool = pool(sampled); SlabArena arena = watched(pool)) {
            assertThat(newest().byteSize()).isEqualTo(SLAB);
            fill(arena);
            assertThat(newest().byteSize()).isEqualTo(2 * SLAB);
            long large;
            try (Arena frame = arena.pushFrame()) {
                fill(frame);
                frame.allocate(100_000);
                large = newest().byteSize();
                assertThat(large).isGreaterThanOrEqualTo(3 * SLAB + 100_000);
            }
            assertThat(newest().byteSize()).isEqualTo(2 * SLAB);
        }
    }

    private static void fill(Arena arena) {
        for (int i = 0; i < 4; i++) {
            arena.allocate(1024);
        }
        arena.allocate(512);
    }

    /// The watched arena of this thread that was opened last.
    private static Leak newest() {
        return LeakDetector.open()
                .stream()
                .filter(leak -> leak.threadId() == Thread.currentThread().threadId())
                .max(Comparator.comparingLong(Leak::number))
                .orElseThrow();
    }

    @Test
    void all_droppedWithoutClose_areReportedOnce() {
        SlabPool pool = pool(all);
        drop(pool::openConfined);
        drop(pool::openShared);
        drop(() -> pool.openConfined().pushFrame());
        drop(() -> MallocArena.builder().leakDetection(all).build());
        drop(() -> MallocArena.builder().leakDetection(all).shared().build());
        drop(() -> MallocArena.builder().leakDetection(all).checked().build());
        drop(() -> FreeListArena.builder().leakDetection(all).build());
        drop(() -> FreeListArena.builder().leakDetection(all).shared().build());
        drop(() -> FreeListArena.builder().leakDetection(all).checked().build());
        assertThat(found.await(9)).extracting(Leak::arena)
                .containsExactlyInAnyOrder("confined arena of a SlabPool", "shared arena of a SlabPool",
                        "confined arena of a SlabPool", "MallocArena", "MallocArena", "MallocArena",
                        "FreeListArena", "FreeListArena", "FreeListArena");
        assertThat(found.settle()).hasSize(9)
                .allSatisfy(leak -> assertThat(leak.reason()).isEqualTo(Leak.Reason.UNREACHABLE));
    }

    /// A method of its own, so that nothing refers to the arena afterwards.
    private static void drop(Supplier<Arena> arenas) {
        arenas.get().allocate(8);
    }

    @Test
    void all_closed_areNotReported() {
        try (SlabPool pool = pool(all)) {
            for (int i = 0; i < 10; i++) {
                use(pool.openConfined());
                use(pool.openShared());
                use(MallocArena.builder().leakDetection(all).build());
                use(MallocArena.builder().leakDetection(all).shared().build());
                use(MallocArena.builder().leakDetection(all).checked().build());
                use(FreeListArena.builder().leakDetection(all).build());
                use(FreeListArena.builder().leakDetection(all).shared().build());
                use(FreeListArena.builder().leakDetection(all).checked().build());
                use(FreeListArena.builder().leakDetection(all).pool(pool).build());
            }
            assertThat(found.settle()).isEmpty();
        }
    }

    private static void use(Arena arena) {
        try (arena) {
            arena.allocate(100).fill((byte) 1);
        }
    }

    @Test
    void malloc_sampledAndLeftOpenByAThread_isFoundAmongMany() {
        int arenas = 5_000;
        assertThat(Threads.thrownBy(() -> {
            for (int i = 0; i < arenas; i++) {
                assertThat(MallocArena.builder().leakDetection(sampled).build().scope().isAlive()).isTrue();
            }
        })).isNull();
        LeakDetector.check();
        assertThat(found.all()).hasSizeBetween(1, arenas / 32)
                .allSatisfy(leak -> assertThat(leak.byteSize()).isEqualTo(-1));
    }

    @Test
    void freeLists_leftOpenByAThread_areReportedWithStackThreadAgeAndBytes() {
        assertThat(Threads.thrownBy(() -> {
            FreeListArena arena = FreeListArena.builder().leakDetection(all).build();
            arena.allocate(8);
            arena.allocate(100_000);
        })).isNull();
        LeakDetector.check();
        assertThat(found.all()).singleElement().satisfies(leak -> {
            assertThat(leak.reason()).isEqualTo(Leak.Reason.THREAD_ENDED);
            assertThat(leak.arena()).isEqualTo("FreeListArena");
            assertThat(leak.threadId()).isPositive().isNotEqualTo(Thread.currentThread().threadId());
            assertThat(leak.age()).isPositive();
            // Stacks, a range and the large block.
            assertThat(leak.byteSize()).isBetween((32L << 10) + (2L << 20) + 100_000,
                    (40L << 10) + (2L << 20) + 100_000);
            assertThat(leak.stack().getFirst().getClassName()).startsWith(PoolLeakTest.class.getName());
        });
    }

    @Test
    void freeLists_closed_holdNothing() {
        FreeListArena arena = FreeListArena.builder().leakDetection(all.longestOpen(Duration.ZERO)).build();
        MemorySegment block = arena.allocate(100_000);
        long before = newest().byteSize();
        arena.free(block);
        assertThat(newest().byteSize()).isLessThanOrEqualTo(before - 100_000);
        arena.close();
        LeakDetector.check();
        assertThat(found.all()).isEmpty();
        assertThatIllegalStateException().isThrownBy(arena::close);
    }

    @Test
    void freeLists_closeThatFails_stayWatched() {
        FreeListArena arena = FreeListArena.builder().leakDetection(all).build();
        long number = newest().number();
        assertThat(Threads.thrownBy(arena::close)).isInstanceOf(WrongThreadException.class);
        assertThat(newest().number()).isEqualTo(number);
        arena.close();
        assertThat(LeakDetector.open()).noneMatch(leak -> leak.number() == number);
    }

    @Test
    void freeLists_thatCannotBeOpened_areNotWatched() {
        MemoryBudget budget = MemoryBudget.root("none", 0);
        assertThatExceptionOfType(BudgetExceededException.class)
                .isThrownBy(FreeListArena.builder().budget(budget).leakDetection(all)::build);
        assertThat(found.settle()).isEmpty();
    }

    @Test
    void freeLists_ofAPoolThatIsClosed_areNamedOnce() {
        SlabPool pool = pool(all);
        try (FreeListArena _ = FreeListArena.builder().pool(pool).leakDetection(all).build()) {
            assertThatIllegalStateException().isThrownBy(pool::close)
                    .withMessageContaining("openArenas=1, watched=[")
                    .withMessageContaining("PoolLeakTest.java");
            assertThatIllegalStateException().isThrownBy(pool::close);
            LeakDetector.check();
            assertThat(found.all()).singleElement().satisfies(leak -> {
                assertThat(leak.reason()).isEqualTo(Leak.Reason.POOL_CLOSE);
                assertThat(leak.arena()).isEqualTo("FreeListArena");
            });
        }
        pool.close();
    }

    @Test
    void builders_reclaimLeaked_areRefused() {
        assertRefused(() -> SlabPool.builder().leakDetection(all.reclaimLeaked(true)), "LeakDetector.wrap");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MallocArena.builder().leakDetection(all.reclaimLeaked(true)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FreeListArena.builder().leakDetection(all.reclaimLeaked(true)));
    }

    @Test
    void property_withJavaBaseAlone_reportsInTheLog() {
        ChildJvm.Result result = ChildJvm
                .granted("--limit-modules=java.base", "-Ddev.arenakit.leakDetection=ALL")
                .run(Forgetful.class);
        assertThat(result.output()).contains("WARNING: Arena is unreachable and was not closed: "
                + "arena=confined arena of a SlabPool",
                "at " + Forgetful.class.getName() + ".forget(PoolLeakTest.java:",
                "WARNING: Arena is unreachable and was not closed: arena=FreeListArena",
                "Budget is in use: budget=forgetful, openArenas=1, watched=[main#",
                " at " + Forgetful.class.getName() + ".count(PoolLeakTest.java:");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    @Tag("full")
    void propertyOfTheLongestTime_withSampled_reportsArenasOfAThreadThatLivesOn() {
        ChildJvm.Result result = ChildJvm
                .granted("-Ddev.arenakit.leakDetection=SAMPLED", "-Ddev.arenakit.leakDetection.longestOpen=PT0.01S")
                .run(Hoarder.class);
        assertThat(result.output()).contains("WARNING: Arena is open for longer than the limit: "
                + "arena=confined arena of a SlabPool", "at " + Hoarder.class.getName() + ".open(PoolLeakTest.java:",
                "Default: SAMPLED, PT0.01S").containsPattern("leaks reported=[1-9]");
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10s,ALL", "-PT1S,ALL", "PT1S,"})
    @Tag("full")
    void propertyOfTheLongestTime_wrong_isSaidAndIgnored(String time, @Nullable String level) {
        List<String> options = new ArrayList<>(List.of("-Ddev.arenakit.leakDetection.longestOpen=" + time));
        if (level != null) {
            options.add("-Ddev.arenakit.leakDetection=" + level);
        }
        ChildJvm.Result result = ChildJvm.granted(options.toArray(String[]::new)).run(Hoarder.class);
        assertThat(result.output()).contains("dev.arenakit.leakDetection.longestOpen=" + time)
                .doesNotContain("Arena is open for longer");
        assertThat(result.exitCode()).isZero();
    }

    /// A program that opens arenas of a static pool, and never closes them.
    static final class Hoarder {
        private static final SlabPool POOL = SlabPool.create();

        public static void main(String[] args) throws InterruptedException {
            open();
            System.out.println("Default: " + LeakDetector.defaultDetection()
                    .map(detection -> detection.level() + ", " + detection.longestOpen())
                    .orElse("off"));
            boolean limited = LeakDetector.defaultDetection()
                    .filter(detection -> detection.longestOpen().toDays() < 1)
                    .isPresent();
            String all = "leaks reported=" + LeakDetector.open().size() + ",";
            do {
                Thread.sleep(20);
                LeakDetector.check();
            } while (limited && !LeakDetector.summary().contains(all));
            System.out.println(LeakDetector.summary());
        }

        private static void open() {
            for (int i = 0; i < 10_000; i++) {
                POOL.openConfined().allocate(8);
            }
        }
    }

    @Test
    @Tag("full")
    void property_unknown_isSaidAndIgnored() {
        ChildJvm.Result result = ChildJvm.granted("-Ddev.arenakit.leakDetection=some").run(Forgetful.class);
        assertThat(result.output()).contains("Leak detection is off, because the property is neither ALL nor SAMPLED: "
                + "dev.arenakit.leakDetection=some").doesNotContain("not closed");
        assertThat(result.exitCode()).isZero();
    }

    /// A program that forgets to close an arena, and waits until that is found.
    static final class Forgetful {
        private Forgetful() {}

        public static void main(String[] args) {
            forget();
            count();
            boolean watched = !LeakDetector.open().isEmpty();
            while (watched && !LeakDetector.summary().contains("leaks reported=2")) {
                System.gc();
                LeakDetector.check();
            }
        }

        private static void count() {
            MemoryBudget budget = MemoryBudget.root("forgetful", 1000);
            try (Arena _ = budget.wrap(Arena.ofConfined())) {
                budget.close();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }

        private static void forget() {
            SlabPool.create().openConfined().allocate(8);
            FreeListArena.ofConfined().allocate(8);
        }
    }
}
