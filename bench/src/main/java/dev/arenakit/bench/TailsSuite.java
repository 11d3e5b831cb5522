package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.micro.Tails;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_RAW;
import static dev.arenakit.bench.candidate.Candidates.NETTY_ADAPTIVE;
import static dev.arenakit.bench.candidate.Candidates.OF_AUTO;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.OF_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_UNZEROED;

/// The suite that measures how long the slowest operations take.
final class TailsSuite {
    private static final String[] ARENAS = {OF_CONFINED, OF_SHARED, OF_AUTO, MALLOC, SLAB, SLAB_UNZEROED, MALLOC_RAW,
            NETTY_ADAPTIVE};

    static final Suite SUITE = new Suite("tails", "The slowest operations of the arenas", SuiteKind.TAILS, 5,
            Suite.WARM_UP, new Iterations(6, Duration.ofMillis(500)),
            // Using one small block takes less time than reading the clock.
            Stream.of(timed("100", BlockWorkload.ONE), timed("1", BlockWorkload.TEN),
                    timed("1", BlockWorkload.HUNDRED_MIXED)).flatMap(CellGrid::cells).toList(),
            List.of());

    private TailsSuite() {}

    private static CellGrid timed(String batch, String workload) {
        return CellGrid.of(Tails.class).with("batch", batch).with("workload", workload).arenas(ARENAS);
    }
}
