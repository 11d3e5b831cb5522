package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Arenas whose memory changes hands.
class SlabParcelTest {
    private static final long SLAB = 4096;

    private final CountingAllocator counting = new CountingAllocator();
    private final SlabPool pool = SlabPool.builder().slabByteSize(SLAB).allocator(counting.allocator()).build();

    @AfterEach
    void nothingIsLeft() {
        assertThat(pool.stats().openArenas()).isZero();
        assertThat(pool.stats().usedByteSize()).isZero();
        pool.close();
        counting.assertNothingHeld();
    }

    /// Blocks in several slabs, and large blocks.
    private static List<MemorySegment> allocate(SlabArena arena) {
        List<MemorySegment> segments = new ArrayList<>();
        for (long byteSize : new long[]{8, 1000, 1000, 1000, 50_000, 1000, 1000, 1000, 1000, 70_000, 0, 1}) {
            MemorySegment segment = arena.allocate(byteSize, 8);
            Bytes.fill(segment, segments.size());
            segments.add(segment);
        }
        return segments;
    }

    private void assertPoolIsZeroed() {
        try (SlabArena first = pool.openConfined(); SlabArena second = pool.openConfined()) {
            for (SlabArena arena : List.of(first, second)) {
                for (int i = 0; i < 12; i++) {
                    assertThat(Bytes.allAre(arena.allocate(1000, 8), (byte) 0)).isTrue();
                }
            }
        }
    }

    @Test
    void detach_endsTheArenaAndItsSegments() {
        SlabArena arena = pool.openConfined();
        MemorySegment segment = arena.allocate(JAVA_LONG);
        SlabParcel parcel = arena.detach();
        assertThat(arena.scope().isAlive()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> segment.get(JAVA_LONG, 0));
        assertThatIllegalStateException().isThrownBy(() -> arena.allocate(8)).withMessage("Already closed");
        assertThatIllegalStateException().isThrownBy(arena::pushFrame);
        assertThatIllegalStateException().isThrownBy(arena::detach).withMessage("Already closed");
        assertThat(Threads.thrownBy(arena::close)).isInstanceOf(WrongThreadException.class);
        arena.close();
        arena.close();
        assertThat(pool.stats().openArenas()).isEqualTo(1);
        parcel.attach().close();
        arena.close();
    }

    @Test
    void detach_withAnOpenFrame_isRefusedAndChangesNothing() {
        SlabArena arena = pool.openConfined();
        SlabArena frame = arena.pushFrame();
        MemorySegment segment = frame.allocate(JAVA_LONG);
        assertThatIllegalStateException().isThrownBy(arena::detach)
                .withMessage("Arena has open frames: openFrames=1; close them before the arena is detached");
        assertThatThrownBy(frame::detach).isInstanceOf(UnsupportedOperationException.class);
        segment.set(JAVA_LONG, 0, 1);
        frame.close();
        arena.detach().close();
    }

    @Test
    void detach_byAnotherThread_isRefused() {
        try (SlabArena arena = pool.openConfined(); SlabArena shared = pool.openShared()) {
            assertThat(Threads.thrownBy(arena::detach)).isInstanceOf(WrongThreadException.class);
            assertThatThrownBy(shared::detach).isInstanceOf(UnsupportedOperationException.class);
            assertThat(arena.allocate(JAVA_LONG).get(JAVA_LONG, 0)).isZero();
        }
        SlabArena closed = pool.openConfined();
        closed.close();
        assertThatIllegalStateException().isThrownBy(closed::detach).withMessage("Already closed");
    }

    @Test
    void detach_whileASegmentIsInUse_isRefusedAndChangesNothing() {
        SlabArena arena = pool.openConfined();
        MemorySegment segment = arena.allocate(100, 8);
        ScopeAccess.runWhileInUse(segment, () -> assertThatIllegalStateException().isThrownBy(arena::detach));
        segment.fill((byte) 1);
        arena.allocate(1000, 8);
        SlabParcel parcel = arena.detach();
        try (SlabArena _ = parcel.attach()) {
            assertThat(Bytes.allAre(parcel.segment(segment), (byte) 1)).isTrue();
        }
    }

