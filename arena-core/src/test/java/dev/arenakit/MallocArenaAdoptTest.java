package dev.arenakit;

import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Blocks that other code has allocated, in each kind of arena.
@EnumSource(MallocKind.class)
class MallocArenaAdoptTest extends CountedMallocArena {

    MallocArenaAdoptTest(MallocKind kind) {
        super(kind);
    }

    @Test
    void adopt_blocksOfAnySize_keepsTheirBytesAndFreesThemWithTheArena() {
        MallocArena arena = open();
        for (long byteSize : new long[]{0, 1, 24, 65_536, 65_537, 1 << 20}) {
            MemorySegment given = block(byteSize);
            Bytes.fill(given, 7);
            MemorySegment adopted = arena.adopt(given);
            assertThat(adopted.address()).isEqualTo(given.address());
            assertThat(adopted.byteSize()).isEqualTo(byteSize);
            assertThat(Bytes.areFilled(adopted, 7, byteSize)).isTrue();
            assertThat(adopted.scope()).isNotEqualTo(given.scope());
            assertThat(adopted.scope().equals(arena.scope())).isEqualTo(!kind.checked);
            assertThat(adopted.isAccessibleBy(new Thread())).isEqualTo(kind.shared);
            arena.allocate(100).fill((byte) 1);
            arena.close();
            assertThat(adopted.scope().isAlive()).isFalse();
            counting.assertNothingHeld();
            arena = open();
        }
        arena.close();
    }

    @Test
    void adopt_anAddressOfTheArena_isRefusedUntilTheBlockIsFreed() {
        MemorySegment first = arena.allocate(100, 8);
        MemorySegment second = arena.allocate(0, 64);
        MemorySegment resized = arena.reallocate(arena.allocate(10), 20);
        MemorySegment adopted = arena.adopt(block(30));
        long blocks = counting.blocks();
        for (MemorySegment known : List.of(first, second, resized, adopted)) {
            MemorySegment again = Memory.segment(known.address(), 5);
            assertThatIllegalArgumentException().isThrownBy(() -> arena.adopt(again))
                    .withMessage("Already a block of this arena: address=0x" + Long.toHexString(known.address())
                            + ", byteSize=5; adopt a block once, and none that this arena has allocated");
        }
        assertThat(counting.blocks()).isEqualTo(blocks);
        arena.free(adopted);
        for (int i = 0; i < 10; i++) {
            // Most of these blocks have an address that the arena has known before.
            arena.free(arena.adopt(block(30)));
        }
    }

