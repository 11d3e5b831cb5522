package dev.arenakit;

import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Which segments each kind of arena frees, and which it rejects.
@EnumSource(MallocKind.class)
class MallocArenaFreeTest extends CountedMallocArena {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    MallocArenaFreeTest(MallocKind kind) {
        super(kind);
    }

    /// Over libc: a double free that is not rejected would terminate the JVM here.
    @Test
    void free_twice_isRejectedAndTheArenaGoesOn() {
        for (long byteSize : new long[]{64, 4 * KIB, 4 * MIB}) {
            try (MallocArena arena = kind.open(NativeAllocator.libc())) {
                MemorySegment first = arena.allocate(byteSize, 8);
                MemorySegment second = arena.allocate(byteSize, 8);
                second.fill((byte) 2);
                arena.free(first);
                for (int i = 0; i < 3; i++) {
                    assertRejected(arena, first);
                }
                assertThat(Bytes.allAre(second, (byte) 2)).isTrue();
                MemorySegment third = arena.allocate(byteSize, 8);
                third.fill((byte) 3);
                arena.free(second);
                assertThat(Bytes.allAre(third, (byte) 3)).isTrue();
            }
        }
    }

    @Test
    void free_staleSegmentOfAnAddressInUseAgain_isRejectedWhereTheBlocksCanBeToldApart() {
        MemorySegment stale = arena.allocate(1_000, 8);
        arena.free(stale);
        MemorySegment shorter = allocateAt(stale.address(), arena, 999);
        assertRejected(arena, stale);
        arena.free(shorter);
        MemorySegment same = allocateAt(stale.address(), arena, 1_000);
        if (kind.checked) {
            assertRejected(arena, stale);
            assertThat(counting.isLive(same.address())).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> stale.get(ValueLayout.JAVA_BYTE, 0));
            arena.free(same);
        } else {
            arena.free(stale);
            assertRejected(arena, same);
        }
    }

    private static MemorySegment allocateAt(long address, MallocArena arena, long byteSize) {
        MemorySegment segment = arena.allocate(byteSize, 8);
        // glibc reuses an address at once, other libraries after a while.
        for (int i = 0; i < 1_000 && segment.address() != address; i++) {
            segment = arena.allocate(byteSize, 8);
        }
        assumeTrue(segment.address() == address, "the allocator has not reused the address");
        return segment;
    }

    @Test
    void free_slices_areRejected() {
        MemorySegment segment = arena.allocate(64, 8);
        assertRejected(arena, segment.asSlice(0, 32));
        assertRejected(arena, segment.asSlice(0, 63));
        assertRejected(arena, segment.asSlice(32));
        assertRejected(arena, segment.asSlice(1));
        assertRejected(arena, segment.asSlice(0, 0));
        assertRejected(arena, segment.asSlice(16, 0));
        assertRejected(arena, segment.asSlice(64, 0));
        assertRejected(arena, segment.asReadOnly());
        arena.free(segment);
    }

    /// The end of a block may be the start of the next native block. An empty block must not have that address, unless
    /// its scope distinguishes both.
    @Test
    void allocate_nothing_isNotAtTheStartOfItsNativeBlockUnlessChecked() {
        int distance = kind.checked ? 0 : 1;
        assertThat(counting.isLive(arena.allocate(0, 1).address() - distance)).isTrue();
        MemorySegment other = arena.allocate(64, 8);
        assertThat(counting.isLive(arena.allocate(0, 1).address() - distance)).isTrue();
        assertThat(counting.isLive(arena.reallocate(other, 0).address() - distance)).isTrue();
    }

    @Test
    void free_segmentsThatClaimAnotherSize_areRejected() {
        MemorySegment segment = arena.allocate(64, 8);
        long address = segment.address();
        MemorySegment view = Scopes.viewOf(arena);
        assertRejected(arena, view.asSlice(address, 65));
        assertRejected(arena, view.asSlice(address, 1L << 40));
        assertRejected(arena, view.asSlice(address, 0));
        assertRejected(arena, view);
        assertRejected(arena, MemorySegment.ofAddress(address));
        arena.free(segment);
    }

    @Test
    void free_segmentsOfOthers_areRejected(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("mapped");
        Files.write(file, new byte[64]);
        try (MallocArena sibling = open();
                Arena confined = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment own = arena.allocate(64, 8);
            for (MemorySegment foreign : List.of(sibling.allocate(64, 8), sibling.allocate(0, 8),
                    confined.allocate(64), Arena.global().allocate(64), Arena.ofAuto().allocate(64),
                    MemorySegment.ofArray(new byte[64]), MemorySegment.ofArray(new byte[0]), MemorySegment.NULL,
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, 64, confined),
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, 64, arena))) {
                assertRejected(arena, foreign);
            }
            // Also rejected after the first free has built the index.
            arena.free(own);
            assertRejected(arena, sibling.allocate(64, 8));
        }
    }

    @Test
    void free_nullOrClosedArena_isRejectedInTheOrderOfTheJdk() {
        MemorySegment segment = arena.allocate(64, 8);
        assertThatThrownBy(() -> arena.free(nullSegment())).isInstanceOf(NullPointerException.class);
        arena.close();
        assertThatThrownBy(() -> arena.free(nullSegment())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> arena.free(segment)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.free(MemorySegment.NULL)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void free_anotherThread_isAsTheKindPromises() {
        MemorySegment segment = arena.allocate(64, 8);
        Throwable thrown = Threads.thrownBy(() -> arena.free(segment));
        if (kind.shared) {
            assertThat(thrown).isNull();
            assertRejected(arena, segment);
        } else {
            assertThat(thrown).isInstanceOf(WrongThreadException.class);
            arena.free(segment);
        }
    }

    @Test
    void refusal_always_namesAddressAndSize() {
        MemorySegment slice = arena.allocate(64, 8).asSlice(8, 16);
        assertThatThrownBy(() -> arena.free(slice)).hasMessage("Not a live block of this arena: address=0x"
                + Long.toHexString(slice.address())
                + ", byteSize=16; pass a segment exactly as allocate returned it, and only once");
    }

    @Test
    void free_amongManyBlocks_asksForNoOtherMemory() {
        for (int i = 0; i < 1_000; i++) {
            arena.allocate(8, 8);
        }
        arena.free(arena.allocate(8, 8));
        // The index has room: only the blocks themselves are requested.
        counting.refuseAfter(200);
        for (int i = 0; i < 100; i++) {
            MemorySegment first = arena.allocate(8, 8);
            // Found by the index in a confined arena, too.
            arena.free(arena.allocate(8, 8));
            arena.free(first);
        }
        counting.refuseNothing();
    }

    /// The memory of the arena beside its ten blocks of 100 bytes consists of their headers and the table.
    @Test
    void blockTable_tenLiveOverManyPairs_staysBelowFourKiB() {
        int pairs = kind.checked ? 1_000 : 10_000;
        MemorySegment[] live = new MemorySegment[10];
        for (int i = 0; i < live.length; i++) {
            live[i] = arena.allocate(100, 8);
        }
        for (int i = 0; i < pairs; i++) {
            arena.free(live[i % live.length]);
            live[i % live.length] = arena.allocate(100, 8);
        }
        assertThat(counting.peakBytes() - live.length * 100L).isLessThanOrEqualTo(4 * KIB);
    }

    /// Both methods that take a block reject the segment, and neither allocate nor free memory.
    private void assertRejected(MallocArena arena, MemorySegment segment) {
        long bytes = counting.bytes();
        assertRefused(() -> arena.free(segment), "Not a live block of this arena");
        assertRefused(() -> arena.reallocate(segment, 10), "Not a live block of this arena");
        // The first call may have built the table.
        assertThat(Math.abs(counting.bytes() - bytes)).isLessThanOrEqualTo(4 * KIB);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // A caller without such checks may pass this.
    private static MemorySegment nullSegment() {
        return null;
    }
}
