package dev.arenakit.bench;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Replays a trace in forks of JMH. Its figures mean nothing.
class ReplayCommandTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Path directory;
    private final Path trace;

    ReplayCommandTest(@TempDir Path directory) {
        this.directory = directory;
        trace = directory.resolve("trace");
    }

    private int replay(String... options) {
        return Harness
                .commandLine(List.of(), new PrintStream(printed, true, StandardCharsets.UTF_8), TinyHarness.LOCK)
                .execute(Stream
                        .concat(List.of("--forks", "1", "--warmup", "1x5", "--iterations", "2x5", "--report",
                                directory.resolve("report").toString(), "replay", trace.toString()).stream(),
                                Stream.of(options))
                        .toArray(String[]::new));
    }

    @Test
    @Tag("full")
    void replay_trace_recommendsAnArena() {
        try (TraceRecorder recorder = AllocationTrace.record(trace)) {
            for (int i = 0; i < 1_000; i++) {
                try (Arena arena = recorder.wrap(Arena.ofConfined())) {
                    arena.allocate(i, 8);
                    arena.allocate(10_000, 64);
                }
            }
        }
        assertThat(replay("--touch")).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("4,000 events", "ns/event", "peak MiB",
                "SlabArena unzeroed", "Times are processor time", "Take ", " ns an event, and ");
        assertThat(directory.resolve("report/results.json")).content()
                .contains("replay.refused")
                .doesNotContainPattern("replay.refused\"[^]]*[1-9]");
    }

    @Test
    void replay_listCells_listsThoseThatMatch() {
        try (TraceRecorder recorder = AllocationTrace.record(trace)) {
            recorder.wrap(Arena.ofConfined()).close();
        }
        assertThat(Harness
                .commandLine(List.of(), new PrintStream(printed, true, StandardCharsets.UTF_8), TinyHarness.LOCK)
                .execute("--only", "nothing", "--list-cells", "replay", trace.toString())).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8).lines()).singleElement().asString().contains("nothing");
    }

    @Test
    void replay_noForks_isRefused() {
        try (TraceRecorder recorder = AllocationTrace.record(trace)) {
            recorder.wrap(Arena.ofConfined()).close();
        }
        assertThat(Harness.commandLine(List.of(), System.out, TinyHarness.LOCK)
                .execute("--forks", "0", "replay", trace.toString())).isEqualTo(2);
    }

    @Test
    void replay_noTrace_isRefused() {
        assertThat(replay()).isEqualTo(2);
    }
}
