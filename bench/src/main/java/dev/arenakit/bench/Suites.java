package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.micro.AllocateAndFree;
import dev.arenakit.bench.micro.ArrowFiles;
import dev.arenakit.bench.micro.BlockChurn;
import dev.arenakit.bench.micro.BytesMaps;
import dev.arenakit.bench.micro.Caches;
import dev.arenakit.bench.micro.Escaping;
import dev.arenakit.bench.micro.HandOff;
import dev.arenakit.bench.micro.ListOperations;
import dev.arenakit.bench.micro.LiveArenas;
import dev.arenakit.bench.micro.LongMaps;
import dev.arenakit.bench.micro.LongSort;
import dev.arenakit.bench.micro.MapIteration;
import dev.arenakit.bench.micro.Mapped;
import dev.arenakit.bench.micro.OneBlock;
import dev.arenakit.bench.micro.RecordMaps;
import dev.arenakit.bench.micro.Session;
import dev.arenakit.bench.micro.SharedArena;
import dev.arenakit.bench.micro.SqlQueries;
import dev.arenakit.bench.micro.Tails;
import dev.arenakit.bench.micro.Transfers;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static dev.arenakit.bench.candidate.Candidates.BUFFER_STACK;
import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_RAW;
import static dev.arenakit.bench.candidate.Candidates.NETTY_ADAPTIVE;
import static dev.arenakit.bench.candidate.Candidates.OF_AUTO;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.OF_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_UNZEROED;

