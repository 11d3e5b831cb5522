package dev.arenakit.bench.replay;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.mapped.trace.TracedBlockArena;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Replays recorded programs, and records the replays: they have the same calls.
class ReplayerTest {
    private final Path directory;
    private final Path recorded;
    private final List<String> problems = new ArrayList<>();

    ReplayerTest(@TempDir Path directory) {
        this.directory = directory;
        recorded = directory.resolve("recorded");
    }

    private TraceSummary summary(Path trace) throws IOException {
        try (AllocationTrace opened = AllocationTrace.open(trace)) {
            return opened.summarize(problems::add);
        }
    }

    private ReplayProgram program() throws IOException {
        return ReplayProgram.read(recorded, problems::add);
    }

    @Test
    void run_sessions_hasTheSameCallsAndPeakEachTime() throws IOException {
        try (TraceRecorder recorder = AllocationTrace.record(recorded)) {
            for (int i = 0; i < 100; i++) {
                try (Arena outer = recorder.wrap(Arena.ofConfined())) {
                    outer.allocate(i, 8);
                    try (Arena inner = recorder.wrap(Arena.ofConfined())) {
                        inner.allocate(1_000 - i, 1);
                    }
                    outer.allocate(1L << i % 10, 16);
                }
            }
            recorder.wrap(Arena.ofConfined()).allocate(7);
        }
        TraceSummary expected = summary(recorded);
        for (int round = 0; round < 2; round++) {
            Path replayed = directory.resolve("replayed-" + round);
            try (TraceRecorder recorder = AllocationTrace.record(replayed)) {
                Replayer replayer = new Replayer(program(), () -> recorder.wrap(Arena.ofConfined()), Arena::ofShared,
                        true,
                        false);
                // The last arena is closed at the end.
                assertThat(replayer.run()).isEqualTo(expected.events() + 1);
                assertThat(replayer.refused().sum()).isZero();
            }
            TraceSummary actual = summary(replayed);
            assertThat(actual.allocations()).isEqualTo(expected.allocations());
            assertThat(actual.byteSize()).isEqualTo(expected.byteSize());
            assertThat(actual.peakByteSize()).isEqualTo(expected.peakByteSize());
            assertThat(actual.mostOpenArenas()).isEqualTo(expected.mostOpenArenas());
            assertThat(actual.openArenas()).isZero();
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void run_blocksHandedToAnotherThread_waitsForThem() throws Exception {
        int count = 2_000;
        try (TraceRecorder recorder = AllocationTrace.record(recorded);
                TracedBlockArena blocks = recorder.wrapBlocks(MallocArena.ofShared())) {
            BlockingQueue<MemorySegment> queue = new ArrayBlockingQueue<>(16);
            Thread consumer = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        blocks.free(blocks.reallocate(queue.take(), 100));
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            for (int i = 0; i < count; i++) {
                queue.put(blocks.allocate(32, 8));
            }
            consumer.join();
        }
        ReplayProgram program = program();
        assertThat(program.threads()).isEqualTo(2);
        try (SlabPool pool = SlabPool.create()) {
            for (Replayer replayer : List.of(
                    new Replayer(program, Arena::ofConfined, MallocArena::ofShared, true, false),
                    new Replayer(program, pool::openConfined, pool::openShared, false, false),
                    new Replayer(program, Arena::ofConfined, Arena::ofShared, false, true))) {
                List<Long> times = Collections.synchronizedList(new ArrayList<>());
                assertThat(replayer.run(times::add)).isEqualTo(3 * count + 2);
                assertThat(times).hasSize(3 * count + 2);
                assertThat(replayer.refused().sum()).isZero();
            }
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void run_manyThreads_hasNoMoreThreadsThanRecorded() throws Exception {
        try (TraceRecorder recorder = AllocationTrace.record(recorded)) {
            for (int i = 0; i < 50; i++) {
                Thread.ofVirtual().start(() -> {
                    try (Arena arena = recorder.wrap(Arena.ofConfined())) {
                        arena.allocate(8);
                    }
                }).join();
            }
        }
        ReplayProgram program = program();
        assertThat(program.threads()).isEqualTo(50);
        assertThat(program.lanes()).hasSize(1);
        assertThat(new Replayer(program, Arena::ofConfined, Arena::ofShared, false, false).run()).isEqualTo(150);
    }

    /// Threads that wait must not keep the processors from a thread that has not begun.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void run_allWaitForTheThreadThatStartsLast_ends() throws Exception {
        int waiting = 200;
        CountDownLatch opened = new CountDownLatch(waiting);
        CountDownLatch closed = new CountDownLatch(1);
        try (TraceRecorder recorder = AllocationTrace.record(recorded);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < waiting; i++) {
                Future<?> _ = threads.submit(() -> {
                    recorder.wrap(Arena.ofConfined()).close();
                    opened.countDown();
                    closed.await();
                    recorder.wrap(Arena.ofConfined()).close();
                    return null;
                });
            }
            opened.await();
            recorder.wrap(Arena.ofConfined()).close();
            closed.countDown();
        }
        Replayer replayer = new Replayer(program(), Arena::ofConfined, Arena::ofShared, false, false);
        for (int i = 0; i < 5; i++) {
            assertThat(replayer.run()).isEqualTo(2L * (2 * waiting + 1));
        }
    }

    /// Damage that the trace's reader cannot find changes the calls, and the replay of the rest ends.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void run_damagedTrace_ends() throws Exception {
        try (TraceRecorder recorder = AllocationTrace.record(recorded);
                TracedBlockArena shared = recorder.wrapBlocks(MallocArena.ofShared())) {
            Threads.race(4, _ -> {
                for (int i = 0; i < 200; i++) {
                    try (Arena arena = recorder.wrap(Arena.ofConfined())) {
                        arena.allocate(i);
                        shared.free(shared.reallocate(shared.allocate(10, 8), i));
                    }
                }
            });
        }
        List<Integer> pages = new ArrayList<>();
        try (ArenaImage image = ArenaImage.open(recorded)) {
            image.allocations()
                    .filter(each -> each.name().isEmpty())
                    .forEach(each -> pages.add(Math.toIntExact(each.byteOffset())));
        }
        Path file = directory.resolve("recorded-0");
        byte[] bytes = new byte[pages.getLast() + (1 << 14)];
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            damaged.readFully(bytes);
            for (int seed = 0; seed < 30; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                byte[] changed = bytes.clone();
                for (int page : pages) {
                    // Without a checksum, and with another time.
                    Arrays.fill(changed, page + 8, page + 12, (byte) 0);
                    changed[page + 24 + random.nextInt(6)] = (byte) random.nextInt();
                    changed[page + 32 + random.nextInt(2_000)] = (byte) random.nextInt();
                }
                damaged.seek(0);
                damaged.write(changed);
                ReplayProgram program = program();
                Replayer replayer = new Replayer(program, NoMemory::new, NoMemory::new, false, false);
                assertThat(replayer.run()).as("seed " + seed).isGreaterThanOrEqualTo(program.events());
            }
        }
    }

