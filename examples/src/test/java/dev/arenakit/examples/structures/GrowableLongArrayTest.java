package dev.arenakit.examples.structures;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GrowableLongArrayTest {
    @Test
    void addAndSet_atRandom_agreeWithAList() {
        Random random = new Random(25);
        List<Long> expected = new ArrayList<>();
        try (GrowableLongArray array = GrowableLongArray.owning(MallocArena::ofConfined, 1)) {
            for (int i = 0; i < 10_000; i++) {
                long value = random.nextLong();
                if (expected.isEmpty() || random.nextInt(3) > 0) {
                    array.add(value);
                    expected.add(value);
                } else {
                    int index = random.nextInt(expected.size());
                    array.set(index, value);
                    expected.set(index, value);
                }
            }
            assertThat(array.size()).isEqualTo(expected.size());
            assertThat(array.asSegment().toArray(JAVA_LONG))
                    .containsExactly(expected.stream().mapToLong(Long::longValue).toArray());
            assertThat(array.get(expected.size() - 1)).isEqualTo(expected.getLast());
        }
    }

    @Test
    void grow_owning_endsTheOldTable() {
        try (GrowableLongArray array = GrowableLongArray.owning(Arena::ofConfined, 2)) {
            array.add(1);
            array.add(2);
            MemorySegment old = array.asSegment();
            array.add(3);
            assertThat(old.scope().isAlive()).isFalse();
            assertThat(array.capacity()).isEqualTo(4);
        }
    }

    @Test
    void grow_inOneLifetime_keepsTheOldTable() {
        try (Arena arena = Arena.ofConfined()) {
            GrowableLongArray array = GrowableLongArray.in(arena, 1);
            array.add(1);
            MemorySegment old = array.asSegment();
            array.add(2);
            array.set(0, 7);
            assertThat(old.getAtIndex(JAVA_LONG, 0)).isEqualTo(1);
            assertThat(array.get(0)).isEqualTo(7);
        }
    }

    @Test
    void grow_refused_leavesTheArrayAsItWas() {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator small = (byteSize, byteAlignment) -> {
                if (byteSize > 16) {
                    throw new OutOfMemoryError("byteSize=" + byteSize);
                }
                return arena.allocate(byteSize, byteAlignment);
            };
            GrowableLongArray array = GrowableLongArray.in(small, 2);
            array.add(1);
            array.add(2);
            assertThatThrownBy(() -> array.add(3)).isInstanceOf(OutOfMemoryError.class);
            assertThat(array.asSegment().toArray(JAVA_LONG)).containsExactly(1, 2);
        }
    }

    @Test
    void grow_oldTableCannotBeClosed_leavesTheArrayAsItWasAndClosesTheNewTable() {
        List<Arena> opened = new ArrayList<>();
        Supplier<Arena> arenas = () -> {
            opened.add(new BusyArena(Arena.ofConfined()));
            return opened.getLast();
        };
        GrowableLongArray array = GrowableLongArray.owning(arenas, 1);
        array.add(1);
        ((BusyArena) opened.getFirst()).busy = true;
        assertThatIllegalStateException().isThrownBy(() -> array.add(2));
        assertThat(array.asSegment().toArray(JAVA_LONG)).containsExactly(1);
        assertThat(opened.getLast().scope().isAlive()).isFalse();

        ((BusyArena) opened.getFirst()).busy = false;
        array.add(2);
        array.close();
        assertThat(opened).hasSize(3).noneMatch(arena -> arena.scope().isAlive());
    }

    @Test
    void owning_firstTableRefused_closesItsArena() {
        Arena arena = Arena.ofConfined();
        assertThatThrownBy(() -> GrowableLongArray.owning(() -> arena, Long.MAX_VALUE / 8))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(arena.scope().isAlive()).isFalse();
    }

    /// An arena that refuses to close, as an arena does while a native call uses a segment.
    private static final class BusyArena implements Arena {
        private final Arena arena;
        private boolean busy;

        BusyArena(Arena arena) {
            this.arena = arena;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return arena.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {
            if (busy) {
                throw new IllegalStateException("busy");
            }
            arena.close();
        }
    }
}
