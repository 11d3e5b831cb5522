package dev.arenakit;

import dev.arenakit.diagnostics.ArenaRecorder;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A recorder gets each call of a pool's arenas. The counts are counted by hand.
class SlabPoolRecorderTest {
    private static final int THREADS = 4;

    private final CountingRecorder recorder = new CountingRecorder();

    private static Stream<Named<UnaryOperator<SlabPool.Builder>>> kinds() {
        return Stream.of(Named.of("plain", builder -> builder),
                Named.of("waiting", builder -> builder.openTimeout(Duration.ofMinutes(1))),
                Named.of("sampled", builder -> builder.leakDetection(LeakDetection.SAMPLED)),
                Named.of("watched", builder -> builder.leakDetection(LeakDetection.ALL)),
                Named.of("grouped", builder -> builder.groupedClose(3)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void recorder_arenasAndFramesOfThreads_areCounted(UnaryOperator<SlabPool.Builder> kind) throws Exception {
        try (SlabPool pool = kind.apply(SlabPool.builder().recorder(recorder)).build()) {
            try (SlabArena shared = pool.openShared()) {
                Threads.race(THREADS, _ -> {
                    for (int i = 0; i < 10; i++) {
                        try (SlabArena arena = pool.openConfined()) {
                            arena.allocate(100);
                            try (SlabArena frame = arena.pushFrame(); SlabArena inner = frame.pushFrame()) {
                                inner.allocate(20);
                                shared.allocate(3);
                            }
                        }
                    }
                });
                assertThat(recorder.open()).isEqualTo(Map.of(1L, 40L));
            }
            assertThat(pool.stats().openArenas()).isZero();
        }
        assertThat(recorder.open()).isEmpty();
        assertThat(recorder.opened()).isEqualTo(1 + THREADS * 10 * 3);
        assertThat(recorder.openedShared()).isOne();
        assertThat(recorder.allocations()).isEqualTo(THREADS * 10 * 3);
        assertThat(recorder.byteSize()).isEqualTo(THREADS * 10 * 123);
    }

    @Test
    void detach_recordedArena_isOneArenaUntilTheAttachedIsClosed() {
        try (SlabPool pool = SlabPool.builder().recorder(recorder).build()) {
            SlabArena first = pool.openConfined();
            MemorySegment old = first.allocate(8).fill((byte) 7);
            SlabParcel parcel = first.detach();
            first.close();
            assertThat(recorder.open()).isEqualTo(Map.of(1L, 1L));
            try (SlabArena second = parcel.attach()) {
                parcel.close();
                second.allocate(16);
                assertThat(Bytes.allAre(parcel.segment(old), (byte) 7)).isTrue();
                assertThat(recorder.open()).isEqualTo(Map.of(1L, 2L));
            }
            assertThat(recorder.open()).isEmpty();
            SlabParcel unused = pool.openConfined().detach();
            unused.close();
            unused.close();
            assertThat(recorder.open()).isEmpty();
        }
    }

    @Test
    void allocate_refused_isNotRecorded() {
        try (SlabPool pool = SlabPool.builder().recorder(recorder).build(); SlabArena arena = pool.openConfined()) {
            assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
            try (SlabArena _ = arena.pushFrame()) {
                assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(arena::detach).isInstanceOf(IllegalStateException.class);
            }
            assertThat(recorder.open()).isEqualTo(Map.of(1L, 0L));
        }
    }

    @Test
    void open_recorderThrowsOrRecordsNothing_leavesNoArenaOpen() {
        long[] answer = {0};
        ArenaRecorder moody = new ArenaRecorder() {
            @Override
            public long opened(boolean isShared) {
                if (answer[0] < 0) {
                    throw new IllegalStateException("recorder");
                }
                return answer[0];
            }

            @Override
            public void allocated(long arena, long byteSize, long byteAlignment) {
                throw new AssertionError();
            }

            @Override
            public void closed(long arena) {
                throw new AssertionError();
            }
        };
        try (SlabPool pool = SlabPool.builder().recorder(moody).build(); SlabArena arena = pool.openConfined()) {
            arena.allocate(8);
            answer[0] = -1;
            assertThatThrownBy(pool::openConfined).hasMessage("recorder");
            assertThatThrownBy(pool::openShared).hasMessage("recorder");
            assertThat(pool.stats().openArenas()).isOne();
        }
    }
}
