package dev.arenakit.bench.replay;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.mapped.trace.TracedBlockArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
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
                assertThat(replayer.takeRefused()).isZero();
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
                assertThat(replayer.takeRefused()).isZero();
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
            assertThat(replayer.takeRefused()).isOne();
        }
    }

    /// The traces that `docs/traces.md` names.
    @ParameterizedTest
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