    /// Sizes of a damaged trace are not allocated.
    private static final class NoMemory implements Arena {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return MemorySegment.NULL;
        }

        @Override
        public MemorySegment.Scope scope() {
            return MemorySegment.NULL.scope();
        }

        @Override
        public void close() {}
    }

    @Test
    void run_refusedCalls_areCounted() throws IOException {
        try (TraceRecorder recorder = AllocationTrace.record(recorded);
                Arena arena = recorder.wrap(Arena.ofConfined())) {
            arena.allocate(8);
            arena.allocate(1 << 20);
        }
        try (SlabPool small = SlabPool.builder().maxByteSize(128 << 10).build()) {
            Replayer replayer = new Replayer(program(), small::openConfined, small::openShared, false, false);
            replayer.run();
            assertThat(replayer.refused().sum()).isOne();
        }
    }

    /// The traces that `docs/traces.md` names.
    @ParameterizedTest
    @Tag("full")
    @CsvSource({"sqlite, 300024, 1", "handlers, 78890, 3000"})
    void run_traceOfTheProject_hasItsCalls(String name, long events, int threads) throws IOException {
        try (ZipFile zip = new ZipFile(Path.of("traces", name + ".zip").toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                Files.copy(zip.getInputStream(entry), directory.resolve(entry.getName()));
            }
        }
        ReplayProgram program = ReplayProgram.read(directory.resolve(name), problems::add);
        assertThat(problems).isEmpty();
        assertThat(program.threads()).isEqualTo(threads);
        assertThat(new Replayer(program, Arena::ofConfined, Arena::ofShared, false, false).run()).isEqualTo(events);
    }

    @Test
    void read_emptyTrace_isRefused() {
        AllocationTrace.record(recorded).close();
        assertThatThrownBy(this::program).isInstanceOf(IOException.class)
                .hasMessageContaining("no events")
                .hasMessageContaining(recorded.toString());
    }
}
