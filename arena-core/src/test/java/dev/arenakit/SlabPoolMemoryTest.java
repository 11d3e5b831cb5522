package dev.arenakit;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static dev.arenakit.SlabPoolTest.addressOfOne;
import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The memory that a pool holds: its limits, what trim frees, and who owns an idle slab.
class SlabPoolMemoryTest {
    private static final long SLAB = 64 * 1024;
    private static final long MIB = 1 << 20;

    private final CountingAllocator counting = new CountingAllocator();

    private final SlabPool pool = countingPool(SlabPool.builder());

    @AfterEach
    void everythingIsFreed() {
        pool.close();
        counting.assertNothingHeld();
    }

    /// In a JVM of its own, whose resident size no other test changes.
    @Test
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    void trim_poolOverPages_lowersTheResidentSizeByWhatItReports() {
        ChildJvm.Result result = ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED").run(TrimSession.class);
        assertThat(result.exitCode()).as(result.output()).isZero();
        String[] sizes = result.output().strip().split(" ", -1);
        long reported = Long.parseLong(sizes[0]);
        assertThat(reported).isEqualTo(TrimSession.ARENAS * SLAB);
        assertThat(Long.parseLong(sizes[1])).as("how much less is resident").isGreaterThan(reported * 9 / 10);
        assertThat(Long.parseLong(sizes[2])).as("what untouched slabs take, a page each")
                .isLessThan(reported * 3 / 16 + TrimSession.ARENAS * PageMappings.pageByteSize());
    }

