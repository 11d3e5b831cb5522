package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Scopes, close, and calls after close.
interface LifetimeContract extends ArenaUnderTest {

    @Test
    default void scope_ofASegment_isTheArenasOrItsOwnAsClaimed() {
        try (Arena arena = open()) {
            List<MemorySegment> segments = List.of(arena.allocate(8, 8), arena.allocate(8, 8), arena.allocate(0, 1),
                    arena.allocate(1 << 20, 1), arena.allocateFrom("text"));
            if (capabilities().scopePerAllocation()) {
                assertThat(segments).extracting(MemorySegment::scope)
                        .doesNotHaveDuplicates()
                        .doesNotContain(arena.scope());
            } else {
                assertThat(segments).extracting(MemorySegment::scope).containsOnly(arena.scope());
            }
        }
    }

    @Test
    default void scope_ofArenasOpenAtTheSameTime_differs() {
        assumeFalse(capabilities().deferredEnd(), "several arenas may have one scope");
        try (Arena first = open(); Arena second = open()) {
            assertThat(first.scope()).isNotEqualTo(second.scope());
            assertThat(first.allocate(8).scope()).isNotEqualTo(second.allocate(8).scope());
        }
    }

    @Test
    default void scope_isAliveUntilClose() {
        Arena arena = open();
        MemorySegment.Scope scope = arena.scope();
        MemorySegment.Scope ofSegment = arena.allocate(8, 8).scope();
        assertThat(scope.isAlive()).isTrue();
        assertThat(ofSegment.isAlive()).isTrue();
        arena.close();
        endDeferred();
        assertThat(scope.isAlive()).isFalse();
        assertThat(ofSegment.isAlive()).isFalse();
        assertThat(arena.scope()).isEqualTo(scope);
    }

