package dev.arenakit.bench;

import dev.arenakit.SlabPool;
import dev.arenakit.bench.Footprint.Figures;
import dev.arenakit.bench.candidate.Candidates;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The process that [Footprint] measures: it has arenas of one kind open in virtual threads, and reads how much memory
/// it has.
final class FootprintProcess {
    /// Threads that run first, so that no class is loaded while time is measured.
    private static final int WARMUP_THREADS = 100;
    private static final int THREADS = 5_000;
    private static final long BYTE_SIZE = 32;

    /// A second use, in which each arena uses all of its slab. It has fewer threads, because of the memory.
    private static final int FILLING_THREADS = 1_000;
    private static final int FILLING_BLOCKS = 16;
    private static final long FILLING_BYTE_SIZE = 4096;

    private FootprintProcess() {}

    /// Measures and prints the [figures][Figures].
    ///
    /// @param args the candidate: `SlabArena` or `Arena.ofConfined`
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args[0].equals(Candidates.OF_CONFINED)) {
            use(Arena::ofConfined, WARMUP_THREADS, 1, BYTE_SIZE);
            Use small = use(Arena::ofConfined, THREADS, 1, BYTE_SIZE);
            System.out.println(new Figures(small.openNanos, small.residentByteSize, 0, 0).toLine());
            return;
        }
        try (SlabPool warmup = SlabPool.create();
                SlabPool pool = SlabPool.create();
                SlabPool full = SlabPool.create()) {
            use(warmup::openConfined, WARMUP_THREADS, 1, BYTE_SIZE);
            warmup.trim();
            Use small = use(pool::openConfined, THREADS, 1, BYTE_SIZE);
            use(full::openConfined, FILLING_THREADS, FILLING_BLOCKS, FILLING_BYTE_SIZE);
            long beforeTrim = residentByteSize();
            long freed = full.trim();
            System.out.println(new Figures(small.openNanos, small.residentByteSize, freed,
                    beforeTrim - residentByteSize()).toLine());
        }
    }

    /// The time in which all arenas were opened, and the memory that the process had while they were open, beyond what
    /// it had before.
    private record Use(long openNanos, long residentByteSize) {}

    private static Use use(Supplier<? extends Arena> opening, int threadCount, int blocks, long byteSize)
            throws IOException, InterruptedException {
        CountDownLatch opened = new CountDownLatch(threadCount);
        CountDownLatch measured = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>(threadCount);
        long residentBefore = residentByteSize();
        long start = System.nanoTime();
        for (int i = 0; i < threadCount; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try (Arena arena = opening.get()) {
                    for (int j = 0; j < blocks; j++) {
                        MemorySegment block = arena.allocate(byteSize, Long.BYTES);
                        block.set(JAVA_LONG, 0, j);
                    }
                    opened.countDown();
                    measured.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        opened.await();
        Use use = new Use(System.nanoTime() - start, residentByteSize() - residentBefore);
        measured.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return use;
    }

    /// The resident size of this process. Unlike the value in `status`, it is exact.
    static long residentByteSize() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            return 1024 * lines.filter(line -> line.startsWith("Rss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }
}
