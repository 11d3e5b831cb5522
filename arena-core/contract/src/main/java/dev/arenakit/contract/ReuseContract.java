package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Memory that has been released and may be reused.
interface ReuseContract extends ArenaUnderTest {

    @Test
    default void allocate_fromDirtyMemory_isZeroedAsClaimed() {
        Random random = new Random(20_260_102);
        dirty();
        for (int session = 0; session < 3; session++) {
            LiveSegments live = new LiveSegments();
            try (Arena arena = open()) {
                for (long byteSize : ContractSizes.OF_EVERY_CLASS) {
                    use(arena.allocate(byteSize, 1), live);
                    use(arena.allocate(random.nextLong(300), 1L << random.nextInt(4)), live);
                }
                live.assertDisjointAndIntact();
            }
        }
    }

    @Test
    default void allocate_byLayoutFromDirtyMemory_isZeroedAsClaimed() {
        dirty();
        for (int session = 0; session < 3; session++) {
            LiveSegments live = new LiveSegments();
            try (Arena arena = open()) {
                use(arena.allocate(100), live);
                use(arena.allocate(ValueLayout.JAVA_LONG), live);
                use(arena.allocate(ValueLayout.JAVA_INT, 1_000), live);
                use(arena.allocate(20_000), live);
                live.assertDisjointAndIntact();
            }
        }
    }

    /// Writes to new memory, which must be zeroed if this is claimed, and must not be used already.
    private void use(MemorySegment segment, LiveSegments live) {
        if (capabilities().zeroed()) {
            assertThat(LiveSegments.holdsOnly(segment, (byte) 0)).as("%s is zeroed", segment).isTrue();
        }
        live.add(segment);
    }

    @Test
    default void access_afterMemoryIsReused_isIllegalState() {
        List<LiveSegments> old = new ArrayList<>();
        for (int session = 0; session < 4; session++) {
            try (Arena arena = open()) {
                LiveSegments live = new LiveSegments();
                for (long byteSize : new long[]{8, 100, 5_000, 64 * ContractSizes.KIB, 200_000}) {
                    live.add(arena.allocate(byteSize, 8));
                }
                if (capabilities().deferredEnd()) {
                    live.assertDisjointFromAlive(old);
                } else {
                    old.forEach(LiveSegments::assertDead);
                }
                live.assertDisjointAndIntact();
                old.add(live);
            }
        }
        endDeferred();
        old.forEach(LiveSegments::assertDead);
    }

    @Test
    default void close_again_neverReleasesMemoryTwice() {
        for (int session = 0; session < 3; session++) {
            Arena closed = open();
            closed.allocate(1_000, 8);
            closed.close();
            assertThatThrownBy(closed::close).isInstanceOf(IllegalStateException.class);
            try (Arena first = open(); Arena second = open()) {
                LiveSegments live = new LiveSegments();
                live.add(first.allocate(1_000, 8));
                assertThatThrownBy(closed::close).isInstanceOf(IllegalStateException.class);
                live.add(second.allocate(1_000, 8));
                live.assertDisjointAndIntact();
            }
        }
    }

    @Test
    default void close_ofOneArena_leavesTheOthersAlone() {
        Arena previous = open();
        LiveSegments ofPrevious = new LiveSegments();
        for (int session = 1; session < 8; session++) {
            Arena arena = open();
            LiveSegments live = new LiveSegments(20 * session);
            for (long byteSize : new long[]{8, 1_000, 200_000}) {
                live.add(arena.allocate(byteSize, 8));
                ofPrevious.add(previous.allocate(byteSize, 8));
            }
            LiveSegments ofBoth = new LiveSegments();
            ofBoth.addAll(live);
            ofBoth.addAll(ofPrevious);
            ofBoth.assertDisjointAndIntact();
            previous.close();
            if (!capabilities().deferredEnd()) {
                ofPrevious.assertDead();
            }
            live.assertDisjointAndIntact();
            previous = arena;
            ofPrevious = live;
        }
        previous.close();
        endDeferred();
        ofPrevious.assertDead();
    }
}