    @Test
    default void access_afterClose_isIllegalState() {
        Arena arena = open();
        List<MemorySegment> segments = List.of(arena.allocate(16, 8), arena.allocate(100_000, 8),
                arena.allocate(3 << 20, 1), arena.allocate(32, 1).asSlice(8), arena.allocate(8).asReadOnly());
        ByteBuffer buffer = arena.allocate(16, 8).asByteBuffer();
        arena.close();
        endDeferred();
        byte[] bytes = new byte[1];
        for (MemorySegment segment : segments) {
            for (MemorySegment each : List.of(segment, segment.asSlice(0, 1))) {
                assertThatThrownBy(() -> each.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> each.toArray(ValueLayout.JAVA_BYTE)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> MemorySegment.copy(each, ValueLayout.JAVA_BYTE, 0, bytes, 0, 1))
                        .isInstanceOf(IllegalStateException.class);
                if (!each.isReadOnly()) {
                    assertThatThrownBy(() -> each.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
                            .isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(() -> each.fill((byte) 1)).isInstanceOf(IllegalStateException.class);
                }
            }
        }
        assertThatThrownBy(() -> buffer.get(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> buffer.put(0, (byte) 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    default void allocate_afterClose_isIllegalState() {
        Arena unused = open();
        unused.close();
        Arena used = open();
        used.allocate(100, 8);
        used.close();
        long held = held().orElse(0);
        for (Arena closed : List.of(unused, used)) {
            for (long byteSize : new long[]{0, 1, 100, 100_000, 3 << 20}) {
                assertThatThrownBy(() -> closed.allocate(byteSize, 1)).isInstanceOf(IllegalStateException.class);
            }
            assertThatThrownBy(() -> closed.allocate(8)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> closed.allocate(ValueLayout.JAVA_LONG, 2))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> closed.allocateFrom("text")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> closed.allocateFrom(ValueLayout.JAVA_INT, 1, 2, 3))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(held().orElse(0)).as("memory held after the rejection").isEqualTo(held);
    }

    @Test
    default void close_again_isIllegalState() {
        Arena unused = open();
        unused.close();
        Arena used = open();
        used.allocate(100, 8);
        used.close();
        for (Arena closed : List.of(unused, used)) {
            assertThatThrownBy(closed::close).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(closed::close).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    default void close_always_releasesTheMemory() {
        long before = held().orElse(0);
        for (int session = 0; session < 3; session++) {
            Arena arena = open();
            for (long byteSize : ContractSizes.OF_EVERY_CLASS) {
                arena.allocate(byteSize, 1);
            }
            held().ifPresent(held -> assertThat(held).as("memory held while open").isGreaterThan(before));
            arena.close();
            endDeferred();
            assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
            assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
            assertThat(held().orElse(0)).as("memory held after a second close").isEqualTo(before);
        }
    }

    @Test
    default void close_whileASegmentIsInUse_isRejectedOrDeferredAsClaimed() {
        // The JDK has no asynchronous input into confined memory.
        if (capabilities().shared() && !capabilities().deferredEnd()) {
            closeWhileAReadIsPending();
        }
        assumeTrue(AddressAccess.isEnabled(), "native access is denied");
        Arena arena = open();
        LiveSegments live = new LiveSegments();
        MemorySegment held = live.add(arena.allocate(64, 8));
        if (capabilities().deferredEnd()) {
            AddressAccess.runWhileInUse(held, () -> assertCloseKeepsTheMemory(arena, live));
            endDeferred();
            live.assertDead();
        } else {
            AddressAccess.runWhileInUse(held, () -> assertCloseIsRejected(arena, live));
            assertUsableAndCloses(arena, live);
        }
    }

    private void closeWhileAReadIsPending() {
        Arena arena = open();
        LiveSegments live = new LiveSegments();
        MemorySegment held = live.add(arena.allocate(64, 8));
        try (PendingRead read = new PendingRead(held.asByteBuffer())) {
            assertCloseIsRejected(arena, live);
            read.complete(held.get(ValueLayout.JAVA_BYTE, 0));
        }
        assertUsableAndCloses(arena, live);
    }

    private void assertCloseIsRejected(Arena arena, LiveSegments live) {
        long held = held().orElse(0);
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        assertThat(arena.scope().isAlive()).isTrue();
        assertThat(held().orElse(0)).as("memory held after the rejection").isEqualTo(held);
        live.add(arena.allocate(64, 8));
        live.add(arena.allocate(200_000, 8));
        // If the memory had already been released, this arena would reuse it.
        try (Arena other = open()) {
            other.allocate(64, 8).fill((byte) 0xFF);
            other.allocate(200_000, 8).fill((byte) 0xFF);
            live.assertDisjointAndIntact();
        }
    }

    private void assertUsableAndCloses(Arena arena, LiveSegments live) {
        live.add(arena.allocate(64, 8));
        live.assertDisjointAndIntact();
        arena.close();
        live.assertDead();
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
    }

    private void assertCloseKeepsTheMemory(Arena arena, LiveSegments live) {
        arena.close();
        endDeferred();
        assertThat(arena.scope().isAlive()).isTrue();
        assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        try (Arena other = open()) {
            live.add(other.allocate(64, 8));
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void close_whenACleanupThrows_throwsItAndReleasesEverything() {
        assumeTrue(AddressAccess.isEnabled(), "native access is denied");
        assumeFalse(capabilities().deferredEnd(), "the cleanup runs later");
        long before = held().orElse(0);
        Arena arena = open();
        MemorySegment segment = arena.allocate(64, 8);
        MemorySegment large = arena.allocate(3 << 20, 8);
        RuntimeException fault = new UnsupportedOperationException("from a cleanup");
        AddressAccess.addCleanup(arena, () -> {
            throw fault;
        });
        assertThatThrownBy(arena::close).isSameAs(fault);
        assertThat(arena.scope().isAlive()).isFalse();
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> large.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.allocate(8, 8)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        assertThat(held().orElse(0)).as("memory held after close").isEqualTo(before);
    }
}
