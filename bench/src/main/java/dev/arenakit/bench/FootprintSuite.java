package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.micro.BlockChurn;
import dev.arenakit.bench.micro.LiveArenas;
import dev.arenakit.bench.micro.ManyThreads;
import dev.arenakit.bench.micro.OneBlock;
import java.time.Duration;
import java.util.List;

import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.OF_AUTO;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_UNZEROED;

/// The suite that measures resident memory and page faults.
final class FootprintSuite {
    static final Suite SUITE = new Suite("footprint", "Resident memory and page faults", SuiteKind.FOOTPRINT, 3,
            Suite.WARM_UP, new Iterations(6, Duration.ofMillis(300)),
            Suites.cells(
                    Suites.blocks("first", "all")
                            .with("byteSize", OneBlock.FRESH)
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED)
                            .methods("mallocCritical", "calloc"),
                    Suites.sessions(BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED, OF_AUTO, MALLOC, SLAB),
                    CellGrid.of(LiveArenas.class)
                            .with("others", "10000")
                            .arenas(OF_CONFINED)
                            .methods("slab", "slabBounded"),
                    CellGrid.of(ManyThreads.class).with("threads", "5000").arenas(OF_CONFINED, MALLOC, SLAB),
                    CellGrid.of(BlockChurn.class)
                            .with("blocks", "200000")
                            .methods("malloc", "mimalloc", "jemalloc", "freeLists")),
            List.of());

    private FootprintSuite() {}
}