    @Test
    void trim_toATarget_freesNoMoreThanNeeded() {
        closeAll(openShared(pool, 10));
        pool.openConfined().close();
        assertThat(pool.stats().idleByteSize()).isEqualTo(10 * SLAB);
        assertThat(pool.trim(11 * SLAB)).isZero();
        assertThat(pool.trim(10 * SLAB)).isZero();
        assertThat(pool.trim(7 * SLAB - 1)).isEqualTo(4 * SLAB);
        assertThat(counting.bytes()).isEqualTo(6 * SLAB);
        try (SlabArena open = pool.openConfined()) {
            assertThat(open.allocate(100_000, 1).byteSize()).isEqualTo(100_000);
            assertThat(pool.trim(100_000 + 2 * SLAB)).as("used memory counts").isEqualTo(4 * SLAB);
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(1, 100_000 + SLAB, SLAB, Long.MAX_VALUE));
            assertThat(pool.trim(1)).isEqualTo(SLAB);
            assertThat(pool.trim(1)).as("nothing is idle").isZero();
        }
    }

    @Test
    void trim_toATarget_freesSlabsOfThreadsLast() {
        pool.openConfined().close();
        closeAll(openShared(pool, 3));
        assertThat(pool.stats().threadIdleByteSize()).isEqualTo(SLAB);
        long shared = pool.stats().idleByteSize() - SLAB;
        assertThat(pool.trim(SLAB)).isEqualTo(shared).isPositive();
        assertThat(pool.stats().threadIdleByteSize()).isEqualTo(SLAB);
        assertThat(pool.trim(0)).isEqualTo(SLAB);
        assertThat(pool.stats().threadIdleByteSize()).isZero();
    }

    @Test
    void trim_toANegativeTarget_isRejected() {
        try (SlabPool pool = SlabPool.create()) {
            for (long target : new long[]{-1, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> pool.trim(target)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("Target is negative: targetByteSize=" + target);
            }
        }
    }

    @Test
    void maxIdleByteSize_anyNumberOfSlabs_isTheMostThatIsKeptByOneThread() {
        for (int most = 0; most <= 5; most++) {
            // Bytes beyond whole slabs do not count.
            long maxIdleByteSize = most == 0 ? 0 : most * SLAB + SLAB / 2;
            try (SlabPool pool = countingPool(SlabPool.builder().maxIdleByteSize(maxIdleByteSize))) {
                for (int open = 1; open <= 7; open++) {
                    List<SlabArena> arenas = new ArrayList<>();
                    for (int i = 0; i < open; i++) {
                        arenas.add(i % 3 == 2 ? pool.openShared() : pool.openConfined());
                    }
                    // Fills two more slabs.
                    for (int block = 0; block < 12; block++) {
                        arenas.getFirst().allocate(SLAB / 4, 8);
                    }
                    assertThat(counting.bytes()).isGreaterThanOrEqualTo((open + 2) * SLAB);
                    closeAll(arenas);
                    assertThat(pool.stats().idleByteSize()).as("%s of %s", most, open)
                            .isEqualTo(Math.min(open + 2, most) * SLAB);
                    assertThat(counting.bytes()).isEqualTo(pool.stats().idleByteSize());
                }
            }
        }
    }

    @Test
    void maxIdleByteSize_slabsOfSeveralThreads_areBoundedTogether() throws InterruptedException {
        try (SlabPool pool = countingPool(SlabPool.builder().maxIdleByteSize(2 * SLAB))) {
            CountDownLatch closed = new CountDownLatch(4);
            CountDownLatch done = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    pool.openConfined().close();
                    closed.countDown();
                    Threads.await(done);
                }));
            }
            closed.await();
            assertThat(pool.stats().idleByteSize()).isLessThanOrEqualTo(2 * SLAB);
            assertThat(counting.bytes()).isEqualTo(pool.stats().idleByteSize());
            done.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void maxIdleByteSize_negative_isRejected() {
        SlabPool.Builder builder = SlabPool.builder();
        assertRefused(() -> builder.maxIdleByteSize(-1), "maxIdleByteSize=-1");
    }

    @Test
    void largeBlock_inAFullPool_freesAsManyIdleSlabsAsItNeeds() {
        try (SlabPool pool = countingPool(SlabPool.builder().maxByteSize(5 * SLAB))) {
            closeAll(openShared(pool, 5));
            try (SlabArena arena = pool.openConfined()) {
                assertThat(arena.allocate(SLAB + SLAB / 2, 8).byteSize()).isEqualTo(SLAB + SLAB / 2);
                assertThat(pool.stats().idleByteSize()).isEqualTo(2 * SLAB);
            }
        }
    }

    @Test
    void largeBlock_forWhichAllIdleSlabsAreNotEnough_freesNone() {
        try (SlabPool pool = countingPool(SlabPool.builder().maxByteSize(5 * SLAB))) {
            closeAll(openShared(pool, 5));
            try (SlabArena arena = pool.openConfined()) {
                assertThatExceptionOfType(CapacityExceededException.class)
                        .isThrownBy(() -> arena.allocate(4 * SLAB + 1, 8))
                        .satisfies(e -> assertThat(e.requested()).isEqualTo(4 * SLAB + 1));
                assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(1, SLAB, 4 * SLAB, 5 * SLAB));
                assertThat(pool.stats().refusals()).isEqualTo(1);
                assertThat(arena.allocate(4 * SLAB, 8).byteSize()).isEqualTo(4 * SLAB);
                assertThat(pool.stats().idleByteSize()).isZero();
            }
        }
    }

    @Test
    void openAndAllocate_whenTheAllocatorHasNoMemory_takeNothing() {
        counting.refuseAfter(0);
        assertThatThrownBy(pool::openConfined).isInstanceOf(OutOfMemoryError.class);
        counting.refuseAfter(1);
        try (SlabArena arena = pool.openShared()) {
            assertThatThrownBy(() -> arena.allocate(100_000)).isInstanceOf(OutOfMemoryError.class);
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(1, SLAB, 0, Long.MAX_VALUE));
        }
        counting.refuseNothing();
    }

    @Test
    void maxByteSize_alignmentBeyondIt_isRefused() {
        for (NativeAllocator allocator : List.of(SlabArenaContractTest.defaultAllocator(), NativeAllocator.libc(),
                counting.allocator())) {
            try (SlabPool pool = SlabPool.builder().maxByteSize(MIB).allocator(allocator).build();
                    SlabArena arena = pool.openConfined()) {
                // Otherwise, a slab that contains a multiple of the alignment has room for the block.
                arena.allocate(SLAB, 8);
                assertThatExceptionOfType(CapacityExceededException.class)
                        .isThrownBy(() -> arena.allocate(1, 4 * MIB))
                        .satisfies(e -> assertThat(e.requested()).isGreaterThanOrEqualTo(4 * MIB));
                assertThat(pool.stats().largeByteSize()).isZero();
                assertThat(arena.allocate(2 * SLAB, 256 * 1024).byteSize()).isEqualTo(2 * SLAB);
                assertThat(pool.stats().largeByteSize()).isGreaterThanOrEqualTo(256 * 1024);
            }
        }
    }

    @Test
    void thread_thatLostItsSlabToAFullPool_ownsOneAgainAfterMuchUse() {
        try (SlabPool pool = countingPool(SlabPool.builder().maxByteSize(2 * SLAB))) {
            pool.openConfined().close();
            assertThat(pool.stats().threadIdleByteSize()).isEqualTo(SLAB);
            closeAll(openShared(pool, 2));
            assertThat(pool.stats().threadIdleByteSize()).as("reclaimed").isZero();
            for (int i = 0; i < 100; i++) {
                pool.openConfined().close();
            }
            assertThat(pool.stats().threadIdleByteSize()).as("not yet").isZero();
            for (int i = 0; i < 5_000; i++) {
                pool.openConfined().close();
            }
            assertThat(pool.stats().threadIdleByteSize()).isEqualTo(SLAB);
            assertThat(pool.stats().idleByteSize()).isEqualTo(2 * SLAB);
            // The next peak reclaims it again.
            closeAll(openShared(pool, 2));
            assertThat(pool.stats().threadIdleByteSize()).isZero();
        }
    }

    /// While one arena stays open, it has the slab of its thread.
    @Test
    void thread_whoseSlabHasAnArenaThatStaysOpen_ownsAnotherAfterMuchUse() {
        try (SlabArena open = pool.openConfined()) {
            long address = open.allocate(8, 8).address();
            for (int i = 0; i < 5_000; i++) {
                assertThat(addressOfOne(pool.openConfined())).isNotEqualTo(address);
            }
            assertThat(pool.stats().threadIdleByteSize()).isEqualTo(SLAB);
            assertThat(pool.stats().openArenas()).isEqualTo(1);
        }
    }

    /// Takes between two and three seconds: the pool looks once a second which slabs were used since it last looked.
    @Test
    @Tag("full")
    void slab_thatItsLivingThreadDoesNotUse_isReusedByAnotherThread() throws InterruptedException {
        Set<Long> ofOther = new HashSet<>();
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread other = Thread.ofPlatform().start(() -> {
            ofOther.add(addressOfOne(pool.openConfined()));
            closed.countDown();
            Threads.await(done);
            try (SlabArena again = pool.openConfined()) {
                ofOther.add(again.allocate(8, 8).address());
            }
        });
        closed.await();
        long mine = addressOfOne(pool.openConfined());
        List<SlabArena> arenas = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        boolean reused = false;
        while (!reused && System.nanoTime() < deadline) {
            LockSupport.parkNanos(100_000_000);
            assertThat(addressOfOne(pool.openConfined())).as("a slab in use stays with its thread").isEqualTo(mine);
            SlabArena arena = pool.openShared();
            arenas.add(arena);
            reused = ofOther.contains(arena.allocate(8, 8).address());
        }
        done.countDown();
        other.join();
        assertThat(reused).isTrue();
        assertThat(ofOther).as("the thread takes another slab").hasSize(2);
        closeAll(arenas);
    }

    @Test
    void stats_everyEvent_isCounted() {
        try (SlabPool pool = countingPool(SlabPool.builder().maxByteSize(6 * SLAB))) {
            try (SlabArena arena = pool.openConfined()) {
                for (int block = 0; block < 9; block++) {
                    arena.allocate(SLAB / 4, 8);
                }
                arena.allocate(2 * SLAB, 8);
                assertThatThrownBy(() -> arena.allocate(2 * SLAB, 8)).isInstanceOf(CapacityExceededException.class);
                assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics("", 1, 5 * SLAB, 0, 6 * SLAB, 0, 2 * SLAB,
                        5 * SLAB, 1, 2, 1, 0, 0, List.of()));
            }
            pool.openShared().close();
            assertThat(pool.stats()).isEqualTo(
                    new SlabPoolStatistics("", 0, 0, 5 * SLAB, 6 * SLAB, SLAB, 0, 5 * SLAB, 2, 2, 1, 0, 0, List.of()));
            assertThat(pool.trim()).isEqualTo(5 * SLAB);
            assertThat(pool.stats()).as("counts of slabs that were freed remain")
                    .isEqualTo(new SlabPoolStatistics("", 0, 0, 0, 6 * SLAB, 0, 0, 5 * SLAB, 2, 2, 1, 0, 0, List.of()));
        }
    }

    @Test
    void toString_ofAPool_isASentence() {
        try (SlabPool pool = countingPool(SlabPool.builder().maxByteSize(MIB)); SlabArena arena = pool.openShared()) {
            arena.allocate(100_000, 8);
            pool.openConfined().close();
            assertThat(pool).hasToString("SlabPool: 1 open arenas, 161.7 KiB used (97.7 KiB in large blocks), "
                    + "64 KiB idle (64 KiB in threads), peak 225.7 KiB, limit 1 MiB; so far 2 opens, 0 overflows, "
                    + "0 refusals");
            assertThat(pool.stats()).hasToString(pool.toString());
        }
        try (SlabPool pool = SlabPool.create()) {
            assertThat(pool).hasToString("SlabPool: 0 open arenas, 0 bytes used (0 bytes in large blocks), "
                    + "0 bytes idle (0 bytes in threads), peak 0 bytes, limit none; so far 0 opens, 0 overflows, "
                    + "0 refusals");
        }
    }

    private SlabPool countingPool(SlabPool.Builder builder) {
        return builder.allocator(counting.allocator()).build();
    }

    private static List<SlabArena> openShared(SlabPool pool, int count) {
        List<SlabArena> arenas = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            arenas.add(pool.openShared());
        }
        return arenas;
    }

    private static void closeAll(List<SlabArena> arenas) {
        arenas.forEach(SlabArena::close);
    }
}
