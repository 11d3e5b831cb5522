package dev.arenakit.examples.server;

import dev.arenakit.SlabPool;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Prints what an arena of ten blocks costs in each of many threads: the processor time, starting the virtual threads
/// included, and the resident memory if all threads have their arenas open at the same time.
///
/// Run each kind of arena in a process of its own, with a heap of fixed size that is touched before.
public final class ThreadTimes {
    private static final int BLOCKS = 10;
    private static final int BLOCK_BYTE_SIZE = 32;
    /// Enough for a clock of the processor time that counts hundredths of a second.
    private static final int SESSIONS = 1_000_000;

    private ThreadTimes() {}

    /// Runs the measurement.
    ///
    /// @param args the kind of arena, and the number of threads
    /// @throws Exception if the measurement fails
    public static void main(String[] args) throws Exception {
        run(System.out, args[0], Integer.parseInt(args[1]), SESSIONS);
    }

    static void run(PrintStream out, String kind, int threads, int sessions)
            throws InterruptedException, IOException {
        Supplier<? extends Arena> arenas = arenas(kind);
        int rounds = Math.max(1, sessions / threads);
        inThreads(threads, rounds, () -> use(arenas));
        long before = processorNanos();
        inThreads(threads, rounds, () -> use(arenas));
        out.printf(Locale.ROOT, "%s, %,d threads: %,d ns", kind, threads,
                (processorNanos() - before) / ((long) threads * rounds));
        if (!kind.equals("waiting")) {
            out.printf(Locale.ROOT, ", %,d bytes if all are open", residentBytes(arenas, threads));
        }
        out.println();
    }

    /// {@return the resident memory that each thread takes}
    private static long residentBytes(Supplier<? extends Arena> arenas, int threads)
            throws InterruptedException, IOException {
        CountDownLatch open = new CountDownLatch(threads);
        CountDownLatch end = new CountDownLatch(1);
        long before = ServerExample.residentKilobytes();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++) {
                executor.execute(() -> {
                    try (Arena arena = arenas.get()) {
                        allocate(arena);
                        open.countDown();
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            open.await();
            long bytes = (ServerExample.residentKilobytes() - before) * 1_024 / threads;
            end.countDown();
            return bytes;
        }
    }

    private static void inThreads(int threads, int rounds, Runnable task) {
        for (int round = 0; round < rounds; round++) {
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < threads; i++) {
                    executor.execute(task);
                }
            }
        }
    }

    private static void use(Supplier<? extends Arena> arenas) {
        try (Arena arena = arenas.get()) {
            allocate(arena);
        }
    }

    private static void allocate(Arena arena) {
        for (int i = 0; i < BLOCKS; i++) {
            arena.allocate(BLOCK_BYTE_SIZE, JAVA_LONG.byteAlignment()).set(JAVA_LONG, 0, i);
        }
    }

    private static long processorNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    private static Supplier<? extends Arena> arenas(String kind) {
        return switch (kind) {
            case "pool" -> SlabPool.create()::openConfined;
            case "small slabs" -> SlabPool.builder().slabByteSize(1024).build()::openConfined;
            case "waiting" -> SlabPool.builder()
                    .maxByteSize(100 << 16)
                    .openTimeout(Duration.ofMinutes(1))
                    .build()::openConfined;
            case "confined" -> Arena::ofConfined;
            case "shared" -> Arena::ofShared;
            default -> throw new IllegalArgumentException("Kind of arena is unknown: kind=" + kind);
        };
    }
}
