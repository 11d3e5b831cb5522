package dev.arenakit;

import dev.arenakit.internal.PageMappings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// An allocator that refuses some allocations: arenas and pools over it stay usable, and lose nothing.
class NativeAllocatorFailingTest {
    private static final long GIB = 1 << 30;

    @Test
    void failing_allRefused_isOutOfMemoryWithTheNameOfTheOther() {
        List<Long> asked = new ArrayList<>();
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> {
            asked.add(byteSize);
            return true;
        });
        assertThat(failing).hasToString("libc");
        assertThatThrownBy(() -> failing.allocate(100, 8)).isInstanceOf(OutOfMemoryError.class)
                .hasMessage("Native memory exhausted: byteSize=100, byteAlignment=8, allocator=libc, tried=malloc");
        assertThatThrownBy(() -> failing.allocate(200, 64)).isInstanceOf(OutOfMemoryError.class);
        assertThat(asked).containsExactly(100L, 200L);
    }

    @Test
    void failing_ofAFailingOne_refusesWhatEitherRefuses() {
        NativeAllocator small = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> byteSize < 10);
        NativeAllocator both = NativeAllocator.failing(small, byteSize -> byteSize > 100);
        assertThatThrownBy(() -> both.allocate(9, 1)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> both.allocate(101, 1)).isInstanceOf(OutOfMemoryError.class);
        long address = both.allocate(50, 1);
        NativeAllocator.libc().free(address, 50, 1);
    }

    @Test
    void withCriticalCalls_ofAFailingOne_stillRefuses() {
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), _ -> true).withCriticalCalls();
        try (MallocArena arena = MallocArena.builder().allocator(failing).build()) {
            assertThatThrownBy(() -> arena.allocate(10, 8)).isInstanceOf(OutOfMemoryError.class);
        }
    }

    @ParameterizedTest
    @EnumSource(MallocKind.class)
    void mallocArena_everyNthRefused_staysUsableAndLosesNothing(MallocKind kind) {
        for (int n = 2; n <= 6; n++) {
            CountingAllocator counting = new CountingAllocator();
            AtomicLong requests = new AtomicLong();
            int every = n;
            NativeAllocator failing = NativeAllocator.failing(counting.allocator(),
                    _ -> requests.incrementAndGet() % every == 0);
            int refused = 0;
            try (MallocArena arena = kind.open(failing)) {
                List<MemorySegment> live = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    try {
                        operate(arena, live, i);
                    } catch (OutOfMemoryError e) {
                        refused++;
                    }
                }
                for (MemorySegment segment : live) {
                    int seed = (int) segment.byteSize();
                    assertThat(Bytes.areFilled(segment, seed, segment.byteSize())).isTrue();
                }
            }
            assertThat(refused).isGreaterThan(10);
            counting.assertNothingHeld();
        }
    }

    private static void operate(MallocArena arena, List<MemorySegment> live, int i) {
        MemorySegment segment = i % 5 == 4
                ? arena.reallocate(live.getFirst(), i * 7L)
                : i % 5 == 3 ? arena.allocateZeroed(i, 8) : arena.allocate(i, 1L << i % 10);
        if (i % 5 == 4) {
            live.removeFirst();
        }
        Bytes.fill(segment, (int) segment.byteSize());
        live.add(segment);
        if (i % 7 == 6) {
            arena.free(live.getFirst());
            live.removeFirst();
        }
    }

    @Test
    void pool_everyNthRefused_staysUsableAndLosesNothing() {
        for (int n = 2; n <= 6; n++) {
            CountingAllocator counting = new CountingAllocator();
            AtomicLong requests = new AtomicLong();
            int every = n;
            SlabPool pool = SlabPool.builder()
                    .slabByteSize(1024)
                    .maxIdleByteSize(2048)
                    .allocator(NativeAllocator.failing(counting.allocator(),
                            _ -> requests.incrementAndGet() % every == 0))
                    .build();
            assertThat(runSessions(pool)).isGreaterThan(10);
            pool.close();
            counting.assertNothingHeld();
        }
    }

    /// A mapping that is lost would be at least 1 MiB of address space.
    @Test
    @EnabledOnOs(OS.LINUX)
    void poolOverPages_everyNthRefused_losesNoMapping() throws IOException {
        long before = mappedByteSize();
        AtomicLong requests = new AtomicLong();
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.pages(),
                _ -> requests.incrementAndGet() % 3 == 0);
        int refused = 0;
        for (int i = 0; i < 1_000; i++) {
            try (SlabPool pool = SlabPool.builder().allocator(failing).build()) {
                try (SlabArena arena = pool.openConfined()) {
                    for (int block = 0; block < 5; block++) {
                        arena.allocate(4 << 20, 8).asSlice(0, 1).fill((byte) 1);
                    }
                } catch (OutOfMemoryError e) {
                    refused++;
                }
                assertThat(pool.stats().usedByteSize()).isZero();
            }
        }
        assertThat(refused).isGreaterThan(500);
        assertThat(mappedByteSize() - before).isLessThan(GIB / 2);
    }

    /// @return how often memory was refused
    private static int runSessions(SlabPool pool) {
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            try (SlabArena arena = i % 10 == 9 ? pool.openShared() : pool.openConfined()) {
                List<MemorySegment> live = new ArrayList<>();
                for (int block = 0; block < 20; block++) {
                    try {
                        live.add(zeroed(arena.allocate(block * 29L, 8)).fill((byte) block));
                    } catch (OutOfMemoryError e) {
                        refused++;
                        live.add(MemorySegment.NULL);
                    }
                }
                for (int block = 0; block < live.size(); block++) {
                    assertThat(Bytes.allAre(live.get(block), (byte) block)).isTrue();
                }
                if (i % 10 != 9) {
                    refused += runFrame(arena);
                }
            } catch (OutOfMemoryError e) {
                refused++;
            }
            assertThat(pool.stats().openArenas()).isZero();
            assertThat(pool.stats().usedByteSize()).isZero();
        }
        return refused;
    }

    private static int runFrame(SlabArena arena) {
        try (Arena frame = arena.pushFrame()) {
            for (int block = 0; block < 10; block++) {
                zeroed(frame.allocate(block * 50L, 8)).fill((byte) 1);
            }
            return 0;
        } catch (OutOfMemoryError e) {
            return 1;
        }
    }

    private static MemorySegment zeroed(MemorySegment segment) {
        assertThat(Bytes.allAre(segment, (byte) 0)).isTrue();
        return segment;
    }

    private static long mappedByteSize() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", 2)[0])
                * PageMappings.pageByteSize();
    }
}
