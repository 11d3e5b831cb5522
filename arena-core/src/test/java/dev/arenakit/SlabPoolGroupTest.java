package dev.arenakit;

import dev.arenakit.SlabPoolWaitTest.Opener;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Shared arenas of a pool that share a scope.
class SlabPoolGroupTest {
    private static final long SLAB = 4096;

    private final CountingAllocator counting = new CountingAllocator();

    private SlabPool.Builder builder() {
        return SlabPool.builder().slabByteSize(SLAB).allocator(counting.allocator());
    }

    private SlabPool waiting(int arenas, long maxByteSize) {
        return builder().groupedClose(arenas)
                .maxByteSize(maxByteSize)
                .maxHeldBackByteSize(1 << 20)
                .openTimeout(Duration.ofMinutes(10))
                .build();
    }

    @AfterEach
    void nothingIsLeft() {
        counting.assertNothingHeld();
    }

    private static void onEnd(SlabArena arena, Runnable cleanup) {
        ScopeAccess.addCleanup(arena.scope(), cleanup);
    }

    @Test
    void close_ofTheLastArenaOfAGroup_endsAllOfThem() {
        try (SlabPool pool = builder().groupedClose(3).build()) {
            List<MemorySegment> segments = new ArrayList<>();
            AtomicInteger ended = new AtomicInteger();
            for (int i = 0; i < 3; i++) {
                assertThat(ended).hasValue(0);
                SlabArena arena = pool.openShared();
                segments.add(arena.allocate(JAVA_LONG));
                onEnd(arena, ended::incrementAndGet);
                arena.close();
                assertThatIllegalStateException().isThrownBy(() -> arena.allocate(8));
                assertThatIllegalStateException().isThrownBy(arena::close);
                assertThat(pool.stats().openArenas()).isZero();
            }
            assertThat(ended).hasValue(3);
            assertThat(segments).allSatisfy(segment -> assertThat(segment.scope().isAlive()).isFalse());
        }
    }

    @Test
    void close_beforeTheGroupEnds_holdsTheMemoryBack() {
        try (SlabPool pool = builder().groupedClose(3).build()) {
            SlabArena first = pool.openShared();
            MemorySegment old = first.allocate(JAVA_LONG);
            old.set(JAVA_LONG, 0, 7);
            first.close();
            try (SlabArena second = pool.openShared(); SlabArena confined = pool.openConfined()) {
                assertThat(second.scope()).isEqualTo(old.scope());
                assertThat(second.allocate(8).address()).isNotEqualTo(old.address());
                assertThat(confined.allocate(8).address()).isNotEqualTo(old.address());
                assertThat(old.get(JAVA_LONG, 0)).isEqualTo(7);
            }
            assertThat(old.scope().isAlive()).isTrue();
            assertThat(pool.trim()).isEqualTo(3 * SLAB);
            assertThat(old.scope().isAlive()).isFalse();
        }
    }

    @Test
    void open_withTooMuchHeldBack_hasAScopeOfItsOwn() {
        try (SlabPool pool = builder().groupedClose(2).maxHeldBackByteSize(4 * SLAB).build()) {
            List<SlabArena> forever = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                forever.add(pool.openShared());
                pool.openShared().close();
            }
            SlabArena own = pool.openShared();
            MemorySegment segment = own.allocate(8);
            own.close();
            assertThat(segment.scope().isAlive()).isFalse();
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(4, 8 * SLAB, SLAB, Long.MAX_VALUE));