    @Test
    void detach_runsCleanupsWhichFindTheMemoryAndCannotUseTheArena() {
        SlabArena arena = pool.openConfined();
        MemorySegment segment = arena.allocate(100, 8).fill((byte) 1);
        MemorySegment unscoped = MemorySegment.ofAddress(segment.address());
        List<@Nullable Throwable> thrown = new ArrayList<>();
        ScopeAccess.addCleanup(arena.scope(), () -> {
            thrown.add(catchThrowable(arena::detach));
            thrown.add(catchThrowable(arena::close));
            thrown.add(catchThrowable(() -> arena.allocate(8)));
            thrown.add(catchThrowable(pool::close));
            thrown.add(Threads.thrownBy(arena::detach));
            // Another arena of the thread may be detached meanwhile.
            SlabArena other = pool.openConfined();
            other.detach().close();
        });
        SlabParcel parcel = arena.detach();
        assertThat(thrown).hasSize(5).doesNotContainNull();
        try (SlabArena _ = parcel.attach()) {
            assertThat(parcel.segment(segment).address()).isEqualTo(unscoped.address());
            assertThat(Bytes.allAre(parcel.segment(segment), (byte) 1)).isTrue();
        }
    }

    @Test
    void detach_whoseCleanupThrows_releasesAllMemory() {
        SlabArena arena = pool.openConfined();
        allocate(arena);
        ScopeAccess.addCleanup(arena.scope(), () -> {
            throw new IllegalCallerException("by a cleanup");
        });
        assertThatThrownBy(arena::detach).isInstanceOf(IllegalCallerException.class);
        assertThat(pool.stats().openArenas()).isZero();
        assertThatIllegalStateException().isThrownBy(arena::close);
        assertPoolIsZeroed();
    }

    @Test
    void close_ofAParcel_byAnotherThread_releasesAndZeroesItsMemory() {
        SlabArena arena = pool.openConfined();
        List<MemorySegment> old = allocate(arena);
        SlabParcel parcel = arena.detach();
        assertThatIllegalStateException().isThrownBy(pool::close).withMessageContaining("openArenas=1");
        assertThat(Threads.thrownBy(parcel::close)).isNull();
        parcel.close();
        assertThat(pool.stats().openArenas()).isZero();
        assertThatIllegalStateException().isThrownBy(parcel::attach).withMessage("Parcel is closed");
        assertThatIllegalStateException().isThrownBy(() -> parcel.segment(old.getFirst()));
        assertPoolIsZeroed();
    }