/// The suites of the harness.
final class Suites {
    private static final Suite DEMO = new Suite("demo", "The arenas against Arena.ofConfined", 1,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(150)),
            cells(
                    blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB),
                    blocks("all").with("byteSize", "65536").arenas(OF_CONFINED, MALLOC),
                    sessions(BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED),
                    sessions(BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED, SLAB),
                    CellGrid.of(Mapped.class).with("byteSize", "100").methods("ofConfined", "chunkedConfined")),
            List.of());

    private static final Suite QUICK = new Suite("quick", "A first look", 3, Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(150)),
            cells(
                    blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB).methods("mallocCritical"),
                    blocks("all").with("byteSize", "65536").arenas(OF_CONFINED, MALLOC),
                    sessions(BlockWorkload.TEN).arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED)
                            .methods("nettyAdaptiveEventLoop", "lwjglStackUnchecked"),
                    sessions(BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED, SLAB),
                    CellGrid.of(Escaping.class)
                            .with("escape", "passed")
                            .with("workload", BlockWorkload.TEN)
                            .arenas(OF_CONFINED, SLAB),
                    CellGrid.of(SharedArena.class).arenas(OF_SHARED, SLAB_SHARED),
                    CellGrid.of(AllocateAndFree.class)
                            .with("byteSize", "64")
                            .methods("mallocCritical", "confined", "freeLists"),
                    CellGrid.of(HandOff.class).methods("malloc", "freeLists"),
                    CellGrid.of(Transfers.class)
                            .with("direction", "read")
                            .with("byteSize", "268435456")
                            .methods("stream", "pieces256K"),
                    CellGrid.of(Mapped.class).with("byteSize", "100").methods("ofConfined", "chunkedConfined")),
            List.of());

    /// The suite that runs if arenas or workloads are given and no suite is named.
    static final Suite OWN = new Suite("own", "Your arenas and workloads, compared with the built-in ones", 3,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(200)),
            cells(
                    blocks("first", "all").with("byteSize", "64", "4096", "65536")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED),
                    sessions(BlockWorkload.ONE, BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED,
                            MALLOC, SLAB, SLAB_UNZEROED)),
            List.of());

    private static final Suite STRUCTURES = new Suite("structures",
            "Off-heap structures against those of the JDK and of other libraries", 3,
            new Iterations(3, Duration.ofMillis(1000)),
            new Iterations(6, Duration.ofMillis(400)),
            cells(
                    CellGrid.of(LongMaps.class)
                            .every("operation")
                            .with("size", "1000", "1000000")
                            .methods("fastutil", "longLongMap", "tagged", "longIntMap", "agrona", "eclipse", "hashMap",
                                    "chronicle", "mapDb"),
                    CellGrid.of(MapIteration.class)
                            .with("size", "1000", "1000000")
                            .methods("fastutil", "cursor", "taggedCursor", "forEach"),
                    CellGrid.of(LongSort.class)
                            .with("size", "1000", "1000000")
                            .methods("fastutil", "longList", "array"),
                    CellGrid.of(ListOperations.class)
                            .every("operation")
                            .with("size", "1000", "1000000")
                            .methods("fastutilLong", "longList", "fastutilInt", "intList"),
                    CellGrid.of(BytesMaps.class)
                            .with("operation", "get, present", "get, absent", "count")
                            .with("size", "1000", "1000000")
                            .methods("hashMap", "bytesLongMap", "chronicleMap", "mapDb"),
                    CellGrid.of(RecordMaps.class)
                            .with("size", "1000", "1000000")
                            .methods("hashMap", "recordMap"),
                    CellGrid.of(Caches.class).methods("linkedHashMap", "caffeine", "lruMap")),
            List.of());

    /// The targets: a query over structs takes at most the time of DuckDB's own table, and a query of one member takes
    /// at most 0.3 times the time of a query of all members.
    private static final Suite SQL = new Suite("sql", "Queries in SQL over structs and images, and files of Arrow", 5,
            new Iterations(3, Duration.ofSeconds(1)),
            new Iterations(6, Duration.ofSeconds(1)),
            cells(CellGrid.of(SqlQueries.class).methods("own", "structs", "sum", "image"),
                    CellGrid.of(ArrowFiles.class).every("files").methods("structs", "columns", "dictionary")),
            List.of(new Target(sql("structs"), sql("own"), 1, false),
                    new Target(sql("sum"), sql("structs"), 1 / 0.3, false)));

    private static final Suite FOOTPRINT = new Suite("footprint", "Resident memory and page faults",
            Suite.Kind.FOOTPRINT,
            3, Suite.WARM_UP, new Iterations(6, Duration.ofMillis(300)),
            cells(
                    blocks("first", "all")
                            .with("byteSize", OneBlock.FRESH)
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED)
                            .methods("mallocCritical", "calloc"),
                    sessions(BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED, OF_AUTO, MALLOC, SLAB),
                    CellGrid.of(LiveArenas.class)
                            .with("others", "10000")
                            .arenas(OF_CONFINED)
                            .methods("slab", "slabBounded"),
                    CellGrid.of(BlockChurn.class)
                            .with("blocks", "200000")
                            .methods("malloc", "mimalloc", "jemalloc", "freeLists")),
            List.of());

    private static final Suite TAILS = new Suite("tails", "The slowest operations of the arenas", Suite.Kind.TAILS, 5,
            Suite.WARM_UP, new Iterations(6, Duration.ofMillis(500)),
            // Using one small block takes less time than reading the clock.
            cells(timed("100", BlockWorkload.ONE), timed("1", BlockWorkload.TEN),
                    timed("1", BlockWorkload.HUNDRED_MIXED)),
            List.of());

    static final List<Suite> ALL = List.of(DEMO, QUICK, FullSuite.SUITE, TargetsSuite.SUITE, MappersSuite.SUITE,
            STRUCTURES, StoredSuite.SUITE, MessagesSuite.SUITE, SQL,
            FOOTPRINT, TAILS, OWN);

    private Suites() {}

    private static Cell sql(String method) {
        return CellGrid.method(SqlQueries.class, method, Map.of());
    }

    private static CellGrid timed(String batch, String workload) {
        return CellGrid.of(Tails.class)
                .with("batch", batch)
                .with("workload", workload)
                .arenas(OF_CONFINED, OF_SHARED, OF_AUTO, MALLOC, SLAB, SLAB_UNZEROED, MALLOC_RAW, NETTY_ADAPTIVE);
    }

    static List<Cell> cells(CellGrid... grids) {
        return Stream.of(grids).flatMap(CellGrid::cells).distinct().toList();
    }

    static CellGrid blocks(String... written) {
        return CellGrid.of(OneBlock.class).with("written", written);
    }

    static CellGrid sessions(String... workloads) {
        return threads(Session.class, workloads);
    }

    static CellGrid threads(Class<?> benchmarkClass, String... workloads) {
        return CellGrid.of(benchmarkClass).with("workload", workloads);
    }
}
