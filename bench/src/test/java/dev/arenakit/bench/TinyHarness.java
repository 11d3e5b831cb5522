package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.micro.arena.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The harness with one suite, which takes seconds. Its figures mean nothing.
final class TinyHarness {
    /// A lock for the tests only, so that they do not wait for a measurement.
    static final Path LOCK = Path.of("target", "tiny.lock");

    private static final Iterations BRIEF = new Iterations(1, Duration.ofMillis(5));

    static Suite suite() {
        return new Suite("tiny", "A tiny suite", 1, BRIEF, BRIEF, CellGrid.of(Session.class)
                .with("workload", BlockWorkload.ONE)
                .arenas(Candidates.OF_CONFINED)
                .cells()
                .toList(), List.of());
    }

    public static void main(String[] args) {
        System.exit(Harness.commandLine(List.of(suite()), System.out, LOCK).execute(args));
    }
}