    @Test
    void adopt_whatIsNoBlockOfC_isRefusedWithTheValuesAndTheRemedy(
            // Windows deletes no file that is mapped.
            @TempDir(deletionStrategy = TempDirDeletionStrategy.IgnoreFailures.class) Path directory)
            throws IOException {
        Path file = Files.write(directory.resolve("mapped"), new byte[64]);
        MemorySegment block = block(64);
        try (Arena confined = Arena.ofConfined(); FileChannel channel = FileChannel.open(file)) {
            for (MemorySegment other : List.of(confined.allocate(64), Arena.ofAuto().allocate(64),
                    arena.allocate(64), MemorySegment.ofArray(new byte[64]), block.asReadOnly(),
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, 64, Arena.global()))) {
                assertRefused(() -> arena.adopt(other),
                        "Cannot adopt a block, because the segment is not one of the global "
                                + "scope, or is read-only: address=0x",
                        ", byteSize=64; pass the segment that a native call has returned");
            }
            assertRefused(() -> arena.adopt(MemorySegment.NULL),
                    "the pointer is null: address=0x0, byteSize=0; look at the result");
            for (MemorySegment impossible : List.of(Memory.segment(block.address(), 1L << 48),
                    Memory.segment(1, Long.MAX_VALUE - 1), MemorySegment.ofAddress(-16))) {
                assertRefused(() -> arena.adopt(impossible), "no block has this address and size",
                        "byteSize=" + impossible.byteSize() + "; call MemorySegment.reinterpret");
            }
            assertThat(arena.stats().liveBlocks()).isEqualTo(1);
            assertThat(arena.adopt(block).byteSize()).isEqualTo(64);
        }
    }

    @Test
    void adopt_whenTheArenaIsClosedOrAnotherThreads_leavesTheBlockToTheCaller() {
        MemorySegment block = block(64);
        Throwable thrown = Threads.thrownBy(() -> arena.free(arena.adopt(block)));
        if (kind.shared) {
            assertThat(thrown).isNull();
        } else {
            assertThat(thrown).isInstanceOf(WrongThreadException.class);
            freeByC(block);
        }
        arena.close();
        MemorySegment later = block(64);
        assertThatIllegalStateException().isThrownBy(() -> arena.adopt(later));
        freeByC(later);
    }

    @Test
    void adopt_withoutNativeMemoryForTheIndex_leavesTheBlockToTheCaller() {
        int failures = 0;
        for (int count : new int[]{0, 1, 11, 12, 30}) {
            try (MallocArena arena = open()) {
                for (int i = 0; i < count; i++) {
                    arena.allocate(8);
                }
                MemorySegment block = block(64);
                counting.refuseAfter(0);
                try {
                    arena.adopt(block);
                } catch (OutOfMemoryError e) {
                    failures++;
                    freeByC(block);
                }
                counting.refuseNothing();
                arena.free(arena.adopt(block(64)));
            }
        }
        // The index of a checked arena is on the heap.
        assertThat(failures > 0).isEqualTo(!kind.checked);
    }

    @Test
    void adopt_inAnArenaWithABudget_countsTheSizeOfTheSegmentUntilTheBlockIsFreed() {
        MemoryBudget budget = MemoryBudget.root("adopting", 10_000);
        try (MallocArena arena = kind.builder().allocator(counting.allocator()).budget(budget).build()) {
            long index = kind.checked ? 0 : 256;
            MemorySegment adopted = arena.adopt(block(1_000));
            arena.adopt(block(0)); // one byte, as no block takes no memory
            assertThat(budget.stats().reservedByteSize()).isEqualTo(1_001 + index);
            assertThat(arena.stats()).isEqualTo(new MallocArenaStatistics("", 2, 1_000, 1_001 + index));
            MemorySegment large = block(20_000);
            assertThatThrownBy(() -> arena.adopt(large)).isInstanceOf(BudgetExceededException.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> arena.adopt(Memory.segment(adopted.address(), 1_000)));
            assertThat(budget.stats().reservedByteSize()).isEqualTo(1_001 + index);
            freeByC(large);
            MemorySegment moved = arena.reallocate(adopted, 2_000);
            assertThat(budget.stats().reservedByteSize()).isEqualTo(2_001 + index);
            arena.free(moved);
            assertThat(budget.stats().reservedByteSize()).isEqualTo(1 + index);
        }
        assertThat(budget.stats().reservedByteSize()).isZero();
        budget.close();
    }

    @Test
    void adopt_inACleanup_isRefusedOrFreed() {
        MemorySegment block = block(64);
        MemorySegment first = arena.allocate(64);
        ScopeAccess.addCleanup(first.scope(), () -> {
            try {
                arena.adopt(block);
            } catch (IllegalStateException e) {
                freeByC(block);
            }
        });
        arena.close();
        assertThat(arena.scope().isAlive()).isFalse();
    }

    @Test
    void adopt_inAnArenaOverPages_isUnsupported() {
        assumeTrue(PageMappings.isSupported(), "needs anonymous mappings");
        MemorySegment block = block(64);
        try (MallocArena arena = kind.open(NativeAllocator.pages())) {
            assertThatThrownBy(() -> arena.adopt(block)).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("Cannot adopt a block: allocator=pages, which unmaps large blocks; use an arena over "
                            + "NativeAllocator.libc()");
        }
        freeByC(block);
    }

    /// A block of the allocator, as a native call returns it.
    private MemorySegment block(long byteSize) {
        return Memory.segment(counting.allocator().allocate(byteSize, 1), byteSize);
    }

    private void freeByC(MemorySegment block) {
        counting.allocator().free(block.address(), block.byteSize(), 1);
    }
}
