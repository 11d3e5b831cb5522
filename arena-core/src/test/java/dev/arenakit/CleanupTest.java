package dev.arenakit;

import dev.arenakit.collection.RecordList;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Cleanups of users, which run while an arena is closed: they may wait for other threads that use the arena, and they
/// find its memory as it was.
class CleanupTest {
    /// An arena of each kind, over an allocator that counts.
    enum Kind {
        SLABS, SHARED_SLABS, MALLOC, SHARED_MALLOC, CHECKED_MALLOC, CHECKED_SHARED_MALLOC;

        boolean isShared() {
            return name().contains("SHARED");
        }

        Arena open(CountingAllocator counting) {
            NativeAllocator allocator = counting.allocator();
            // So that no slab is left when the arena is closed.
            SlabPool pool = SlabPool.builder().slabByteSize(4096).maxIdleByteSize(0).allocator(allocator).build();
            return switch (this) {
                case SLABS -> pool.openConfined();
                case SHARED_SLABS -> pool.openShared();
                case MALLOC -> MallocKind.CONFINED.open(allocator);
                case SHARED_MALLOC -> MallocKind.SHARED.open(allocator);
                case CHECKED_MALLOC -> MallocKind.CHECKED.open(allocator);
                case CHECKED_SHARED_MALLOC -> MallocKind.CHECKED_SHARED.open(allocator);
            };
        }
    }

    private final CountingAllocator counting = new CountingAllocator();

    @AfterEach
    void nothingIsLeft() {
        counting.assertNothingHeld();
    }

    @ParameterizedTest
    @EnumSource
    void close_whoseCleanupWaitsForAnotherThreadThatUsesTheArena_ends(Kind kind) {
        Arena arena = kind.open(counting);
        MemorySegment segment = arena.allocate(100, 8);
        List<@Nullable Throwable> thrown = new ArrayList<>();
        ScopeAccess.addCleanup(arena.scope(), () -> {
            thrown.add(Threads.thrownBy(() -> arena.allocate(8, 8)));
            thrown.add(Threads.thrownBy(() -> arena.allocate(100_000, 64)));
            thrown.add(Threads.thrownBy(arena::close));
            if (arena instanceof MallocArena malloc) {
                thrown.add(Threads.thrownBy(() -> malloc.free(segment)));
                thrown.add(Threads.thrownBy(() -> malloc.reallocate(segment, 200)));
            }
        });
        arena.close();
        assertThat(thrown).hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(t -> assertThat(t)
                        .isInstanceOf(kind.isShared() ? IllegalStateException.class : WrongThreadException.class));
    }

    @ParameterizedTest
    @EnumSource
    void close_whoseCleanupUsesTheArena_refusesIt(Kind kind) {
        Arena arena = kind.open(counting);
        MemorySegment segment = arena.allocate(100, 8);
        List<@Nullable Throwable> thrown = new ArrayList<>();
        ScopeAccess.addCleanup(arena.scope(), () -> {
            thrown.add(catchThrowable(() -> arena.allocate(100, 8)));
            thrown.add(catchThrowable(arena::close));
            if (arena instanceof MallocArena malloc) {
                thrown.add(catchThrowable(() -> malloc.free(segment)));
                thrown.add(catchThrowable(() -> malloc.reallocate(segment, 10)));
            }
        });
        arena.close();
        assertThat(thrown).hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(t -> assertThat(t).isInstanceOf(IllegalStateException.class));
    }

    /// The scope of a block ends while the arena remains open, so that other threads may use the arena.
    @ParameterizedTest
    @EnumSource(MallocBlockKind.class)
    void free_whoseCleanupWaitsForAnotherThreadThatUsesTheArena_ends(MallocBlockKind kind) {
        MallocArena arena = MallocKind.CHECKED_SHARED.open(counting.allocator());
        MemorySegment first = arena.allocate(100, 8);
        MemorySegment second = arena.allocate(100, 8);
        MemorySegment third = arena.allocate(100, 8);
        List<@Nullable Throwable> thrown = new ArrayList<>();
        ScopeAccess.addCleanup(first.scope(), () -> {
            thrown.add(Threads.thrownBy(() -> arena.allocate(8, 8)));
            thrown.add(Threads.thrownBy(() -> arena.free(second)));
            thrown.add(Threads.thrownBy(() -> arena.reallocate(third, 200)));
            assertThat(Threads.thrownBy(() -> arena.free(first))).isInstanceOf(IllegalArgumentException.class);
            if (kind.closes) {
                thrown.add(Threads.thrownBy(arena::close));
            }
        });
        Throwable freed = catchThrowable(() -> kind.end(arena, first));
        assertThat(thrown).hasSize(kind.closes ? 4 : 3).containsOnlyNulls();
        assertThat(arena.scope().isAlive()).isEqualTo(!kind.closes);
        assertThat(freed).isNull();
        if (!kind.closes) {
            arena.close();
        }
    }

    /// How the scope of a block ends while its arena is open, and whether the arena is closed meanwhile.
    enum MallocBlockKind {
        FREE(false), FREE_AND_CLOSE(true), REALLOCATE(false);

        final boolean closes;

        MallocBlockKind(boolean closes) {
            this.closes = closes;
        }

        void end(MallocArena arena, MemorySegment segment) {
            if (this == REALLOCATE) {
                assertThat(arena.reallocate(segment, 50).byteSize()).isEqualTo(50);
            } else {
                arena.free(segment);
            }
        }
    }

