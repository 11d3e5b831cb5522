package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SlabPoolTest {
    private static final long SLAB = 64 * 1024;

    @Test
    void stats_ofANewPool_areZero() {
        try (SlabPool pool = SlabPool.create()) {
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, 0, Long.MAX_VALUE));
        }
    }

    @Test
    void stats_followOpenAllocateAndClose() {
        try (SlabPool pool = SlabPool.create()) {
            SlabArena first = pool.openConfined();
            SlabArena second = pool.openConfined();
            SlabArena shared = pool.openShared();
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(3, 3 * SLAB, 0, Long.MAX_VALUE));
            second.allocate(100_000, 1);
            for (int i = 0; i < 5; i++) {
                first.allocate(SLAB / 4, 1);
            }
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(3, 4 * SLAB + 100_000, 0, Long.MAX_VALUE));
            shared.close();
            second.close();
            first.close();
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, 4 * SLAB, Long.MAX_VALUE));
        }
    }

    @Test
    void openConfined_again_lendsTheSameMemory() {
        try (SlabPool pool = SlabPool.create()) {
            long first = addressOfOne(pool.openConfined());
            assertThat(addressOfOne(pool.openConfined())).isEqualTo(first);
            assertThat(addressOfOne(pool.openConfined())).isEqualTo(first);
        }
    }

    @Test
    void openConfined_whileAnotherArenaOfTheThreadIsOpen_lendsOtherMemory() {
        try (SlabPool pool = SlabPool.create();
                SlabArena first = pool.openConfined();
                SlabArena second = pool.openConfined()) {
            long distance = Math.abs(first.allocate(8).address() - second.allocate(8).address());
            assertThat(distance).isGreaterThanOrEqualTo(SLAB);
        }
    }

    @Test
    void close_whileArenasAreOpen_isRefusedNamingHowManyAndChangesNothing() {
        SlabPool pool = SlabPool.create();
        SlabArena confined = pool.openConfined();
        SlabArena shared = pool.openShared();
        MemorySegment segment = confined.allocateFrom("alive");
        assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("openArenas=2");
        shared.close();
        assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("openArenas=1");
        assertThat(segment.getString(0)).isEqualTo("alive");
        confined.close();
        try (SlabArena again = pool.openConfined()) {
            assertThat(again.allocate(8).address()).isEqualTo(segment.address());
        }
        pool.close();
        pool.close();
    }

    @Test
    void open_onAClosedPool_isRefused() {
        SlabPool pool = SlabPool.create();
        pool.openConfined().close();
        pool.openShared().close();
        pool.close();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(pool::openConfined).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(pool::openShared).isInstanceOf(IllegalStateException.class);
        }
        assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, 0, Long.MAX_VALUE));
        assertThat(pool.trim()).isZero();
    }

    @Test
    void trim_givesBackWhatIsNotLent() {
        try (SlabPool pool = SlabPool.create()) {
            SlabArena open = pool.openConfined();
            MemorySegment segment = open.allocateFrom("alive");
            pool.openConfined().close();
            pool.openShared().close();
            assertThat(pool.trim()).isEqualTo(SLAB);
            assertThat(pool.trim()).isZero();
            assertThat(segment.getString(0)).isEqualTo("alive");
            open.close();
            assertThat(pool.trim()).isEqualTo(SLAB);
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, 0, Long.MAX_VALUE));
            addressOfOne(pool.openConfined());
            assertThat(pool.stats().keptBytes()).isEqualTo(SLAB);
        }
    }

    @Test
    void trim_fromAnotherThread_takesTheSlabThatALivingThreadKeeps() {
        try (SlabPool pool = SlabPool.create()) {
            pool.openConfined().close();
            assertThat(inThread(pool::trim)).isEqualTo(SLAB);
            try (SlabArena arena = pool.openConfined()) {
                assertThat(arena.allocate(100, 1).byteSize()).isEqualTo(100);
                assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(1, SLAB, 0, Long.MAX_VALUE));
            }
        }
    }

    @Test
    void fullPool_lendsTheSlabThatAnotherThreadKeepsIdle() {
        try (SlabPool pool = SlabPool.builder().maxBytes(SLAB).build()) {
            long kept = addressOfOne(pool.openConfined());

            assertThat(inThread(() -> addressOfOne(pool.openConfined()))).isEqualTo(kept);

            try (SlabArena arena = pool.openConfined()) {
                assertThat(arena.allocate(8, 8).address()).isEqualTo(kept);
                assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(1, SLAB, 0, SLAB));
                inThread(() -> {
                    assertThatThrownBy(pool::openConfined).isInstanceOf(CapacityExceededException.class);
                    return 0L;
                });
            }
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, SLAB, SLAB));
        }
    }

    /// The interpreter takes its time between two steps of opening, in which the pool may become full.
    @Test
    void fullPool_whileThreadsOpenAndClose_losesNoSlab() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint").run(FullPoolSession.class))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }

    /// Two threads meet in the table of kept slabs at its largest size. One that keeps a slab is not refused it when it has to
    /// turn back at the gate.
    @Test
    void trim_whileAThreadOpensThatMeetsAnother_losesNoSlab() throws InterruptedException {
        SlabPool pool = SlabPool.builder().slabSize(1024).build();
        AtomicBoolean stop = new AtomicBoolean();
        Runnable session = () -> {
            while (!stop.get()) {
                pool.openConfined().close();
            }
        };
        Thread first = Thread.ofPlatform().start(session);
        Thread second = Thread.ofPlatform().unstarted(session);
        while ((second.threadId() - first.threadId()) % 2048 != 0) {
            second = Thread.ofPlatform().unstarted(session);
        }
        second.start();
        for (int i = 0; i < 300; i++) {
            pool.trim();
        }
        stop.set(true);
        first.join();
        second.join();

        assertThat(pool.stats().openArenas()).isZero();
        assertThat(pool.stats().lentBytes()).isZero();
        pool.close();
    }

    @Test
    void fullPool_givesUpTheSlabOfAnotherThreadForALargeBlock() {
        try (SlabPool pool = SlabPool.builder().maxBytes(2 * SLAB).build()) {
            pool.openConfined().close();

            assertThat(inThread(() -> {
                try (SlabArena arena = pool.openShared()) {
                    return arena.allocate(SLAB, 8).byteSize();
                }
            })).isEqualTo(SLAB);

            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, SLAB, 2 * SLAB));
        }
    }

    @Test
    void slabOfADeadThread_isLentAgain() {
        try (SlabPool pool = SlabPool.create()) {
            long[] address = new long[1];
            inThread(() -> {
                address[0] = addressOfOne(pool.openConfined());
                return 0L;
            });
            assertThat(pool.stats().keptBytes()).isEqualTo(SLAB);
            assertThat(addressOfOne(pool.openConfined())).isEqualTo(address[0]);
            assertThat(pool.stats().keptBytes()).isEqualTo(SLAB);
        }
    }

    @Test
    void slabsOfManyDeadThreads_doNotAddUp() {
        try (SlabPool pool = SlabPool.create()) {
            for (int i = 0; i < 200; i++) {
                inThread(() -> addressOfOne(pool.openConfined()));
            }
            assertThat(pool.stats().keptBytes()).isEqualTo(SLAB);
        }
    }

    @Test
    void slabsOfVirtualThreads_areSharedThroughTheStore() throws InterruptedException {
        try (SlabPool pool = SlabPool.create()) {
            for (int i = 0; i < 100; i++) {
                Thread.ofVirtual().start(() -> addressOfOne(pool.openConfined())).join();
            }
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, SLAB, Long.MAX_VALUE));
        }
    }

    @Test
    void arenaLeftOpenByADeadThread_keepsThePoolFromClosing() {
        SlabPool pool = SlabPool.create();
        inThread(() -> pool.openConfined().allocate(8).address());
        assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("openArenas=1");
        assertThat(pool.trim()).isZero();
        assertThat(pool.stats().openArenas()).isEqualTo(1);
    }

    @Test
    void maxBytes_boundsWhatIsLentAndKept() {
        try (SlabPool pool = SlabPool.builder().slabSize(4096).maxBytes(3 * 4096 + 100).build()) {
            SlabArena first = pool.openConfined();
            SlabArena second = pool.openConfined();
            SlabArena third = pool.openShared();
            assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(pool::openConfined)
                    .satisfies(e -> {
                        assertThat(e.limit()).isEqualTo(3 * 4096 + 100);
                        assertThat(e.used()).isEqualTo(3 * 4096);
                        assertThat(e.asked()).isEqualTo(4096);
                    });
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(3, 3 * 4096, 0, 3 * 4096 + 100));
            // A large block gets the memory of a slab that is only kept.
            third.close();
            MemorySegment block = second.allocate(4000, 8);
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(2, 2 * 4096 + 4000, 0, 3 * 4096 + 100));
            assertThatThrownBy(pool::openConfined).isInstanceOf(CapacityExceededException.class);
            assertThatThrownBy(() -> first.allocate(2000, 8)).isInstanceOf(CapacityExceededException.class);
            block.fill((byte) 1);
            second.close();
            pool.openConfined().close();
            first.close();
        }
    }

    @Test
    void allocate_inAFullPool_leavesTheArenaAsItWas() {
        try (SlabPool pool = SlabPool.builder().slabSize(1024).maxBytes(1024).build();
                SlabArena arena = pool.openConfined()) {
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                segments.add(arena.allocate(250, 1));
                segments.getLast().fill((byte) i);
            }
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(CapacityExceededException.class);
            }
            MemorySegment small = arena.allocate(24, 1);
            assertThat(small.address()).isEqualTo(segments.getFirst().address() + 1000);
            for (int i = 0; i < 4; i++) {
                assertThat(segments.get(i).get(ValueLayout.JAVA_BYTE, 249)).isEqualTo((byte) i);
            }
        }
    }

    @Test
    void closedLargeBlocks_countNoMore() {
        try (SlabPool pool = SlabPool.builder().maxBytes(SLAB + 1_000_000).build()) {
            for (int i = 0; i < 10; i++) {
                try (SlabArena arena = pool.openConfined()) {
                    assertThat(arena.allocate(1_000_000, 64).byteSize()).isEqualTo(1_000_000);
                }
            }
            assertThat(pool.stats()).isEqualTo(new SlabPoolStatistics(0, 0, SLAB, SLAB + 1_000_000));
        }
    }

    @Test
    void builder_withBadValues_namesThem() {
        SlabPool.Builder builder = SlabPool.builder();
        for (long size : new long[]{0, -1, 1000, 512, 1L << 31, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> builder.slabSize(size)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("slabSize=" + size);
        }
        for (long limit : new long[]{0, -1}) {
            assertThatThrownBy(() -> builder.maxBytes(limit)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxBytes=" + limit);
        }
        builder.slabSize(2048).maxBytes(2047);
        assertThatThrownBy(builder::build).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxBytes=2047")
                .hasMessageContaining("slabSize=2048");
    }

    @Test
    void trimAndClose_againstOpen_neverTakeMemoryThatIsLent() throws InterruptedException {
        // Each round a thread opens and closes arenas on its own slab while others trim and try to close the pool: what
        // it has written must stand there when it looks again.
        SlabPool pool = SlabPool.builder().slabSize(1024).build();
        CountDownLatch done = new CountDownLatch(2);
        List<String> wrong = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            long mark = 0x0101010101010101L * (t + 1);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 20_000; i++) {
                    try (SlabArena arena = pool.openConfined()) {
                        MemorySegment segment = arena.allocate(64, 8);
                        if (segment.get(ValueLayout.JAVA_LONG, 8) != 0) {
                            wrong.add("not zeroed");
                        }
                        segment.set(ValueLayout.JAVA_LONG, 8, mark);
                        Thread.onSpinWait();
                        if (segment.get(ValueLayout.JAVA_LONG, 8) != mark) {
                            wrong.add("overwritten");
                        }
                    }
                }
                done.countDown();
            }));
        }
        int refusals = 0;
        try (SlabArena other = SlabPool.create().openConfined()) {
            while (done.getCount() > 0) {
                pool.trim();
                // Memory that was freed wrongly is soon somebody else's.
                try (Arena dirt = Arena.ofConfined()) {
                    for (int i = 0; i < 8; i++) {
                        dirt.allocate(1024, 64).fill((byte) 0xEE);
                    }
                }
                try (SlabArena open = pool.openConfined()) {
                    open.allocate(8);
                    pool.close();
                } catch (IllegalStateException e) {
                    refusals++;
                }
            }
            other.allocate(1);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
        assertThat(refusals).isPositive();
        assertThat(pool.stats().openArenas()).isZero();
        assertThat(pool.stats().lentBytes()).isZero();
        pool.close();
    }

    private static long addressOfOne(SlabArena arena) {
        try (arena) {
            return arena.allocate(8).address();
        }
    }

    private static long inThread(java.util.function.LongSupplier task) {
        long[] result = new long[1];
        Thread thread = Thread.ofPlatform().start(() -> result[0] = task.getAsLong());
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return result[0];
    }
}
