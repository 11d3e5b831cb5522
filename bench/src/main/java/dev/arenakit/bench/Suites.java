package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.contestant.Plan;
import dev.arenakit.bench.question.Mapped;
import dev.arenakit.bench.question.OneBlock;
import dev.arenakit.bench.question.Session;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static dev.arenakit.bench.contestant.Contestants.MALLOC;
import static dev.arenakit.bench.contestant.Contestants.OF_CONFINED;
import static dev.arenakit.bench.contestant.Contestants.SLAB;
import static dev.arenakit.bench.contestant.Contestants.SLAB_BOUNDED_NONE;
import static dev.arenakit.bench.contestant.Contestants.SLAB_NONE;

/// The suites that the harness knows. A new one is a new entry here.
final class Suites {
    private static final String[] SIZES = {"16", "64", "256", "1024", "4096", "65536", "1048576"};

    private static final Suite DEMO = new Suite("demo", "The arenas against Arena.ofConfined", 1,
            new Iterations(3, Duration.ofMillis(400)),
            new Iterations(3, Duration.ofMillis(300)),
            cells(
                    Grid.of(OneBlock.class)
                            .with("byteSize", "64")
                            .with("written", "first")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    Grid.of(OneBlock.class)
                            .with("byteSize", "65536")
                            .with("written", "first", "all")
                            .arenas(OF_CONFINED, MALLOC),
                    Grid.of(Session.class)
                            .with("workload", Plan.TEN, Plan.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    Grid.of(Mapped.class).with("byteSize", "100").methods("ofConfined", "chunkedConfined")),
            List.of());

    private static final Suite TARGETS = new Suite("targets", "What is asked of the arenas, and what they do", 5,
            new Iterations(3, Duration.ofMillis(700)),
            new Iterations(3, Duration.ofMillis(400)),
            cells(
                    Grid.of(OneBlock.class)
                            .with("written", "first", "all")
                            .with("byteSize", SIZES)
                            .arenas(OF_CONFINED, MALLOC),
                    Grid.of(Session.class)
                            .with("workload", Plan.ONE, Plan.TEN, Plan.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE, SLAB_BOUNDED_NONE),
                    Grid.of(Mapped.class)
                            .with("byteSize", "100")
                            .methods("ofConfined", "chunkedConfined", "chunkedShared", "filePerAllocation")),
            List.of(
                    faster(6, SLAB_NONE, Plan.ONE),
                    faster(18, SLAB_NONE, Plan.TEN),
                    faster(20, SLAB_NONE, Plan.HUNDRED_MIXED),
                    faster(3.5, SLAB, Plan.ONE),
                    faster(9, SLAB, Plan.TEN),
                    faster(5, SLAB, Plan.HUNDRED_MIXED),
                    faster(3, SLAB_BOUNDED_NONE, Plan.ONE),
                    faster(15, SLAB_BOUNDED_NONE, Plan.TEN),
                    faster(2, MALLOC, Plan.TEN)));

    /// What is run when arenas or workloads are plugged in and no suite is named.
    static final Suite OWN = new Suite("own", "Your arenas and your work, beside the usual ones", 3,
            new Iterations(3, Duration.ofMillis(500)),
            new Iterations(3, Duration.ofMillis(400)),
            cells(
                    Grid.of(OneBlock.class)
                            .with("byteSize", "64", "4096", "65536")
                            .with("written", "first", "all")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    Grid.of(Session.class)
                            .with("workload", Plan.ONE, Plan.TEN, Plan.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE)),
            List.of());

    static final List<Suite> ALL = List.of(DEMO, TARGETS, OWN);

    private Suites() {}

    private static List<Cell> cells(Grid... grids) {
        return Stream.of(grids).flatMap(Grid::cells).toList();
    }

    private static Target faster(double times, String provider, String workload) {
        Map<String, String> conditions = Map.of("workload", workload);
        return new Target(Grid.arena(Session.class, provider, conditions),
                Grid.arena(Session.class, OF_CONFINED, conditions), times, true);
    }
}
