package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SlabPoolTest {
    @Test
    void close_whileArenasAreOpen_isRejectedWithTheirNumberAndChangesNothing() {
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
    void open_onAClosedPool_isRejected() {
        SlabPool pool = SlabPool.create();
        pool.openConfined().close();
        pool.openShared().close();
        pool.close();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(pool::openConfined).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(pool::openShared).isInstanceOf(IllegalStateException.class);
        }
        assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(0, 0, 0, Long.MAX_VALUE));
        assertThat(pool.trim()).isZero();
    }

    @Test
    void maxByteSize_limitsUsedAndIdleMemory() {
        try (SlabPool pool = SlabPool.builder().slabByteSize(4096).maxByteSize(3 * 4096 + 100).build()) {
            SlabArena first = pool.openConfined();
            SlabArena second = pool.openConfined();
            SlabArena third = pool.openShared();
            assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(pool::openConfined)
                    .withMessage("Pool is full: limit=12388, used=12288, requested=4096, openArenas=3; close arenas "
                            + "sooner, or raise maxByteSize")
                    .satisfies(e -> {
                        assertThat(e.limit()).isEqualTo(3 * 4096 + 100);
                        assertThat(e.used()).isEqualTo(3 * 4096);
                        assertThat(e.requested()).isEqualTo(4096);
                    });
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(3, 3 * 4096, 0, 3 * 4096 + 100));
            // A large block gets the memory of an idle slab.
            third.close();
            MemorySegment block = second.allocate(4100, 8);
            assertThat(PoolUse.of(pool)).isEqualTo(new PoolUse(2, 2 * 4096 + 4100, 0, 3 * 4096 + 100));
            assertThatThrownBy(pool::openConfined).isInstanceOf(CapacityExceededException.class);
            assertThatThrownBy(() -> first.allocate(5000, 8)).isInstanceOf(CapacityExceededException.class);
            block.fill((byte) 1);
            second.close();
            pool.openConfined().close();
            first.close();
        }
    }

    @Test
    void allocate_inAFullPool_leavesTheArenaAsItWas() {
        try (SlabPool pool = SlabPool.builder().slabByteSize(1024).maxByteSize(1024).build();
                SlabArena arena = pool.openConfined()) {
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                segments.add(arena.allocate(240, 1));
                segments.getLast().fill((byte) i);
            }
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(CapacityExceededException.class);
            }
            MemorySegment small = arena.allocate(24, 1);
            assertThat(small.address()).isEqualTo(segments.getFirst().address() + 960);
            for (int i = 0; i < 4; i++) {
                assertThat(segments.get(i).get(ValueLayout.JAVA_BYTE, 239)).isEqualTo((byte) i);
            }
        }
    }

    @Test
    void builder_withBadValues_namesThem() {
        SlabPool.Builder builder = SlabPool.builder();
        for (long size : new long[]{0, -1, 1000, 512, 1L << 31, Long.MIN_VALUE}) {
            assertRefused(() -> builder.slabByteSize(size), "slabByteSize=" + size);
        }
        for (long limit : new long[]{0, -1}) {
            assertRefused(() -> builder.maxByteSize(limit), "maxByteSize=" + limit);
        }
        builder.slabByteSize(2048).maxByteSize(2047);
        assertRefused(builder::build, "maxByteSize=2047", "slabByteSize=2048");
    }

    static long addressOfOne(SlabArena arena) {
        try (arena) {
            return arena.allocate(8).address();
        }
    }
}
