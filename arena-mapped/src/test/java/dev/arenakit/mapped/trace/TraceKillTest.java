package dev.arenakit.mapped.trace;

import dev.arenakit.mapped.KilledWriter;
import dev.arenakit.mapped.TestFileSystem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests traces of processes that are killed while they record: each call that had returned is in the trace. Each
/// process takes a second to start.
class TraceKillTest {
    private static final int LEAST = 20_000;

    @Test
    void record_killed_hasEachCallThatHadReturned() throws Exception {
        killOnce(1);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void record_killedFiveHundredTimes_hasEachCallThatHadReturned() throws Exception {
        for (int seed = 0; seed < 500; seed++) {
            killOnce(seed);
        }
    }

    private static void killOnce(int seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Path directory = (seed % 2 == 0 ? TestFileSystem.BUILD : TestFileSystem.SHARED_MEMORY).newDirectory();
        try {
            Path base = directory.resolve("trace");
            long acknowledged = KilledWriter.kill(Child.class, directory.resolve("progress"), random.nextInt(LEAST),
                    random, directory.toString());
            List<String> problems = new ArrayList<>();
            try (AllocationTrace trace = AllocationTrace.open(base)) {
                assertThat(trace.state()).isEqualTo(TraceState.KILLED);
                TraceSummary summary = trace.summarize(problems::add);
                assertThat(problems).isEmpty();
                // Each change is an allocation, and every tenth an arena more.
                assertThat(summary.allocations()).isBetween(acknowledged, acknowledged + 1);
                assertThat(summary.arenas()).isBetween((acknowledged + 9) / 10, acknowledged / 10 + 1);
                assertThat(summary.openArenas()).isLessThanOrEqualTo(1);
            }
        } finally {
            TestFileSystem.remove(directory);
        }
    }

    /// Opens an arena for each ten allocations, until it is killed.
    static final class Child {
        private Arena arena;

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            TraceRecorder recorder = AllocationTrace.record(directory.resolve("trace"));
            Child child = new Child();
            KilledWriter.change(directory.resolve("progress"), 0, n -> child.change(recorder, n));
        }

        private void change(TraceRecorder recorder, long n) {
            if (n % 10 == 0) {
                if (arena != null) {
                    arena.close();
                }
                arena = recorder.wrap(Arena.ofConfined());
            }
            arena.allocate(n % 1_000);
        }
    }
}