    @Test
    void segment_ofAPart_isAPartOfTheMemory() {
        SlabArena arena = pool.openConfined();
        MemorySegment small = arena.allocate(100, 8).fill((byte) 1);
        MemorySegment large = arena.allocate(10_000, 8).fill((byte) 2);
        SlabParcel parcel = arena.detach();
        try (SlabArena attached = parcel.attach()) {
            assertThat(parcel.segment(small).scope()).isEqualTo(attached.scope());
            assertThat(parcel.segment(small.asSlice(10, 50)).byteSize()).isEqualTo(50);
            assertThat(parcel.segment(large.asSlice(9_000)).address()).isEqualTo(large.address() + 9_000);
            assertThat(parcel.segment(small.asSlice(100)).byteSize()).isZero();
            MemorySegment readOnly = parcel.segment(small.asReadOnly());
            assertThat(readOnly.isReadOnly()).isTrue();
            assertThat(Bytes.allAre(readOnly, (byte) 1)).isTrue();
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void segment_ofOtherMemory_isRefused() {
        SlabArena arena = pool.openConfined();
        MemorySegment small = arena.allocate(100, 8);
        MemorySegment framed;
        try (SlabArena frame = arena.pushFrame()) {
            framed = frame.allocate(8);
        }
        // Memory that is attached to the scope, and memory beyond what was allocated.
        MemorySegment foreign = Arena.global().allocate(8).reinterpret(arena, null);
        MemorySegment beyond = small.reinterpret(101 + 7, arena, null);
        MemorySegment before = MemorySegment.ofAddress(small.address() - 8).reinterpret(16, arena, null);
        MemorySegment all = MemorySegment.NULL.reinterpret(Long.MAX_VALUE, arena, null);
        SlabParcel parcel = arena.detach();
        assertThatIllegalStateException().isThrownBy(() -> parcel.segment(small)).withMessage("Parcel is not attached");
        SlabArena attached = parcel.attach();
        MemorySegment later = attached.allocate(8);
        MemorySegment laterLarge = attached.allocate(10_000);
        try (SlabArena other = pool.openConfined()) {
            for (MemorySegment refused : List.of(framed, foreign, beyond, before, all, later, laterLarge,
                    other.allocate(8), MemorySegment.ofArray(new byte[8]), MemorySegment.NULL)) {
                assertRefused(() -> parcel.segment(refused), "address=0x", "byteSize=");
            }
        }
        assertThat(parcel.segment(small).byteSize()).isEqualTo(100);
        assertThat(Threads.thrownBy(() -> parcel.segment(small))).isInstanceOf(WrongThreadException.class);
        attached.close();
        assertThatIllegalStateException().isThrownBy(() -> parcel.segment(small)).withMessage("Already closed");
    }

    @Test
    void attachedArena_withFramesAndSlabs_isDetachedAgain() {
        SlabArena arena = pool.openConfined();
        MemorySegment first = arena.allocate(100, 8).fill((byte) 1);
        SlabParcel parcel = arena.detach();
        for (int i = 0; i < 5; i++) {
            AtomicReference<@Nullable MemorySegment> next = new AtomicReference<>();
            AtomicReference<@Nullable SlabParcel> nextParcel = new AtomicReference<>();
            SlabParcel current = parcel;
            MemorySegment old = first;
            Threads.inVirtualThread(() -> {
                try (SlabArena attached = current.attach()) {
                    MemorySegment segment = current.segment(old);
                    assertThat(Bytes.allAre(segment, (byte) 1)).isTrue();
                    try (SlabArena frame = attached.pushFrame()) {
                        allocate(frame);
                    }
                    allocate(attached);
                    next.set(segment);
                    nextParcel.set(attached.detach());
                }
            });
            first = Objects.requireNonNull(next.get());
            parcel = Objects.requireNonNull(nextParcel.get());
        }
        parcel.close();
        assertPoolIsZeroed();
    }

    @Test
    void threadThatDetaches_ownsNoSlabAndGetsNoNewOnes() {
        for (int i = 0; i < 10_000; i++) {
            try (SlabArena arena = pool.openConfined()) {
                arena.allocate(JAVA_LONG).set(JAVA_LONG, 0, i);
                SlabParcel parcel = arena.detach();
                if (i % 2 == 0) {
                    parcel.attach().close();
                } else {
                    parcel.close();
                }
            }
        }
        assertThat(pool.stats().peakByteSize()).isEqualTo(SLAB);
        assertThat(pool.stats().threadIdleByteSize()).isZero();
    }

    /// The slab of the thread stays with an arena that is open, which then releases it to all threads.
    @Test
    void detach_whileAnotherArenaHasTheSlabOfTheThread_leavesThatArenaAlone() {
        SlabArena arena = pool.openConfined();
        MemorySegment segment = arena.allocate(JAVA_LONG);
        pool.openConfined().detach().close();
        segment.set(JAVA_LONG, 0, 1);
        arena.close();
        assertThat(pool.stats().threadIdleByteSize()).isZero();
        assertPoolIsZeroed();
    }

    @Test
    void attachAndClose_byManyThreads_succeedOnce() {
        for (int round = 0; round < 50; round++) {
            SlabArena arena = pool.openConfined();
            arena.allocate(JAVA_LONG).set(JAVA_LONG, 0, 1);
            SlabParcel parcel = arena.detach();
            AtomicInteger attached = new AtomicInteger();
            Threads.race(3, index -> {
                if (index == 0) {
                    parcel.close();
                    return;
                }
                try (SlabArena other = parcel.attach()) {
                    assertThat(other.allocate(JAVA_LONG).get(JAVA_LONG, 0)).isZero();
                    attached.incrementAndGet();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageStartingWith("Parcel ");
                }
            });
            assertThat(attached.get()).isLessThanOrEqualTo(1);
            assertThat(pool.stats().openArenas()).isZero();
        }
    }

    @Test
    void shutdown_isCompletedByAParcelAndByAnAttachedArena() throws InterruptedException {
        for (boolean attaches : new boolean[]{false, true}) {
            SlabPool other = SlabPool.builder().slabByteSize(SLAB).allocator(counting.allocator()).build();
            SlabParcel parcel = other.openConfined().detach();
            other.shutdown();
            assertThat(other.awaitClosed(Duration.ZERO)).isFalse();
            if (attaches) {
                try (SlabArena attached = parcel.attach()) {
                    attached.allocate(10_000);
                }
            } else {
                parcel.close();
            }
            assertThat(other.awaitClosed(Duration.ZERO)).isTrue();
        }
    }
}
