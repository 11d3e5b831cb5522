package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.contestant.Contestants;
import dev.arenakit.bench.contestant.Plan;
import dev.arenakit.bench.question.Session;
import java.time.Duration;
import java.util.List;

/// The harness with one suite, which says nothing and takes seconds.
final class TinyHarness {
    private static final Iterations BRIEF = new Iterations(1, Duration.ofMillis(20));

    private TinyHarness() {}

    static Suite suite() {
        return new Suite("tiny", "A tiny suite", 1, BRIEF, BRIEF, Grid.of(Session.class)
                .with("workload", Plan.ONE)
                .arenas(Contestants.OF_CONFINED)
                .cells()
                .toList(), List.of());
    }

    public static void main(String[] args) {
        System.exit(Harness.commandLine(List.of(suite()), System.out).execute(args));
    }
}
