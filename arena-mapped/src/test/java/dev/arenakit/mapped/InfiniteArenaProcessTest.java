package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests shared arenas that several threads use, and arenas in other processes, which are killed, have limits, or are
/// denied native access.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class InfiniteArenaProcessTest extends InDirectory {
    private static final int THREADS = 8;

    InfiniteArenaProcessTest(TestFileSystem place) {
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
        List<MemorySegment> all = Collections.synchronizedList(new ArrayList<>());
        Threads.race(THREADS, thread -> {
            byte mark = (byte) (thread + 1);
            SplittableRandom random = new SplittableRandom(mark);
            List<MemorySegment> segments = new ArrayList<>();
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
            all.addAll(segments);
        });
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
            InfiniteArenaBuilder builder = InfiniteArena.builder(base).deleteOnClose();
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

    @Test
    void kill_whileWriting_leavesAllStores() throws Exception {
        Process writer = ChildJvm.denied().command(ChildMain.class, "write", base.toString()).start();
        try (BufferedReader output = writer.inputReader()) {
            assertThat(output.readLine()).isEqualTo("ready");
            // Wait for the first store after the last line.
            try (FileChannel counter = FileChannel.open(directory.resolve("plain-1"))) {
                while (readLong(counter, 0) == 0) {
                    assertThat(writer.isAlive()).isTrue();
                    Thread.onSpinWait();
                }
            }
        } finally {
            writer.destroyForcibly();
        }
        assertThat(writer.waitFor()).isNotZero();

        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("chunked-0", "plain-0", "plain-1");
        long log;
        log = read(ArenaImage.open(base.resolveSibling("chunked")),
                image -> image.allocations().toList().getLast().byteOffset());
        try (FileChannel pattern = FileChannel.open(directory.resolve("plain-0"));
                FileChannel chunk = FileChannel.open(directory.resolve("chunked-0"));
                FileChannel counter = FileChannel.open(directory.resolve("plain-1"))) {
            assertThat(pattern.size()).isEqualTo(1L << 40);
            for (long i = 0; i < 10_000; i++) {
                assertThat(readLong(pattern, i * 800)).isEqualTo(~i);
            }
            assertThat(readLong(chunk, 0))
                    .isEqualTo(ByteBuffer.wrap("Hello Wo".getBytes(US_ASCII))
                            .order(ByteOrder.nativeOrder())
                            .getLong());
            long last = readLong(counter, 0);
            assertThat(last).isPositive();
            assertThat(readLong(chunk, log + (last & 0xfffff) * 8)).as("logged before it was counted").isEqualTo(last);
        }
    }

    private static long readLong(FileChannel channel, long position) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        assertThat(channel.read(bytes, position)).isEqualTo(8);
        return bytes.getLong(0);
    }

    @Test
    @Tag("full")
    void use_withNativeAccessDenied_succeedsInEveryMode() throws Exception {
        String output = ChildJvm
                .run(ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(ChildMain.class, "use", base.toString()));

        assertThat(output).isEqualTo("native access: false" + System.lineSeparator());
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    @Tag("full")
    void allocate_underALimitOnFileSize_halvesTheChunk() throws Exception {
        // This is 4 GiB in blocks of 512 bytes, as POSIX specifies. A shell that counts in KiB allows 8 GiB.
        String output = ChildJvm.run(limited("ulimit -f 8388608", 1L << 40));

        assertThat(output).contains("distance: 100")
                .contains("UncheckedIOException: File system refuses")
                .contains("byteSize=4398046511104");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(Files.size(directory.resolve("memory-0"))).isBetween(1L << 30, 8L << 30);
    }

    @Test
    @Tag("full")
    void allocate_underALimitOnAddresses_halvesTheChunk() throws Exception {
        String output = ChildJvm.run(limited("ulimit -v 16777216", 1L << 36));

        assertThat(output).contains("distance: 100")
                .contains("OutOfMemoryError: Address space is exhausted")
                .contains("byteSize=4398046511104")
                .contains("ulimit -v");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(Files.size(directory.resolve("memory-0"))).isBetween(1L << 30, 16L << 30);
    }

    /// The scenario `limit`, started by a shell that sets a limit. When addresses are scarce, the JDK waits for a tenth
    /// of a second before it refuses a chunk, so that a small chunk takes less time.
    private ProcessBuilder limited(String limit, long chunkByteSize) throws IOException {
        Path shell = Path.of("/bin/sh");
        assumeTrue(Files.isExecutable(shell), "needs a shell");
        Process trial = new ProcessBuilder(shell.toString(), "-c", limit).start();
        assumeTrue(trial.onExit().join().exitValue() == 0, () -> "needs a shell that knows " + limit);
        ProcessBuilder java = ChildJvm.denied()
                .command(ChildMain.class, "limit", base.toString(), Long.toString(chunkByteSize));
        List<String> command = new ArrayList<>(List.of(shell.toString(), "-c", limit + "; exec \"$@\"", "sh"));
        command.addAll(java.command());
        return java.command(command);
    }
}
