package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The threads that may use an arena.
interface ThreadContract extends ArenaUnderTest {

    @Test
    default void access_fromAnotherThread_isAsClaimed() {
        try (Arena arena = open()) {
            for (MemorySegment segment : List.of(arena.allocate(64, 8), arena.allocate(200_000, 8))) {
                segment.set(ValueLayout.JAVA_BYTE, 1, (byte) 7);
                assertAsClaimed(OtherThreads.thrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 1)));
                assertAsClaimed(OtherThreads.thrownInVirtualThreadBy(() -> segment.fill((byte) 8)));
                assertThat(segment.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) (capabilities().shared() ? 8 : 7));
            }
        }
    }

    @Test
    default void allocate_fromAnotherThread_isAsClaimed() {
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            live.add(arena.allocate(40, 8));
            long held = held().orElse(0);
            for (long byteSize : new long[]{0, 40, 200_000}) {
                assertAsClaimed(OtherThreads.thrownBy(() -> arena.allocate(byteSize, 8)));
                assertAsClaimed(OtherThreads.thrownInVirtualThreadBy(() -> arena.allocate(byteSize, 8)));
            }
            if (!capabilities().shared()) {
                assertThat(held().orElse(0)).as("memory held after the rejection").isEqualTo(held);
            }
            live.add(arena.allocate(40, 8));
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void close_fromAnotherThread_isAsClaimed() {
        Arena arena = open();
        LiveSegments live = new LiveSegments();
        live.add(arena.allocate(40, 8));
        long held = held().orElse(0);
        assertAsClaimed(OtherThreads.thrownBy(() -> {
            arena.close();
            return null;
        }));
        if (!capabilities().shared()) {
            assertThat(arena.scope().isAlive()).isTrue();
            assertThat(held().orElse(0)).as("memory held after the rejection").isEqualTo(held);
            live.add(arena.allocate(40, 8));
            live.assertDisjointAndIntact();
            arena.close();
        }
        endDeferred();
        assertThat(arena.scope().isAlive()).isFalse();
        assertThatThrownBy(() -> arena.allocate(8, 8)).isInstanceOf(IllegalStateException.class);
    }

    private void assertAsClaimed(@Nullable Throwable thrown) {
        if (capabilities().shared()) {
            assertThat(thrown).isNull();
        } else {
            assertThat(thrown).isInstanceOf(WrongThreadException.class);
        }
    }

    @Test
    default void open_inAPlatformThread_servesThatThread() {
        long before = held().orElse(0);
        assertThat(OtherThreads.thrownBy(this::useAnArena)).isNull();
        endDeferred();
        assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
    }

    @Test
    default void open_inAVirtualThread_servesThatThread() {
        long before = held().orElse(0);
        assertThat(OtherThreads.thrownInVirtualThreadBy(this::useAnArena)).isNull();
        endDeferred();
        assertThat(held().orElse(0)).as("memory held in the end").isEqualTo(before);
    }

    private Object useAnArena() throws InterruptedException {
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            for (long byteSize : new long[]{0, 1, 100, 5_000, 200_000}) {
                live.add(arena.allocate(byteSize, 8));
                // A virtual thread may continue in another carrier thread.
                Thread.sleep(1);
            }
            live.assertDisjointAndIntact();
            return arena.scope();
        }
    }
}
