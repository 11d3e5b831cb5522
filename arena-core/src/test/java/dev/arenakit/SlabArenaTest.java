package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SlabArenaTest {
    private final SlabPool pool = SlabPool.builder().slabByteSize(4096).build();
    private final SlabArena arena = pool.openConfined();

    @AfterEach
    void everythingIsReleased() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        assertThat(pool.stats().openArenas()).isZero();
        assertThat(pool.stats().usedByteSize()).isZero();
        pool.close();
    }

    @Test
    void allocate_aboveAQuarterOfASlab_takesABlockOfItsOwnUnlessItFits() {
        arena.allocate(3000, 1);
        assertThat(pool.stats().usedByteSize()).isEqualTo(4096);
        arena.allocate(1097, 1);
        assertThat(pool.stats().usedByteSize()).isEqualTo(4096 + 1097);
        arena.allocate(1100, 2048);
        // A block with a larger alignment than malloc's takes its alignment as well.
        assertThat(pool.stats().usedByteSize()).isEqualTo(4096 + 1097 + 2 * 2048);
    }

    @Test
    void frame_hasAScopeOfItsOwnAndReleasesItsMemory() {
        MemorySegment below = arena.allocateFrom("below");
        MemorySegment inside;
        try (Arena frame = arena.pushFrame()) {
            inside = frame.allocateFrom("inside");
            assertThat(inside.scope()).isEqualTo(frame.scope()).isNotEqualTo(arena.scope());
        }
        assertThatThrownBy(() -> inside.getString(0)).isInstanceOf(IllegalStateException.class);
        try (Arena frame = arena.pushFrame()) {
            assertThat(frame.allocate(6, 1).address()).isEqualTo(inside.address());
            assertThatThrownBy(() -> inside.getString(0)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(below.getString(0)).isEqualTo("below");
        assertThat(arena.allocate(1, 1).address()).isEqualTo(below.address() + 8);
    }

    @Test
    void allocate_whileAFrameIsOpen_isRejected() {
        try (Arena frame = arena.pushFrame()) {
            assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> arena.allocate(100_000)).isInstanceOf(IllegalStateException.class);
            assertThat(frame.allocate(8).byteSize()).isEqualTo(8);
            try (Arena top = arena.pushFrame()) {
                assertThatThrownBy(() -> frame.allocate(8)).isInstanceOf(IllegalStateException.class);
                assertThat(top.allocate(8).byteSize()).isEqualTo(8);
            }
            assertThat(frame.allocate(8).byteSize()).isEqualTo(8);
        }
    }

    @Test
    void closeOfTheArena_whileFramesAreOpen_isRejectedWithTheirNumberAndChangesNothing() {
        MemorySegment below = arena.allocateFrom("below");
        SlabArena lower = arena.pushFrame();
        MemorySegment inLower = lower.allocate(2000, 1).fill((byte) 1);
        SlabArena upper = lower.pushFrame();
        MemorySegment inUpper = upper.allocate(10_000, 1).fill((byte) 2);
        long used = pool.stats().usedByteSize();

        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class)
                .hasMessage("Arena has open frames: openFrames=2; close them before the arena");
        assertThatThrownBy(lower::close).isInstanceOf(IllegalStateException.class)
                .hasMessage("Another frame is open above this one: openFrames=1; close frames in reverse order");
        assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("openArenas=1");

        assertThat(pool.stats().usedByteSize()).isEqualTo(used);
        assertThat(below.getString(0)).isEqualTo("below");
        assertThat(Bytes.allAre(inLower, (byte) 1)).isTrue();
        assertThat(Bytes.allAre(inUpper, (byte) 2)).isTrue();
        assertThat(upper.allocate(8).byteSize()).isEqualTo(8);
        upper.close();
        assertThatThrownBy(arena::close).hasMessageContaining("openFrames=1");
        lower.close();
        arena.close();
        assertThatThrownBy(lower::close).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(arena::pushFrame).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lower::pushFrame).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void frame_acrossSlabsAndBlocks_releasesThemWhenItIsClosed() {
        MemorySegment outside = arena.allocate(5000, 8);
        outside.fill((byte) 7);
        long before = pool.stats().usedByteSize();
        try (Arena frame = arena.pushFrame()) {
            for (int i = 0; i < 20; i++) {
                frame.allocate(1000, 8).fill((byte) 1);
                frame.allocate(3000, 8).fill((byte) 2);
            }
            assertThat(pool.stats().usedByteSize()).isGreaterThan(before + 70_000);
        }
        assertThat(pool.stats().usedByteSize()).isEqualTo(before);
        try (Arena frame = arena.pushFrame()) {
            frame.allocate(10_000, 8);
        }
        assertThat(pool.stats().usedByteSize()).as("a large block alone").isEqualTo(before);
        assertThat(outside.get(ValueLayout.JAVA_BYTE, 4999)).isEqualTo((byte) 7);
    }

    @Test
    void frames_atRandom_zeroWhatTheyUsedAndNothingElse() {
        Random random = new Random(42);
        for (int round = 0; round < 200; round++) {
            try (SlabArena arena = pool.openConfined()) {
                List<Arena> frames = new ArrayList<>();
                List<List<MemorySegment>> live = new ArrayList<>();
                live.add(new ArrayList<>());
                for (int step = 0; step < 60; step++) {
                    Arena top = frames.isEmpty() ? arena : frames.getLast();
                    switch (random.nextInt(8)) {
                        case 0 -> {
                            frames.add(arena.pushFrame());
                            live.add(new ArrayList<>());
                        }
                        case 1 -> {
                            if (!frames.isEmpty()) {
                                frames.removeLast().close();
                                live.removeLast();
                            }
                        }
                        default -> {
                            MemorySegment segment = top.allocate(random.nextInt(1500), 1L << random.nextInt(5));
                            assertThat(Bytes.allAre(segment, (byte) 0)).isTrue();
                            segment.fill((byte) live.size());
                            live.getLast().add(segment);
                        }
                    }
                    for (int depth = 0; depth < live.size(); depth++) {
                        for (MemorySegment segment : live.get(depth)) {
                            assertThat(Bytes.allAre(segment, (byte) (depth + 1))).isTrue();
                        }
                    }
                }
                frames.reversed().forEach(Arena::close);
            }
        }
    }

    @Test
    void closeOfAFrame_inUse_isRejectedAndChangesNothing() {
        try (SlabArena frame = arena.pushFrame()) {
            MemorySegment segment = frame.allocateFrom("in use");
            ScopeAccess.runWhileInUse(segment, () -> {
                assertThatThrownBy(frame::close).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
            });
            assertThat(segment.getString(0)).isEqualTo("in use");
            assertThat(frame.allocate(1, 1).address()).isEqualTo(segment.address() + 8);
        }
    }

    @Test
    void closeOfAClosedFrame_whileALaterFrameIsOpen_isRejectedAndChangesNothing() {
        SlabArena closed = arena.pushFrame();
        closed.close();
        assertRejected(closed);
    }

    @Test
    void closeOfAFrameWhoseCleanupHasThrown_whileALaterFrameIsOpen_isRejectedAndChangesNothing() {
        SlabArena closed = arena.pushFrame();
        ScopeAccess.addCleanup(closed.scope(), () -> {
            throw new UnsupportedOperationException("from a cleanup");
        });
        assertThatThrownBy(closed::close).isInstanceOf(UnsupportedOperationException.class);
        assertRejected(closed);
    }

    private void assertRejected(SlabArena closed) {
        try (SlabArena open = arena.pushFrame()) {
            MemorySegment segment = open.allocate(100, 8).fill((byte) 1);
            assertThatThrownBy(closed::close).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> closed.allocate(8)).isInstanceOf(IllegalStateException.class);
            assertThat(Bytes.allAre(segment, (byte) 1)).isTrue();
            assertThat(open.allocate(8).address()).isEqualTo(segment.address() + 104);
        }
    }

    @Test
    void pushFrame_onASharedArena_isUnsupported() {
        try (SlabArena shared = pool.openShared()) {
            assertThatThrownBy(shared::pushFrame).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void pushFrame_inAnotherThread_isRejected() {
        assertThat(Threads.thrownBy(arena::pushFrame)).isInstanceOf(WrongThreadException.class);
    }
}