    /// The refused close must not free what the cleanups after it read. [CountingAllocator] overwrites what is freed.
    @ParameterizedTest
    @EnumSource(names = {"SLABS", "SHARED_SLABS", "MALLOC", "SHARED_MALLOC"})
    void close_byACleanup_isRefusedAndLeavesTheMemoryAsItWas(Kind kind) {
        Arena arena = kind.open(counting);
        List<MemorySegment> memory = new ArrayList<>();
        for (long byteSize : new long[]{100, 1_000, 3_000, 50_000}) {
            MemorySegment segment = arena.allocate(byteSize, 8);
            Bytes.fill(segment, (int) byteSize);
            memory.add(unscoped(segment));
        }
        List<@Nullable Throwable> thrown = new ArrayList<>();
        List<Boolean> intact = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ScopeAccess.addCleanup(arena.scope(), () -> {
                thrown.add(catchThrowable(arena::close));
                thrown.add(Threads.thrownBy(arena::close));
                intact.add(memory.stream()
                        .allMatch(segment -> Bytes.areFilled(segment, (int) segment.byteSize(), segment.byteSize())));
            });
        }
        arena.close();
        assertThat(thrown).hasSize(6).doesNotContainNull();
        assertThat(intact).containsExactly(true, true, true);
    }

    /// The memory of a frame is zeroed when its cleanups are done.
    @ParameterizedTest
    @EnumSource(names = "SLABS")
    void closeOfAFrame_byACleanup_isRefusedAndLeavesTheMemoryAsItWas(Kind kind) {
        try (SlabArena arena = (SlabArena) kind.open(counting)) {
            SlabArena frame = arena.pushFrame();
            MemorySegment memory = unscoped(frame.allocate(1_000, 8));
            Bytes.fill(memory, 1);
            List<Boolean> intact = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                ScopeAccess.addCleanup(frame.scope(), () -> {
                    for (ThrowingCallable use : List.<ThrowingCallable>of(frame::close, arena::close,
                            frame::pushFrame, arena::pushFrame, () -> frame.allocate(8), () -> arena.allocate(8))) {
                        assertThat(catchThrowable(use)).isInstanceOf(IllegalStateException.class);
                    }
                    intact.add(Bytes.areFilled(memory, 1, 1_000));
                });
            }
            frame.close();
            assertThat(intact).containsExactly(true, true);
            assertThat(Bytes.allAre(arena.allocate(1_000, 8), (byte) 0)).isTrue();
        }
    }

    /// The same memory in a scope that does not end.
    @SuppressWarnings("restricted")
    private static MemorySegment unscoped(MemorySegment segment) {
        return MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
    }

    static Stream<Named<Supplier<Arena>>> arenas() {
        return Stream.of(Named.of("MallocArena", () -> MallocArena.builder().shared().checked().build()),
                Named.of("FreeListArena", () -> FreeListArena.builder().shared().checked().build()));
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void close_whenABlockOfACleanupIsInUse_leavesTheArenaOpen(Supplier<Arena> open) throws InterruptedException {
        Arena arena = open.get();
        MemorySegment[] late = new MemorySegment[1];
        CountDownLatch inUse = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Thread user = new Thread(() -> ScopeAccess.runWhileInUse(late[0], () -> {
            inUse.countDown();
            Threads.await(finish);
        }));
        ScopeAccess.addCleanup(arena.allocate(100, 8).scope(), () -> {
            late[0] = arena.allocate(100, 8).fill((byte) 7);
            user.start();
            Threads.await(inUse);
        });
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        assertThat(arena.scope().isAlive()).isTrue();
        assertThat(late[0].get(JAVA_BYTE, 99)).isEqualTo((byte) 7);
        arena.allocate(100, 8).fill((byte) 1);
        finish.countDown();
        user.join();
        arena.close();
        assertThat(late[0].scope().isAlive()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void close_whenABlockOfACleanupIsNotInUse_endsItToo(Supplier<Arena> open) {
        Arena arena = open.get();
        MemorySegment[] late = new MemorySegment[1];
        ScopeAccess.addCleanup(arena.allocate(100, 8).scope(), () -> late[0] = arena.allocate(100, 8));
        arena.close();
        assertThat(late[0].scope().isAlive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void close_whoseCleanupFindsNoMemory_freesAConfinedArena(boolean checked) {
        SlabPool pool = SlabPool.create();
        FreeListArena.Builder builder = FreeListArena.builder().pool(pool);
        FreeListArena arena = checked ? builder.checked().build() : builder.build();
        arena.allocate(100);
        ScopeAccess.addCleanup(arena.scope(), () -> {
            throw new OutOfMemoryError("of the cleanup");
        });
        assertThatThrownBy(arena::close).isInstanceOf(OutOfMemoryError.class);
        pool.close();
        assertThat(pool.stats().usedByteSize()).isZero();
    }

    /// A record with an accessor that can fail.
    public record Quote(long price, int size) {
        private static boolean failing;

        @Override
        public int size() {
            if (failing) {
                throw new AssertionError("of the accessor");
            }
            return size;
        }
    }

    @Test
    void set_whoseAccessorThrowsAnError_leavesTheListUsable() {
        try (RecordList<Quote> list = RecordList.owning(MallocArena::ofConfined, RecordMapper.of(Quote.class))) {
            list.add(new Quote(1, 2));
            Quote.failing = true;
            assertThatThrownBy(() -> list.set(0, new Quote(3, 4))).isInstanceOf(AssertionError.class);
            Quote.failing = false;
            assertThat(list.get(0)).isEqualTo(new Quote(1, 2));
        } finally {
            Quote.failing = false;
        }
    }
}
