package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests shared arenas that several threads use.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class InfiniteArenaThreadsTest extends InDirectory {
    private static final int THREADS = 8;

    InfiniteArenaThreadsTest(TestFileSystem place) throws IOException {
        super(place);
    }

    @Test
    void allocate_inOneChunkFromManyThreads_neverOverlaps() throws Exception {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1L << 30).catalog(CatalogLevel.OFF).build()) {
            assertNoOverlap(arena, 2_000);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 1);
        }
    }

    @Test
    @Tag("full")
    void allocate_firstInTwoThreadsAtOnce_makesOneChunk() throws Exception {
        for (int round = 0; round < 25; round++) {
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked().deleteOnClose().build()) {
                CountDownLatch start = new CountDownLatch(1);
                Callable<Long> allocate = () -> {
                    while (start.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    return arena.allocate(8, 8).address();
                };
                List<Long> addresses = runTogether(List.of(allocate, allocate), start);

                assertThat(Math.abs(addresses.get(0) - addresses.get(1))).isBetween(8L, 1L << 20);
                assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
            }
        }
    }

    @Test
    void allocate_inManyChunksFromManyThreads_neverOverlaps() throws Exception {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(64 << 10).catalog(CatalogLevel.OFF).build()) {
            assertNoOverlap(arena, 2_000);
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(MappingLimit.used() - mappingsBefore);
        }
    }

    @Test
    @Tag("full")
    void allocate_filePerAllocationFromManyThreads_neverOverlaps() throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            assertNoOverlap(arena, 25);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactlyInAnyOrderElementsOf(
                    IntStream.range(0, THREADS * 25).mapToObj(i -> "memory-" + i).toList());
            assertThat(MappingLimit.used()).as("files and the catalog").isEqualTo(mappingsBefore + THREADS * 25 + 1);
        }
    }

    private static void assertNoOverlap(InfiniteArena arena, int perThread) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Callable<List<MemorySegment>>> work = new ArrayList<>();
        for (int thread = 1; thread <= THREADS; thread++) {
            byte mark = (byte) thread;
            work.add(() -> {
                SplittableRandom random = new SplittableRandom(mark);
                List<MemorySegment> segments = new ArrayList<>();
                start.await();
                for (int i = 0; i < perThread; i++) {
                    long alignment = 1L << random.nextInt(13);
                    MemorySegment segment = arena.allocate(random.nextInt(1, 500), alignment);
                    assertThat(segment.address() % alignment).isZero();
                    segments.add(segment.fill(mark));
                }
                MemorySegment marks = MemorySegment.ofArray(new byte[500]).fill(mark);
                for (MemorySegment segment : segments) {
                    assertThat(segment.mismatch(marks.asSlice(0, segment.byteSize()))).isEqualTo(-1);
                }
                return segments;
            });
        }
        List<MemorySegment> all = new ArrayList<>();
        for (List<MemorySegment> segments : runTogether(work, start)) {
            all.addAll(segments);
        }
        all.sort(Comparator.comparingLong(MemorySegment::address));
        for (int i = 1; i < all.size(); i++) {
            MemorySegment before = all.get(i - 1);
            assertThat(before.address() + before.byteSize()).isLessThanOrEqualTo(all.get(i).address());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4096})
    @Tag("full")
    void close_whileOthersAllocate_leavesNoFileAndNoMapping(long chunkByteSize) throws Exception {
        AtomicInteger allocations = new AtomicInteger();
        for (int round = 0; round < 20; round++) {
            InfiniteArena.Builder builder = InfiniteArena.builder(base).deleteOnClose();
            InfiniteArena arena = chunkByteSize > 0 ? builder.chunked(chunkByteSize).build() : builder.build();
            CountDownLatch start = new CountDownLatch(1);
            List<Callable<Void>> work = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                work.add(() -> {
                    start.await();
                    assertThatThrownBy(() -> {
                        while (true) {
                            arena.allocate(1_000, 8);
                            allocations.incrementAndGet();
                        }
                    }).isInstanceOf(IllegalStateException.class);
                    return null;
                });
            }
            long pause = round * 40_000L;
            // The arena is closed before, during or after the first allocations.
            int least = round < 10 ? 0 : allocations.get() + 1;
            work.add(() -> {
                start.await();
                long end = System.nanoTime() + pause;
                while (System.nanoTime() < end || allocations.get() < least) {
                    Thread.onSpinWait();
                }
                arena.close();
                return null;
            });
            runTogether(work, start);

            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
        }
        assertThat(allocations).hasPositiveValue();
    }

    @Test
    void allocate_whileInterruptedAgainAndAgain_succeeds() throws Exception {
        Thread allocator = Thread.currentThread();
        CountDownLatch done = new CountDownLatch(1);
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(Thread::new);
                InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            Future<?> interrupter = executor.submit(() -> {
                while (done.getCount() > 0) {
                    allocator.interrupt();
                    Thread.sleep(1);
                }
                return null;
            });
            int allocations = 0;
            while (allocations < 100 || !allocator.isInterrupted()) {
                arena.allocate(8, 8);
                allocations++;
            }
            done.countDown();
            while (!interrupter.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(TestFileSystem.dataFiles(directory)).hasSize(allocations);
            interrupter.get();
        }
    }

    private static <T> List<T> runTogether(List<Callable<T>> work, CountDownLatch start) throws Exception {
        List<T> results = new ArrayList<>();
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(Thread::new)) {
            List<Future<T>> running = work.stream().map(executor::submit).toList();
            start.countDown();
            for (Future<T> one : running) {
                results.add(one.get());
            }
        }
        return results;
    }
}
