package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OffsetAllocatorTest {
    private static final long MIB = 1 << 20;

    @AutoClose
    private final Arena arena = Arena.ofConfined();

    @Test
    void allocateRaw_untilTheSegmentIsFull_usesItAndThrowsThenAndAllCanBeAllocatedAgain() {
        for (long size : new long[]{8, 24, 100, 1024, 5000, 8192, 40_000, 65_536, 100_000}) {
            OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(MIB + 123, 1));
            List<Long> blocks = fill(allocator, size);
            long blockByteSize = Math.min(allocator.byteSizeRaw(blocks.getFirst()), 65_536);
            assertThat(blocks.size() * blockByteSize)
                    .as("size %d", size)
                    .isGreaterThan(size > 8192 ? MIB / 4 : 3 * MIB / 4);
            blocks.forEach(allocator::freeRaw);
            assertThat(fill(allocator, size)).hasSameSizeAs(blocks);
        }
    }

    @Test
    void freeRaw_ofAllBlocks_makesTheirSlabsUsableForOtherSizes() {
        OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(4 * MIB));
        for (long size : new long[]{48, 200, 1000, 4096, 20_000, 300_000, 2 * MIB}) {
            fill(allocator, size).forEach(allocator::freeRaw);
            assertThat(allocator.stats().liveBlocks()).isZero();
            // The current slab of each class so far remains.
            assertThat(allocator.stats().usedByteSize()).isLessThanOrEqualTo(MIB);
        }
    }

    private static List<Long> fill(OffsetAllocator allocator, long size) {
        List<Long> offsets = new ArrayList<>();
        Set<Long> distinct = new HashSet<>();
        try {
            while (true) {
                long offset = allocator.allocateRaw(size);
                if (!distinct.add(offset)) {
                    throw new AssertionError("The same block twice: offset=" + offset);
                }
                allocator.memory().asSlice(offset, size).fill((byte) 0xFF);
                offsets.add(offset);
            }
        } catch (CapacityExceededException e) {
            assertThat(e).hasMessageContaining("Segment is full");
        }
        return offsets;
    }

    @Test
    void freeRaw_ofAnythingButALiveBlock_isRefusedAndChangesNothing() {
        MemorySegment memory = arena.allocate(4 * MIB);
        for (boolean shared : new boolean[]{false, true}) {
            OffsetAllocator allocator = shared
                    ? OffsetAllocator.overShared(Arena.ofAuto().allocate(4 * MIB))
                    : OffsetAllocator.over(memory);
            long small = allocator.allocateRaw(24);
            long span = allocator.allocateRaw(60_000);
            long second = allocator.allocateRaw(60_000);
            long large = allocator.allocateRaw(200_000);
            long freed = allocator.allocateRaw(24);
            allocator.freeRaw(freed);
            Set<Long> live = Set.of(small, span, second, large);
            for (long offset = -100; offset < 4 * MIB + 100_000; offset += offset < 2_000 ? 1 : 1237) {
                long tried = offset;
                if (!live.contains(tried)) {
                    assertNotFreed(allocator, tried);
                }
            }
            for (long offset : new long[]{Long.MIN_VALUE, Long.MAX_VALUE, -1, small + 8, span + 65_536,
                    large + 65_536, freed}) {
                assertThatIllegalArgumentException().isThrownBy(() -> allocator.freeRaw(offset));
                assertThatIllegalArgumentException().isThrownBy(() -> allocator.reallocateRaw(offset, 1));
                assertThatIllegalArgumentException().isThrownBy(() -> allocator.byteSizeRaw(offset));
            }
            assertThat(allocator.stats().liveBlocks()).isEqualTo(4);
            live.forEach(allocator::freeRaw);
            live.forEach(offset -> assertThatIllegalArgumentException()
                    .isThrownBy(() -> allocator.freeRaw(offset)));
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    private static void assertNotFreed(OffsetAllocator allocator, long offset) {
        try {
            allocator.freeRaw(offset);
        } catch (IllegalArgumentException e) {
            return;
        }
        throw new AssertionError("Freed: offset=" + offset);
    }

    @Test
    void over_smallOrUnsuitableSegment_isRefused() {
        assertRefused(() -> OffsetAllocator.over(arena.allocate(100_000, 1 << 16)), "byteSize=100000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OffsetAllocator.over(arena.allocate(MIB).asReadOnly()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OffsetAllocator.over(MemorySegment.ofArray(new long[1 << 18])));
        assertRefused(() -> OffsetAllocator.overShared(arena.allocate(MIB)), "confined");
        assertThat(OffsetAllocator.over(arena.allocate(256 * 1024)).allocateRaw(8)).isPositive();
    }

    @Test
    void over_closedOrForeignSegment_throws() {
        Arena confined = Arena.ofConfined();
        MemorySegment memory = confined.allocate(MIB);
        assertThat(Threads.thrownBy(() -> OffsetAllocator.over(memory))).isInstanceOf(WrongThreadException.class);
        confined.close();
        assertThatIllegalStateException().isThrownBy(() -> OffsetAllocator.over(memory));
        Arena shared = Arena.ofShared();
        MemorySegment sharedMemory = shared.allocate(MIB);
        shared.close();
        assertThatIllegalStateException().isThrownBy(() -> OffsetAllocator.overShared(sharedMemory));
    }

    @Test
    void free_sliceReadOnlyOrForeignSegment_isRefused() {
        try (FreeListArena blocks = FreeListArena.ofConfined(); FreeListArena other = FreeListArena.ofConfined()) {
            for (long size : new long[]{100, 50_000, 500_000}) {
                MemorySegment block = blocks.allocate(size);
                for (MemorySegment wrong : List.of(block.asSlice(8), block.asReadOnly(), other.allocate(size),
                        arena.allocate(size), MemorySegment.ofArray(new byte[100]), MemorySegment.NULL)) {
                    assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(wrong));
                    assertThatIllegalArgumentException().isThrownBy(() -> blocks.reallocate(wrong, 10));
                }
                blocks.free(block);
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(block));
            }
            assertThat(blocks.stats().liveBlocks()).isZero();
        }
    }

    @Test
    void checkedArena_accessAfterFreeOrReallocate_throws() {
        for (boolean shared : new boolean[]{false, true}) {
            FreeListArena.Builder builder = FreeListArena.builder().checked();
            try (FreeListArena arena = (shared ? builder.shared() : builder).build()) {
                for (long size : new long[]{8, 100_000}) {
                    MemorySegment block = arena.allocate(size, 8);
                    block.set(JAVA_LONG, 0, 42);
                    MemorySegment moved = arena.reallocate(block, 2 * size);
                    assertThat(moved.get(JAVA_LONG, 0)).isEqualTo(42);
                    assertThatThrownBy(() -> block.get(JAVA_LONG, 0)).isInstanceOf(IllegalStateException.class);
                    arena.free(moved);
                    assertThatThrownBy(() -> moved.get(JAVA_LONG, 0)).isInstanceOf(IllegalStateException.class);
                    assertThatIllegalArgumentException().isThrownBy(() -> arena.free(moved));
                }
                assertThat(arena.stats().liveBlocks()).isZero();
            }
        }
    }

    @Test
    void stats_ofSomeBlocks_countThemByClass() {
        try (FreeListArena arena = FreeListArena.ofConfined()) {
            List<MemorySegment> blocks = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                blocks.add(arena.allocate(100));
            }
            arena.allocate(200);
            arena.allocate(1_000_000);
            FreeListStatistics stats = arena.stats();
            assertThat(stats.liveBlocks()).isEqualTo(5_002);
            assertThat(stats.sizeClasses()).containsExactly(new FreeListStatistics.SizeClass(104, 5_000),
                    new FreeListStatistics.SizeClass(208, 1));
            assertThat(stats.liveByteSize()).isEqualTo(5_000 * 104 + 208 + 1_000_000);
            assertThat(stats.fragmentation()).isBetween(0.0, 0.2);
            blocks.forEach(arena::free);
            assertThat(arena.stats().liveByteSize()).isEqualTo(208 + 1_000_000);
        }
    }

    @Test
    void free_ofEverything_givesRangesBack() {
        CountingAllocator counting = new CountingAllocator();
        try (FreeListArena arena = FreeListArena.builder().allocator(counting.allocator()).build()) {
            List<MemorySegment> blocks = new ArrayList<>();
            for (int i = 0; i < 40_000; i++) {
                blocks.add(arena.allocate(1_000));
            }
            assertThat(counting.bytes()).isGreaterThan(40_000_000);
            blocks.forEach(arena::free);
            assertThat(counting.bytes()).isLessThanOrEqualTo(6 * MIB);
        }
        counting.assertNothingHeld();
    }

    @Test
    void store_throughOldSegments_changesNoDataOfTheAllocator() {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(arena.allocate(MIB));
            List<MemorySegment> old = new ArrayList<>();
            for (long offset : fill(allocator, 65_537)) {
                old.add(allocator.memory().asSlice(offset, 65_537));
                allocator.freeRaw(offset);
            }
            Set<Long> live = new HashSet<>();
            // As many heaps as there is memory for, and some threads that share one.
            for (int i = 0; i < 12; i++) {
                assertThat(Threads.thrownBy(() -> live.add(allocator.allocateRaw(8)))).isNull();
                for (int j = 0; j < 300; j++) {
                    assertThat(live.add(allocator.allocateRaw(8))).isTrue();
                }
            }
            old.forEach(segment -> segment.fill((byte) 0));
            assertThat(allocator.stats().liveBlocks()).isEqualTo(live.size());
            for (long offset : fill(allocator, 8)) {
                assertThat(live.add(offset)).isTrue();
            }
            live.forEach(allocator::freeRaw);
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    @Test
    void allocate_ofAlignedOrEmptyLargeBlocks_countsWhatTheyTakeFromThePool() {
        try (SlabPool pool = SlabPool.builder().maxByteSize(4 * MIB).build()) {
            try (FreeListArena arena = FreeListArena.builder().pool(pool).build()) {
                assertThatThrownBy(() -> arena.allocate(1, 256 * MIB)).isInstanceOf(CapacityExceededException.class);
                // The range of 2 MiB for a small block, and two large blocks, whose data takes as much as their
                // alignment.
                arena.allocate(8);
                assertThatThrownBy(() -> arena.allocate(MIB, MIB)).isInstanceOf(CapacityExceededException.class);
                assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        arena.allocate(0, 128 << 10);
                    }
                }).isInstanceOf(CapacityExceededException.class);
            }
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void free_ofAnAddressInTheFirstRangeOfMemory_isRefused() {
        try (FreeListArena arena = FreeListArena.ofConfined()) {
            arena.allocate(8);
            for (long address : new long[]{8, 0x20000, 0x1F0000}) {
                MemorySegment wrong = MemorySegment.ofAddress(address).reinterpret(8, arena, null);
                assertThatIllegalArgumentException().isThrownBy(() -> arena.free(wrong));
            }
        }
    }

    @Test
    void allocateRaw_ofMoreThanTheSegment_throwsAndInitializesNothing() {
        OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(64 * MIB));
        allocator.allocateRaw(8);
        long held = allocator.stats().heldByteSize();
        assertThatThrownBy(() -> allocator.allocateRaw(65 * MIB)).isInstanceOf(CapacityExceededException.class);
        assertThat(allocator.stats().heldByteSize()).isEqualTo(held);
    }

    @Test
    void allocateRaw_afterAThreadHasTerminated_usesItsMemoryBeforeMore() throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(arena.allocate(64 * MIB));
            allocator.allocateRaw(24);
            List<Long> blocks = new ArrayList<>();
            assertThat(Threads.thrownBy(() -> {
                for (int i = 0; i < 100_000; i++) {
                    blocks.add(allocator.allocateRaw(24));
                }
                for (int i = 0; i < blocks.size(); i += 2) {
                    allocator.freeRaw(blocks.get(i));
                }
            })).isNull();
            long held = allocator.stats().heldByteSize();
            for (int i = 0; i < 50_000; i++) {
                allocator.allocateRaw(24);
            }
            assertThat(allocator.stats().heldByteSize()).isEqualTo(held);
        }
    }

    @Test
    void stats_afterAThreadHasTerminated_givesItsEmptySlabsBack() {
        try (FreeListArena arena = FreeListArena.ofShared()) {
            assertThat(Threads.thrownBy(() -> {
                for (int size = 16; size <= 1024; size += 16) {
                    arena.free(arena.allocate(size));
                }
            })).isNull();
            assertThat(arena.stats().usedByteSize()).isZero();
        }
    }

    @Test
    void allocateRaw_afterAnotherThreadHasClosedTheSegment_throws() {
        for (boolean shared : new boolean[]{false, true}) {
            Arena arena = Arena.ofShared();
            MemorySegment memory = arena.allocate(MIB);
            OffsetAllocator allocator = shared ? OffsetAllocator.overShared(memory) : OffsetAllocator.over(memory);
            long block = allocator.allocateRaw(100);
            MemorySegment segment = allocator.allocate(100);
            assertThat(Threads.thrownBy(arena::close)).isNull();
            assertThatIllegalStateException().isThrownBy(() -> allocator.allocateRaw(100));
            assertThatIllegalStateException().isThrownBy(() -> allocator.allocateRaw(100_000));
            assertThatIllegalStateException().isThrownBy(() -> allocator.freeRaw(block));
            assertThatIllegalStateException().isThrownBy(() -> allocator.free(segment));
            assertThatIllegalStateException().isThrownBy(() -> allocator.reallocateRaw(block, 200));
            assertThatIllegalStateException().isThrownBy(allocator::stats);
        }
    }

    @Test
    void allocate_alignedInASegmentOfExactlyThatSize_usesIt() {
        MemorySegment aligned = arena.allocate(4 * MIB, 2 * MIB);
        long slab = 64 << 10;
        OffsetAllocator allocator = OffsetAllocator.over(aligned.asSlice(MIB - slab, MIB + slab));
        for (int i = 0; i < 2; i++) {
            MemorySegment block = allocator.allocate(MIB, MIB);
            assertThat(block.address()).isEqualTo(aligned.address() + MIB);
            allocator.free(block);
        }
        // The slab in front of the aligned block has no aligned part.
        allocator.allocateRaw(8);
        assertThat(allocator.allocate(MIB / 2, MIB / 2).address()).isEqualTo(aligned.address() + MIB + MIB / 2);
    }

    @Test
    void allocate_alignedInAFullSegment_throwsTheSizeWithoutTheAlignment() {
        OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(MIB, MIB));
        assertThatThrownBy(() -> allocator.allocate(128 << 10, 2 * MIB))
                .isInstanceOf(CapacityExceededException.class)
                .hasMessageContaining("requested=" + (128 << 10));
    }

    /// In a JVM of its own, whose address space no other test needs.
    @Test
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    void over_afterManyHaveBeenDiscarded_hasTheirAddressSpace() {
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED").run(OffsetAllocatorDiscardSession.class))
                .isEqualTo(new ChildJvm.Result(0, "created\n"));
    }

    enum Kind {
        OFFSETS, OFFSETS_SHARED, OFFSETS_ATOMIC, ARENA, ARENA_SHARED, ARENA_ATOMIC
    }

    /// Runs a test, which frees all blocks that it allocates.
    private static void run(Kind kind, Consumer<BlockAllocator> test) {
        switch (kind) {
            case OFFSETS -> runOver(OffsetAllocator::over, test);
            case OFFSETS_SHARED -> runOver(OffsetAllocator::overShared, test);
            case OFFSETS_ATOMIC -> runOver(OffsetAllocator::overSharedAtomic, test);
            case ARENA -> run(FreeListArena.ofConfined(), test);
            case ARENA_SHARED -> run(FreeListArena.ofShared(), test);
            case ARENA_ATOMIC -> run(FreeListArena.builder().shared().atomicFree().build(), test);
        }
    }

    private static void runOver(Function<MemorySegment, OffsetAllocator> over, Consumer<BlockAllocator> test) {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = over.apply(arena.allocate(4 << 20));
            test.accept(allocator);
            assertThat(allocator.stats().liveBlocks()).isZero();
        }
    }

    private static void run(FreeListArena arena, Consumer<BlockAllocator> test) {
        try (arena) {
            test.accept(arena);
            assertThat(arena.stats().liveBlocks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void free_ofTheEmptySliceBehindABlock_doesNotFreeItsNeighbour(Kind kind) {
        run(kind, blocks -> {
            MemorySegment block = blocks.allocate(16);
            MemorySegment neighbour = blocks.allocate(16);
            while (neighbour.address() != block.address() + 16) {
                blocks.free(block);
                block = neighbour;
                neighbour = blocks.allocate(16);
            }
            for (MemorySegment empty : new MemorySegment[]{block.asSlice(16, 0), block.asSlice(0, 0),
                    block.asSlice(8, 0), neighbour.asSlice(0, 0)}) {
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(empty));
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.reallocate(empty, 10));
            }
            blocks.free(neighbour);
            blocks.free(block);
        });
    }

    @ParameterizedTest
    @EnumSource
    void free_ofABlockThatIsOrBecameEmpty_freesIt(Kind kind) {
        run(kind, blocks -> {
            for (long byteAlignment : new long[]{1, 8, 16, 64, 4_096, 1 << 17}) {
                MemorySegment empty = blocks.allocate(0, byteAlignment);
                blocks.free(empty);
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(empty));
                MemorySegment grown = blocks.reallocate(blocks.allocate(0, byteAlignment), 10);
                assertThat(grown.byteSize()).isEqualTo(10);
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(grown.asSlice(0, 0)));
                blocks.free(grown);
                MemorySegment shrunk = blocks.reallocate(blocks.allocate(10, byteAlignment), 0);
                assertThat(shrunk.byteSize()).isZero();
                assertThat(shrunk.address() % byteAlignment).isZero();
                blocks.free(shrunk);
                assertThatIllegalArgumentException().isThrownBy(() -> blocks.free(shrunk));
            }
        });
    }
}
