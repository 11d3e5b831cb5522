package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Memory that has been given back and may be lent again.
interface ReuseContract extends ArenaUnderTest {

    @Test
    default void allocate_fromDirtiedMemory_isZeroedAsClaimed() {
        assumeTrue(capabilities().zeroed(), "memory holds anything");
        for (int session = 0; session < 3; session++) {
            dirty();
            try (Arena arena = open()) {
                for (long byteAlignment : new long[]{1, Math.min(64, capabilities().largestAlignment())}) {
                    for (long byteSize : Sizes.OF_EVERY_CLASS) {
                        MemorySegment segment = arena.allocate(byteSize, byteAlignment);
                        assertThat(LiveSegments.holdsOnly(segment, (byte) 0)).as("%s is zeroed", segment).isTrue();
                        segment.fill((byte) 0xFF);
                    }
                }
            }
        }
    }

    @Test
    default void allocate_byLayoutFromDirtiedMemory_isZeroedAsClaimed() {
        assumeTrue(capabilities().zeroed(), "memory holds anything");
        dirty();
        try (Arena arena = open()) {
            for (MemorySegment segment : List.of(arena.allocate(100), arena.allocate(ValueLayout.JAVA_LONG),
                    arena.allocate(ValueLayout.JAVA_INT, 1_000), arena.allocate(20_000))) {
                assertThat(LiveSegments.holdsOnly(segment, (byte) 0)).as("%s is zeroed", segment).isTrue();
            }
        }
    }

    @Test
    default void access_afterMemoryIsLentAgain_isIllegalState() {
        List<MemorySegment> old = new ArrayList<>();
        for (int session = 0; session < 4; session++) {
            try (Arena arena = open()) {
                LiveSegments live = new LiveSegments();
                for (long byteSize : new long[]{8, 100, 5_000, 64 << 10, 200_000}) {
                    live.add(arena.allocate(byteSize, 8));
                }
                for (MemorySegment segment : old) {
                    assertThat(segment.scope().isAlive()).isFalse();
                    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
                            .isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(() -> segment.fill((byte) 0)).isInstanceOf(IllegalStateException.class);
                }
                live.assertDisjointAndIntact();
                old.addAll(live.segments());
            }
        }
    }

    @Test
    default void open_afterARefusedCloseOfAnOlderArena_neverSharesMemory() {
        for (int session = 0; session < 3; session++) {
            Arena closed = open();
            closed.allocate(1_000, 8);
            closed.close();
            assertThatThrownBy(closed::close).isInstanceOf(IllegalStateException.class);
            try (Arena first = open(); Arena second = open()) {
                LiveSegments live = new LiveSegments();
                assertThatThrownBy(closed::close).isInstanceOf(IllegalStateException.class);
                for (int i = 0; i < 20; i++) {
                    live.add(first.allocate(1_000, 8));
                    live.add(second.allocate(1_000, 8));
                }
                live.assertDisjointAndIntact();
            }
        }
    }
}