            forever.forEach(SlabArena::close);
            SlabArena grouped = pool.openShared();
            segment = grouped.allocate(8);
            grouped.close();
            assertThat(segment.scope().isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "confined", "allocate", "large"})
    void fullPool_endsGroupsWithoutOpenArenas(String how) {
        try (SlabPool pool = builder().groupedClose(100).maxByteSize(4 * SLAB).maxHeldBackByteSize(1 << 20).build();
                SlabArena open = pool.openShared()) {
            pool.trim();
            for (int i = 0; i < 3; i++) {
                pool.openShared().close();
            }
            switch (how) {
                case "shared" -> pool.openShared().close();
                case "confined" -> pool.openConfined().close();
                case "allocate" -> {
                    for (int i = 0; i < 8; i++) {
                        open.allocate(SLAB / 4);
                    }
                }
                default -> open.allocate(2 * SLAB);
            }
            assertThat(pool.stats().refusals()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 2 * SLAB})
    void allocate_inAFullPoolWhoseGroupHasAnOpenArena_countsOneRefusal(long byteSize) {
        try (SlabPool pool = builder().groupedClose(100).maxByteSize(2 * SLAB).maxHeldBackByteSize(1 << 20).build();
                SlabArena open = pool.openShared()) {
            pool.openShared().close();
            assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(() -> {
                for (int i = 0; i < 200; i++) {
                    open.allocate(byteSize * 8);
                }
            }).withMessageContaining("openArenas=1, heldBackByteSize=" + SLAB + ";");
            assertThat(pool.stats().refusals()).isEqualTo(1);
        }
    }

    @Test
    void open_beyondTheDefaultLimitOfAPool_hasAScopeOfItsOwn() {
        try (SlabPool pool = builder().groupedClose(100).maxByteSize(128 * SLAB).build();
                SlabArena forever = pool.openShared()) {
            // A sixteenth is eight slabs.
            List<Boolean> alive = new ArrayList<>();
            for (long byteSize : new long[]{5 * SLAB, 2 * SLAB, 8}) {
                SlabArena other = pool.openShared();
                other.allocate(byteSize);
                other.close();
                alive.add(other.scope().isAlive());
            }
            assertThat(alive).containsExactly(true, true, false);
            assertThat(forever.scope().isAlive()).isTrue();
        }
    }

    @Test
    void fullPoolThatWaits_isWokenByTheCloseOfAnArenaOfAGroup() throws InterruptedException {
        try (SlabPool pool = waiting(100, 2 * SLAB)) {
            for (int round = 0; round < 20; round++) {
                // Otherwise the first arena would join the group that has the memory of the last round.
                pool.trim();
                SlabArena first = pool.openShared();
                SlabArena second = pool.openShared();
                Opener opener = round % 2 == 0
                        ? Opener.waiting(pool::openShared, () -> {})
                        : new Opener(pool::openShared, () -> {});
                first.close();
                second.close();
                assertThat(opener.join()).isNull();
            }
        }
    }

    /// Nobody but the waiting thread can end the group.
    @Test
    void fullPoolThatWaits_afterTheEndOfAUse_opensAnArena() throws InterruptedException {
        try (SlabPool pool = waiting(1, SLAB)) {
            SlabArena arena = pool.openShared();
            AtomicReference<Opener> opener = new AtomicReference<>();
            ScopeAccess.runWhileInUse(arena.allocate(16), () -> {
                arena.close();
                opener.set(Opener.waiting(pool));
            });
            assertThat(opener.get().join()).isNull();
        }
    }

    /// Nobody but the waiting thread can end the group, and it sleeps when the segment comes into use.
    @Test
    void fullPoolThatWaits_beforeAUseOutlivesItsArena_opensAnArena() throws InterruptedException {
        try (SlabPool pool = waiting(1, SLAB)) {
            SlabArena arena = pool.openShared();
            Opener opener = Opener.waiting(pool);
            ScopeAccess.runWhileInUse(arena.allocate(16), arena::close);
            assertThat(opener.join()).isNull();
        }
    }

    /// The memory that the cleanup would wait for is the memory of its own group.
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void cleanup_thatOpensAnArenaInAFullPoolThatWaits_isRefused(int mostArenas) {
        try (SlabPool pool = waiting(mostArenas, SLAB)) {
            SlabArena arena = pool.openShared();
            AtomicReference<Throwable> inCleanup = new AtomicReference<>();
            onEnd(arena, () -> inCleanup.set(catchThrowable(() -> pool.openConfined().close())));
            // With one arena, the group ends now, and otherwise at the next open.
            arena.close();
            pool.openConfined().close();
            assertThat(inCleanup.get()).isInstanceOf(CapacityExceededException.class)
                    .hasMessageContaining("waited=0 ms");
        }
    }

    @Test
    void cleanup_thatOpensAnArenaInTheThreadThatWaits_isRefused() throws InterruptedException {
        try (SlabPool pool = waiting(1, SLAB)) {
            SlabArena arena = pool.openShared();
            AtomicReference<Opener> opener = new AtomicReference<>();
            AtomicReference<Throwable> inCleanup = new AtomicReference<>();
            onEnd(arena, () -> inCleanup.set(catchThrowable(() -> pool.openConfined().close())));
            ScopeAccess.runWhileInUse(arena.allocate(16), () -> {
                arena.close();
                opener.set(Opener.waiting(pool));
            });
            assertThat(opener.get().join()).isNull();
            assertThat(inCleanup.get()).isInstanceOf(CapacityExceededException.class);
        }
    }

    @Test
    void awaitClosed_untilASegmentIsNoLongerInUse_returns() throws InterruptedException {
        SlabPool pool = builder().groupedClose(1).build();
        SlabArena arena = pool.openShared();
        AtomicBoolean closed = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().unstarted(() -> {
            try {
                closed.set(pool.awaitClosed(Duration.ofMinutes(10)));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        ScopeAccess.runWhileInUse(arena.allocate(16), () -> {
            arena.close();
            pool.shutdown();
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        });
        thread.join();
        assertThat(closed).isTrue();
    }

    @Test
    void cleanup_thatEndsInAnErrorOfTheJvm_losesTheMemoryAndHoldsNothingBack() throws InterruptedException {
        // Not over the counting allocator: the memory is lost.
        SlabPool pool = SlabPool.builder()
                .slabByteSize(SLAB)
                .groupedClose(1)
                .maxByteSize(2 * SLAB)
                .maxHeldBackByteSize(1 << 20)
                .build();
        SlabArena arena = pool.openShared();
        onEnd(arena, () -> {
            throw new OutOfMemoryError("from a cleanup");
        });
        Thread thread = Thread.ofPlatform().unstarted(arena::close);
        thread.setUncaughtExceptionHandler((_, _) -> {});
        thread.start();
        thread.join();
        try (SlabArena _ = pool.openShared()) {
            assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(pool::openShared)
                    .withMessageContaining("heldBackByteSize=0");
        }
    }

    @Test
    void group_withASegmentInUse_endsAtTheNextOpenOrCloseOrTrim() {
        SlabPool pool = builder().groupedClose(1).build();
        for (int way = 0; way < 3; way++) {
            SlabArena later = pool.openShared();
            SlabArena arena = pool.openShared();
            MemorySegment segment = arena.allocate(16);
            ScopeAccess.runWhileInUse(segment, () -> {
                arena.close();
                pool.openShared().close();
                pool.trim();
                assertThat(segment.scope().isAlive()).isTrue();
                assertThatIllegalStateException().isThrownBy(pool::close).withMessageContaining("groupsInUse=1");
            });
            assertThat(segment.scope().isAlive()).isTrue();
            switch (way) {
                case 0 -> pool.openShared().close();
                case 1 -> later.close();
                default -> pool.trim();
            }
            assertThat(segment.scope().isAlive()).isFalse();
            if (way != 1) {
                later.close();
            }
        }
        pool.close();
    }

    @Test
    void cleanup_thatThrows_isReportedToTheHandlerOfTheThread() throws InterruptedException {
        try (SlabPool pool = builder().groupedClose(2).build()) {
            List<Throwable> reported = new ArrayList<>();
            RuntimeException fault = new UnsupportedOperationException("from a cleanup");
            Thread thread = Thread.ofPlatform().unstarted(() -> {
                SlabArena first = pool.openShared();
                SlabArena second = pool.openShared();
                onEnd(first, () -> {
                    throw fault;
                });
                first.close();
                second.close();
                pool.openShared().close();
            });
            thread.setUncaughtExceptionHandler((_, t) -> {
                reported.add(t);
                throw new IllegalStateException("from a handler");
            });
            thread.start();
            thread.join();
            assertThat(reported).containsExactly(fault);
            assertThat(pool.stats().openArenas()).isZero();
        }
    }

    @Test
    void cleanup_thatUsesThePool_isAllowed() {
        try (SlabPool pool = builder().groupedClose(2).build()) {
            List<@Nullable Throwable> thrown = new ArrayList<>();
            SlabArena first = pool.openShared();
            SlabArena second = pool.openShared();
            SlabArena third = pool.openShared();
            onEnd(second, () -> {
                thrown.add(catchThrowable(first::close));
                thrown.add(catchThrowable(pool::close));
                pool.trim();
                third.close();
                pool.openShared().close();
                pool.openConfined().close();
            });
            first.close();
            second.close();
            assertThat(thrown).hasSize(2).allSatisfy(t -> assertThat(t).isInstanceOf(IllegalStateException.class));
            assertThat(third.scope().isAlive()).isFalse();
        }
    }

    @Test
    void group_whoseOpenerHasDied_endsWithItsLastArena() {
        try (SlabPool pool = builder().groupedClose(2).build()) {
            List<SlabArena> arenas = new ArrayList<>();
            assertThat(Threads.thrownBy(() -> {
                arenas.add(pool.openShared());
                arenas.add(pool.openShared());
            })).isNull();
            MemorySegment segment = arenas.getFirst().allocate(8);
            arenas.forEach(SlabArena::close);
            assertThat(segment.scope().isAlive()).isFalse();
        }
    }

    @Test
    void shutdown_whileArenasOfGroupsAreOpen_isCompletedByTheLastClose() throws InterruptedException {
        SlabPool pool = builder().groupedClose(100).build();
        pool.openShared().close();
        SlabArena arena = pool.openShared();
        pool.shutdown();
        arena.allocate(3 * SLAB);
        assertThat(pool.awaitClosed(Duration.ZERO)).isFalse();
        ScopeAccess.runWhileInUse(arena.allocate(16), arena::close);
        assertThat(pool.awaitClosed(Duration.ZERO)).isTrue();
    }

    @Test
    void close_ofAWatchedArena_endsItsWatchBeforeTheGroupEnds() {
        try (SlabPool pool = builder().groupedClose(100).leakDetection(LeakDetection.ALL).build();
                SlabArena open = pool.openShared()) {
            SlabArena closed = pool.openShared();
            closed.allocate(10_000);
            closed.allocate(1_000);
            closed.allocate(1_000);
            closed.allocate(1_000);
            closed.allocate(1_000);
            closed.close();
            assertThat(open.scope()).isEqualTo(closed.scope());
            assertThatIllegalStateException().isThrownBy(pool::close)
                    .withMessageContaining("openArenas=1, watched=[")
                    .withMessageNotContaining(", " + Thread.currentThread().getName() + "#");
        }
    }

    @Test
    void builder_impossibleNumbers_areRejected() {
        for (int arenas : new int[]{0, -1, 65_537}) {
            assertRefused(() -> builder().groupedClose(arenas), "arenas=" + arenas);
        }
        assertRefused(() -> builder().maxHeldBackByteSize(0), "maxHeldBackByteSize=0");
    }
}
