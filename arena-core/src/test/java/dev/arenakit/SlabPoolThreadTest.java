package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.arenakit.SlabPoolTest.addressOfOne;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The slabs that threads own, and how other threads reclaim them.
class SlabPoolThreadTest {
    private static final long SLAB = 64 * 1024;

    @AutoClose
    private final SlabPool pool = SlabPool.create();

    @Test
    void trim_fromAnotherThread_freesTheIdleSlabOfALivingThread() {
        pool.openConfined().close();
        assertThat(inThread(pool::trim)).isEqualTo(SLAB);
        try (SlabArena arena = pool.openConfined()) {
            assertThat(arena.allocate(100, 1).byteSize()).isEqualTo(100);
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(1, SLAB, 0, Long.MAX_VALUE));
        }
    }

    @Test
    void fullPool_reusesTheIdleSlabOfAnotherThread() {
        try (SlabPool pool = SlabPool.builder().maxByteSize(SLAB).build()) {
            long idle = addressOfOne(pool.openConfined());

            assertThat(inThread(() -> addressOfOne(pool.openConfined()))).isEqualTo(idle);

            try (SlabArena arena = pool.openConfined()) {
                assertThat(arena.allocate(8, 8).address()).isEqualTo(idle);
                assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(1, SLAB, 0, SLAB));
                inThread(() -> {
                    assertThatThrownBy(pool::openConfined).isInstanceOf(CapacityExceededException.class);
                    return 0L;
                });
            }
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(0, 0, SLAB, SLAB));
        }
    }

    /// In the interpreter, the steps of opening an arena are far apart, so that the pool may become full between them.
    @Test
    @Tag("full")
    void fullPool_whileThreadsOpenAndClose_losesNoSlab() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint").run(FullPoolSession.class))
                .isEqualTo(new ChildJvm.Result(0, "nothing lost\n"));
    }

    /// A thread whose slab is taken between two steps of opening an arena does not use it.
    @Test
    @Tag("full")
    void trim_whileThreadsOpenAndClose_takesNoSlabInUse() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xint")
                .run(TrimWhileOpeningSession.class)).isEqualTo(new ChildJvm.Result(0, "every arena counted\n"));
    }

    /// Two threads collide in the table of owned slabs at its largest size. The thread that owns a slab does not lose
    /// it when its table turns out to be replaced.
    @Test
    void trim_whileThreadsThatCollideOpenArenas_losesNoSlab() throws InterruptedException {
        SlabPool pool = SlabPool.builder().slabByteSize(1024).build();
        AtomicBoolean stop = new AtomicBoolean();
        Runnable session = () -> {
            while (!stop.get()) {
                pool.openConfined().close();
            }
        };
        Thread first = Thread.ofPlatform().start(session);
        Thread second = Thread.ofPlatform().unstarted(session);
        while ((second.threadId() - first.threadId()) % 4096 != 0) {
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
        assertThat(pool.stats().usedByteSize()).isZero();
        pool.close();
    }

    @Test
    void fullPool_freesTheIdleSlabOfAnotherThreadForALargeBlock() {
        try (SlabPool pool = SlabPool.builder().maxByteSize(2 * SLAB).build()) {
            pool.openConfined().close();

            assertThat(inThread(() -> {
                try (SlabArena arena = pool.openShared()) {
                    return arena.allocate(SLAB, 8).byteSize();
                }
            })).isEqualTo(SLAB);

            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(0, 0, 2 * SLAB, 2 * SLAB));
        }
    }

    @Test
    void slabsOfManyDeadThreads_doNotAddUp() {
        for (int i = 0; i < 200; i++) {
            inThread(() -> addressOfOne(pool.openConfined()));
        }
        assertThat(pool.stats().idleByteSize()).isEqualTo(SLAB);
    }

    @Test
    void slabsOfVirtualThreads_areShared() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().start(() -> addressOfOne(pool.openConfined())).join();
        }
        assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(0, 0, SLAB, Long.MAX_VALUE));
    }

    @Test
    void arenaLeftOpenByADeadThread_preventsThePoolFromClosing() {
        SlabPool pool = SlabPool.create();
        inThread(() -> pool.openConfined().allocate(8).address());
        assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("openArenas=1");
        assertThat(pool.trim()).isZero();
        assertThat(pool.stats().openArenas()).isEqualTo(1);
    }

    private static long inThread(LongSupplier task) {
        long[] result = new long[1];
        assertThat(Threads.thrownBy(() -> result[0] = task.getAsLong())).isNull();
        return result[0];
    }
}
