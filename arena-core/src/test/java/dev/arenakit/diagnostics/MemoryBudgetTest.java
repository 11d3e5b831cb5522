package dev.arenakit.diagnostics;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.NativeAllocator;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class MemoryBudgetTest {
    private static final long SLAB = 64 * 1024;
    private static final long STACKS = 32 * 1024;
    private static final long RANGE = 2 << 20;

    private final MemoryBudget service = MemoryBudget.root("service", 1000);

    @Test
    void allocate_inAWrappedArena_isReservedOnAllBudgetsUntilClose() {
        MemoryBudget request = service.child("request", 500);
        try (Arena arena = request.wrap(Arena.ofConfined())) {
            arena.allocate(100, 8);
            arena.allocate(0, 1);
            arena.allocate(10, 64);
            assertThat(request.stats()).isEqualTo(statistics("service/request", 1, 175, 175, 500));
            assertThat(service.stats()).isEqualTo(statistics("service", 1, 175, 175, 1000));
        }
        assertThat(request.stats()).isEqualTo(statistics("service/request", 0, 0, 175, 500));
        assertThat(service.stats()).isEqualTo(statistics("service", 0, 0, 175, 1000));
    }

    private static BudgetStatistics statistics(String path, long openArenas, long reserved, long peak, long max) {
        return new BudgetStatistics(path, openArenas, 0, reserved, peak, max, 0, 0, Long.MAX_VALUE, 0);
    }

    @Test
    void allocate_beyondTheLimitOfTheParent_namesTheChainAndReservesNothing() {
        MemoryBudget request = service.child("request", 5000);
        try (Arena other = service.wrap(Arena.ofShared()); Arena arena = request.wrap(Arena.ofConfined())) {
            other.allocate(600, 1);
            arena.allocate(400, 1);
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> arena.allocate(1, 1))
                    .withMessage("Budget is exceeded: budget=service/request, exceeded=service, kind=memory, limit=1000"
                            + ", used=1000, requested=1; close what uses the budget sooner, or raise its limit")
                    .satisfies(e -> {
                        assertThat(e.path()).isEqualTo("service/request");
                        assertThat(e.exceeded()).isEqualTo("service");
                        assertThat(e.limit()).isEqualTo(1000);
                        assertThat(e.used()).isEqualTo(1000);
                        assertThat(e.requested()).isEqualTo(1);
                    });
            assertThat(request.stats().reservedByteSize()).isEqualTo(400);
            assertThat(request.stats().peakByteSize()).isEqualTo(400);
            assertThat(request.stats().refusals()).isZero();
            assertThat(service.stats().refusals()).isEqualTo(1);
        }
    }

    @Test
    void allocate_refusedByTheArena_isNotReserved() {
        try (Arena arena = service.wrap(Arena.ofConfined())) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> arena.allocate(Long.MAX_VALUE, 1));
            assertThat(service.stats().reservedByteSize()).isZero();
        }
        MemoryBudget large = MemoryBudget.root("large", Long.MAX_VALUE);
        try (Arena arena = large.wrap(Arena.ofShared())) {
            assertThatExceptionOfType(OutOfMemoryError.class)
                    .isThrownBy(() -> arena.allocate(Sizes.ADDRESSABLE - 4096, 1));
            assertThat(large.stats().reservedByteSize()).isZero();
        }
    }

    @Test
    void allocate_beyondTheLimit_checksThreadAndLivenessFirst() {
        Arena arena = service.wrap(Arena.ofConfined());
        assertThat(Threads.thrownBy(() -> arena.allocate(2000, 1))).isInstanceOf(WrongThreadException.class);
        assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> arena.allocate(2000, 1));
        assertThat(Threads.thrownBy(() -> arena.allocate(2000, 1))).isInstanceOf(WrongThreadException.class);
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> arena.allocate(2000, 1)).withMessage("Already closed");
    }

    @Test
    void close_ofTheWrappedArenaDirectly_keepsTheBytesUntilTheWrapperIsClosed() {
        Arena arena = Arena.ofConfined();
        Arena wrapped = service.wrap(arena);
        wrapped.allocate(100, 1);
        arena.close();
        assertThat(service.stats().reservedByteSize()).isEqualTo(100);
        assertThatIllegalStateException().isThrownBy(wrapped::close);
        assertThat(service.stats()).isEqualTo(statistics("service", 0, 0, 100, 1000));
        assertThatIllegalStateException().isThrownBy(wrapped::close);
        assertThat(service.stats().openArenas()).isZero();
    }

    @Test
    void close_whoseCleanupThrows_releasesTheBytes() {
        for (Arena arena : List.of(Arena.ofConfined(), Arena.ofShared())) {
            Arena wrapped = service.wrap(arena);
            WrongThreadException thrown = new WrongThreadException("from a cleanup");
            throwFromCleanup(wrapped.allocate(100, 1), arena, thrown);
            assertThatThrownBy(wrapped::close).isSameAs(thrown);
            assertThat(service.stats()).isEqualTo(statistics("service", 0, 0, 100, 1000));
        }
    }

    private static void throwFromCleanup(MemorySegment memory, Arena arena, RuntimeException thrown) {
        MemorySegment _ = Scopes.withCleanup(memory, 1, arena, _ -> {
            throw thrown;
        });
    }

    /// The arena has not freed its blocks.
    @Test
    void close_whoseCleanupEndsInAnErrorOfTheJvm_keepsTheBytes() {
        Arena arena = MallocArena.ofShared();
        Arena wrapped = service.wrap(arena);
        MemorySegment _ = Scopes.withCleanup(wrapped.allocate(100, 1), 1, arena, _ -> {
            throw new StackOverflowError();
        });
        assertThatThrownBy(wrapped::close).isInstanceOf(StackOverflowError.class);
        assertThat(service.stats()).isEqualTo(statistics("service", 1, 100, 100, 1000));
    }

    /// The close of another thread begins before the owner's, and is refused after it.
    @Test
    void close_byTheOwnerDuringARefusedClose_releasesTheBytes() {
        Arena confined = Arena.ofConfined();
        CountDownLatch refusing = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Thread owner = Thread.currentThread();
        Arena arena = new Arena() {
            @Override
            public MemorySegment allocate(long byteSize, long byteAlignment) {
                return confined.allocate(byteSize, byteAlignment);
            }

            @Override
            public MemorySegment.Scope scope() {
                return confined.scope();
            }

            @Override
            public void close() {
                if (!owner.equals(Thread.currentThread())) {
                    refusing.countDown();
                    Threads.await(closed);
                }
                confined.close();
            }
        };
        Arena wrapped = service.wrap(arena);
        throwFromCleanup(wrapped.allocate(100, 1), confined, new UnsupportedOperationException("from a cleanup"));
        AtomicReference<Throwable> refused = new AtomicReference<>();
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                wrapped.close();
            } catch (WrongThreadException e) {
                refused.set(e);
            }
        });
        Threads.await(refusing);
        assertThatThrownBy(wrapped::close).isInstanceOf(UnsupportedOperationException.class);
        closed.countDown();
        assertThatCode(other::join).doesNotThrowAnyException();
        assertThat(refused.get()).isInstanceOf(WrongThreadException.class);
        assertThat(service.stats()).isEqualTo(statistics("service", 0, 0, 100, 1000));
    }

    @Test
    void close_withAWatchedArena_saysWhereItWasOpened() {
        try (Arena arena = service.wrap(LeakDetector.wrap(Arena.ofConfined()))) {
            arena.allocate(10, 1);
            assertThatIllegalStateException().isThrownBy(service::close)
                    .withMessageStartingWith("Budget is in use: budget=service, openArenas=1, watched=["
                            + Thread.currentThread().getName() + "#")
                    .withMessageContaining("MemoryBudgetTest.java:");
        }
        service.close();
    }

    @Test
    void wrap_anArenaThatIsNeverClosed_isRefused() {
        for (Arena arena : List.of(Arena.ofAuto(), Arena.global())) {
            assertRefused(() -> service.wrap(arena), "Arena is automatic or global", "budget=service");
        }
        service.close();
    }

    @Test
    void close_whileSomethingIsOpen_saysWhat() {
        MemoryBudget request = service.child("request", 500);
        MemoryBudget other = service.child("other", 500);
        Arena arena = service.wrap(Arena.ofConfined());
        arena.allocate(10, 1);
        SlabPool pool = SlabPool.builder().slabByteSize(1024).budget(service).build();
        assertThatIllegalStateException().isThrownBy(service::close)
                .withMessage("Budget is in use: budget=service, openArenas=1, openPools=1, openChildren=2 "
                        + "(service/request service/other), reservedByteSize=10, diskByteSize=0; close them before the "
                        + "budget (start with -Ddev.arenakit.leakDetection=ALL to see where they were opened)");
        request.close();
        other.close();
        pool.close();
        assertThatIllegalStateException().isThrownBy(service::close).withMessageContaining("openArenas=1, openPools=0");
        arena.close();
        service.close();
        service.close();
        assertThatIllegalStateException().isThrownBy(() -> service.wrap(Arena.ofConfined()))
                .withMessage("Budget is closed: budget=service");
        assertThatIllegalStateException().isThrownBy(() -> service.child("late", 1));
        assertThatIllegalStateException().isThrownBy(SlabPool.builder().budget(service)::build);
        assertThat(service.stats().openArenas()).isZero();
        assertThat(service.stats().openPools()).isZero();
    }

    @Test
    void root_badNameOrLimit_isRejectedWithTheValue() {
        assertRefused(() -> MemoryBudget.root(" ", 1), "name");
        assertRefused(() -> service.child("a", -1), "maxByteSize=-1");
        assertRefused(() -> service.child("a", 1, -2), "maxDiskByteSize=-2");
        service.close();
    }

    @Test
    void pool_withABudget_reservesSlabsAndLargeBlocks() {
        MemoryBudget budget = MemoryBudget.root("pools", 4 * SLAB);
        SlabPool pool = SlabPool.builder().budget(budget).build();
        try (SlabArena arena = pool.openConfined()) {
            arena.allocate(100, 8);
            arena.allocate(SLAB, 8);
            assertThat(budget.stats().reservedByteSize()).isEqualTo(2 * SLAB);
            try (SlabArena frame = arena.pushFrame()) {
                frame.allocate(SLAB, 8);
                assertThat(budget.stats().reservedByteSize()).isEqualTo(3 * SLAB);
            }
            assertThat(pool.stats().usedByteSize()).isEqualTo(2 * SLAB);
        }
        // The idle slab and the idle blocks.
        assertThat(budget.stats().reservedByteSize()).isEqualTo(3 * SLAB);
        assertThat(budget.stats().openPools()).isEqualTo(1);
        pool.trim();
        assertThat(budget.stats().reservedByteSize()).isZero();
        pool.close();
        pool.close();
        budget.close();
    }

    @Test
    void pool_whoseBudgetIsExceeded_freesIdleSlabsForALargeBlock() {
        MemoryBudget budget = MemoryBudget.root("pools", 4 * SLAB);
        try (SlabPool pool = SlabPool.builder().budget(budget).build()) {
            List<SlabArena> arenas = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                arenas.add(pool.openShared());
            }
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(pool::openShared)
                    .satisfies(e -> assertThat(e.requested()).isEqualTo(SLAB));
            arenas.subList(1, 4).forEach(SlabArena::close);
            SlabArena arena = arenas.getFirst();
            assertThatExceptionOfType(BudgetExceededException.class)
                    .isThrownBy(() -> arena.allocate(3 * SLAB + 1, 8));
            assertThat(pool.stats().idleByteSize()).isEqualTo(3 * SLAB);
            arena.allocate(2 * SLAB, 8);
            assertThat(pool.stats().idleByteSize()).isEqualTo(SLAB);
            assertThat(budget.stats().reservedByteSize()).isEqualTo(4 * SLAB);
            arena.close();
        }
        budget.close();
    }

    @Test
    void pool_thatIsRefusedNativeMemory_reservesNothing() {
        MemoryBudget budget = MemoryBudget.root("pools", Long.MAX_VALUE);
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> byteSize > SLAB);
        try (SlabPool pool = SlabPool.builder().allocator(failing).budget(budget).build();
                SlabArena arena = pool.openConfined()) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> arena.allocate(2 * SLAB, 8));
            assertThat(budget.stats().reservedByteSize()).isEqualTo(SLAB);
        }
    }

    @Test
    void mallocArena_whoseIndexCannotShrinkInTheBudget_freesItsBlocks() {
        MemoryBudget budget = MemoryBudget.root("blocks", 10_000);
        try (Arena other = budget.wrap(Arena.ofConfined());
                MallocArena arena = MallocArena.builder().budget(budget).build()) {
            List<MemorySegment> blocks = new ArrayList<>();
            for (int i = 0; i < 70; i++) {
                blocks.add(arena.allocate(1));
            }
            arena.free(blocks.removeLast());
            other.allocate(10_000 - budget.stats().reservedByteSize(), 1);
            blocks.reversed().forEach(arena::free);
            // What is left is the index with 128 entries of 16 bytes.
            assertThat(arena.allocate(1).byteSize()).isEqualTo(1);
        }
        assertThat(budget.stats().reservedByteSize()).isZero();
    }

    @Test
    void freeListArena_withABudget_countsStacksRangesAndLargeBlocks() {
        MemoryBudget budget = MemoryBudget.root("blocks", 1L << 30);
        try (FreeListArena arena = FreeListArena.builder().budget(budget).build()) {
            assertThat(budget.stats().reservedByteSize()).isEqualTo(STACKS);
            assertThat(budget.stats().openArenas()).isEqualTo(1);
            arena.free(arena.allocate(100));
            arena.allocate(100);
            assertThat(budget.stats().reservedByteSize()).isEqualTo(STACKS + RANGE);
            MemorySegment large = arena.allocate(2 * SLAB);
            long withLarge = budget.stats().reservedByteSize();
            assertThat(withLarge).isBetween(STACKS + RANGE + 2 * SLAB, STACKS + RANGE + 2 * SLAB + 64);
            arena.allocate(2 * SLAB);
            arena.free(large);
            assertThat(budget.stats().reservedByteSize()).isEqualTo(withLarge);
            assertThatIllegalStateException().isThrownBy(budget::close).withMessageContaining("openArenas=1");
        }
        assertThat(budget.stats().reservedByteSize()).isZero();
        budget.close();
        assertThatIllegalStateException().isThrownBy(FreeListArena.builder().budget(budget)::build)
                .withMessage("Budget is closed: budget=blocks");
        assertThat(budget.stats().reservedByteSize()).isZero();
    }

    @Test
    void freeListArena_thatGivesARangeBack_releasesIt() {
        MemoryBudget budget = MemoryBudget.root("blocks", 1L << 30);
        try (FreeListArena arena = FreeListArena.builder().budget(budget).build()) {
            List<MemorySegment> blocks = new ArrayList<>();
            for (int i = 0; i < 2 * RANGE / SLAB; i++) {
                blocks.add(arena.allocate(SLAB));
            }
            assertThat(budget.stats().reservedByteSize()).isEqualTo(STACKS + 3 * RANGE);
            blocks.forEach(arena::free);
            arena.stats(); // empties the stacks
            assertThat(budget.stats().reservedByteSize()).isEqualTo(STACKS + RANGE);
        }
    }

    @Test
    void freeListArena_whoseBudgetIsNearlyUsed_takesWhatIsLeft() {
        MemoryBudget budget = MemoryBudget.root("blocks", STACKS + 5 * SLAB);
        try (FreeListArena arena = FreeListArena.builder().budget(budget).build()) {
            while (arena.tryAllocate(1000, 8) != null) {
                assertThat(budget.stats().refusals()).isZero();
            }
            assertThat(arena.tryAllocate(2 * SLAB, 8)).isNull();
            assertThat(budget.stats().reservedByteSize()).isEqualTo(STACKS + 4 * SLAB);
            assertThat(budget.stats().refusals()).isZero();
            for (long byteSize : new long[]{1000, 2 * SLAB}) {
                assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> arena.allocate(byteSize))
                        .satisfies(e -> assertThat(e.used()).isEqualTo(STACKS + 4 * SLAB));
            }
            assertThat(budget.stats().refusals()).isEqualTo(2);
        }
        budget.close();
    }

    @Test
    void freeListArena_withoutBudgetForItsStacks_isRefusedAndReservesNothing() {
        MemoryBudget budget = MemoryBudget.root("blocks", STACKS - 1);
        for (FreeListArena.Builder builder : List.of(FreeListArena.builder(), FreeListArena.builder().checked())) {
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(builder.budget(budget)::build);
        }
        budget.close();
    }

    @Test
    void freeListArena_thatIsRefusedNativeMemory_reservesNothing() {
        assumeTrue(PageMappings.isSupported(), "needs anonymous mappings");
        MemoryBudget budget = MemoryBudget.root("blocks", 1L << 30);
        for (NativeAllocator allocator : List.of(NativeAllocator.libc(), NativeAllocator.pages())) {
            NativeAllocator failing = NativeAllocator.failing(allocator, byteSize -> byteSize > STACKS);
            try (FreeListArena arena = FreeListArena.builder().allocator(failing).budget(budget).build()) {
                for (long byteSize : new long[]{8, 2 * SLAB, 2 * RANGE}) {
                    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> arena.allocate(byteSize));
                    assertThat(budget.stats().reservedByteSize()).isEqualTo(STACKS);
                }
            }
        }
        budget.close();
    }

    @Test
    void freeListArena_ofAPool_countsOnBothAndNamesWhatIsFull() {
        MemoryBudget budget = MemoryBudget.root("blocks", STACKS + 8 * SLAB);
        try (SlabPool pool = SlabPool.builder().slabByteSize(4096).maxByteSize(RANGE).build();
                FreeListArena arena = FreeListArena.builder().pool(pool).budget(budget).build()) {
            arena.allocate(8);
            assertThat(pool.stats().usedByteSize()).isEqualTo(4096 + budget.stats().reservedByteSize());
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> arena.allocate(8 * SLAB));
            assertThat(pool.stats().usedByteSize()).isEqualTo(4096 + budget.stats().reservedByteSize());
            try (FreeListArena other = FreeListArena.builder().pool(pool).build()) {
                assertThatExceptionOfType(CapacityExceededException.class).isThrownBy(() -> other.allocate(RANGE, 8))
                        .withMessageStartingWith("Pool is full: ");
            }
        }
        budget.close();
    }

    @Test
    void toString_always_isOneSentence() {
        MemoryBudget disk = service.child("disk", 2048, 1 << 20);
        assertThat(service).hasToString(
                "MemoryBudget service: 0 open arenas, 0 open pools, 0 bytes reserved, peak 0 bytes, limit 1000 bytes; "
                        + "so far 0 refusals");
        assertThat(disk).hasToString("MemoryBudget service/disk: 0 open arenas, 0 open pools, 0 bytes reserved, peak "
                + "0 bytes, limit 2 KiB; disk: 0 bytes reserved, peak 0 bytes, limit 1 MiB; so far 0 refusals");
    }

    @Test
    void allocate_nearTheEndOfTheStack_neverCountsLessThanIsAllocated() {
        assertThat(ChildJvm.onClassPath("-Xint", "-Xss256k").run(BudgetStackSession.class))
                .isEqualTo(new ChildJvm.Result(0, "never less\n"));
    }

    @Test
    void wrap_withoutNativeAccess_works() {
        assertThat(ChildJvm.denied().run(DeniedSession.class)).isEqualTo(new ChildJvm.Result(0, "wrapped\n"));
    }

    /// Counts a wrapped arena of the JDK in a JVM without native access.
    static final class DeniedSession {
        public static void main(String[] args) {
            try (Arena arena = MemoryBudget.root("a", 10).wrap(Arena.ofConfined())) {
                arena.allocate(10, 1);
                assertThatCode(() -> arena.allocate(1, 1)).isInstanceOf(BudgetExceededException.class);
            }
            System.out.println("wrapped");
        }
    }
}
