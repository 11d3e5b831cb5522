package dev.arenakit;

import dev.arenakit.diagnostics.AllocationFaults;
import dev.arenakit.diagnostics.CorruptedBlockException;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import dev.arenakit.diagnostics.FaultyArena;
import dev.arenakit.internal.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Blocks that are freed and resized by their addresses, and arenas that wrap an arena for a narrower type.
@SuppressWarnings("ExposedPrivateType") // The parameters of tests are private.
class BlocksByAddressTest {
    /// What both kinds of arenas have.
    private record ByAddress(BlockAllocator blocks, Arena arena, java.util.function.LongFunction<MemorySegment> blockAt,
            java.util.function.LongConsumer free,
            java.util.function.BiFunction<Long, Long, MemorySegment> reallocate) {
        static ByAddress of(MallocArena arena) {
            return new ByAddress(arena, arena, arena::blockAt, arena::free, arena::reallocate);
        }

        static ByAddress of(FreeListArena arena) {
            return new ByAddress(arena, arena, arena::blockAt, arena::free, arena::reallocate);
        }
    }

    static Stream<Supplier<ByAddress>> arenas() {
        return Stream.of(() -> ByAddress.of(MallocArena.ofConfined()), () -> ByAddress.of(MallocArena.ofShared()),
                () -> ByAddress.of(MallocArena.builder().checked().build()),
                () -> ByAddress.of(MallocArena.builder().shared().checked().build()),
                () -> ByAddress.of(FreeListArena.ofConfined()), () -> ByAddress.of(FreeListArena.ofShared()),
                () -> ByAddress.of(FreeListArena.builder().checked().build()));
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void free_addressOfABlock_freesIt(Supplier<ByAddress> opened) {
        ByAddress by = opened.get();
        try (Arena _ = by.arena) {
            for (long byteSize : new long[]{0, 1, 24, 24, 4096, 100_000, 5 << 20}) {
                MemorySegment segment = by.blocks.allocate(byteSize, 16);
                long address = segment.address();
                MemorySegment found = by.blockAt.apply(address);
                assertThat(found.address()).isEqualTo(address);
                assertThat(found.byteSize()).isGreaterThanOrEqualTo(byteSize);
                assertThat(found.scope()).isEqualTo(segment.scope());
                by.free.accept(address);
                assertRefused(() -> by.free.accept(address), "Not a live block");
            }
        }
        assertThatIllegalStateException().isThrownBy(() -> by.free.accept(8));
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void reallocate_addressOfABlock_keepsItsBytes(Supplier<ByAddress> opened) {
        ByAddress by = opened.get();
        try (Arena _ = by.arena) {
            MemorySegment first = by.blocks.allocate(16, 8);
            first.set(JAVA_LONG, 8, 42);
            MemorySegment second = by.reallocate.apply(first.address(), 100_000L);
            assertThat(second.byteSize()).isEqualTo(100_000);
            assertThat(second.get(JAVA_LONG, 8)).isEqualTo(42);
            assertThat(by.reallocate.apply(second.address(), 8L).byteSize()).isEqualTo(8);
        }
    }

    /// The addresses are in no mapping: a read would terminate the JVM.
    @ParameterizedTest
    @MethodSource("arenas")
    void free_foreignAddress_isRefusedUnread(Supplier<ByAddress> opened) {
        ByAddress by = opened.get();
        try (Arena _ = by.arena) {
            MemorySegment segment = by.blocks.allocate(64, 16);
            for (long address : new long[]{0, 1, 4096, 1L << 46, -16, Long.MIN_VALUE, segment.address() + 8,
                    segment.address() + 1, segment.address() - 16}) {
                assertThatIllegalArgumentException().as("%x", address)
                        .isThrownBy(() -> by.free.accept(address))
                        .withMessageContaining("Not a live block of this arena: address=0x");
                assertThatIllegalArgumentException().isThrownBy(() -> by.reallocate.apply(address, 1L));
            }
            by.free.accept(segment.address());
        }
    }

    @Test
    void wrapped_mallocArena_standsWhereItsTypeIsNamed() {
        MallocArena arena = MallocArena.ofConfined()
                .wrapped(inner -> DebugArena.wrap(inner, DebugOptions.canaries()));
        MemorySegment segment = arena.allocateZeroed(24, 8);
        Memory.putLong(segment.address() + 24, 1);
        assertThatExceptionOfType(CorruptedBlockException.class).isThrownBy(() -> arena.free(segment));
        MemorySegment moved = arena.reallocate(arena.allocate(8, 8), 16);
        arena.close();
        assertThat(moved.scope().isAlive()).isFalse();
    }

    @Test
    void wrapped_faultyMallocArena_refuses() {
        try (MallocArena arena = MallocArena.ofConfined()
                .wrapped(inner -> FaultyArena.wrap(inner, AllocationFaults.nth(2)))) {
            MemorySegment segment = arena.allocate(8, 8);
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> arena.allocateZeroed(8, 8))
                    .withMessageContaining("on purpose");
            arena.free(segment);
            assertThat(arena.stats().liveBlocks()).isZero();
        }
    }

    @Test
    void wrapped_slabArena_standsWhereItsTypeIsNamed() {
        try (SlabPool pool = SlabPool.create()) {
            SlabArena arena = pool.openConfined().wrapped(inner -> DebugArena.wrap(inner, DebugOptions.canaries()));
            SlabArena frame = arena.pushFrame();
            MemorySegment inFrame = frame.allocate(8, 8);
            assertThatIllegalStateException().isThrownBy(() -> arena.allocate(8, 8));
            frame.close();
            assertThat(inFrame.scope().isAlive()).isFalse();
            assertThat(arena.allocate(24, 8).toArray(JAVA_BYTE)).containsOnly(0);
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(arena::detach);
            arena.close();
            SlabArena faulty = pool.openConfined()
                    .wrapped(inner -> FaultyArena.wrap(inner, AllocationFaults.nth(1)));
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> faulty.allocate(8, 8));
            faulty.close();
            assertThat(List.of(pool.stats().openArenas())).containsExactly(0L);
        }
    }
}
