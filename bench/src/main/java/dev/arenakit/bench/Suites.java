package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.Workloads;
import dev.arenakit.bench.candidate.stored.StoreDirectory;
import dev.arenakit.bench.micro.arena.AllocateAndFree;
import dev.arenakit.bench.micro.arena.Budgets;
import dev.arenakit.bench.micro.arena.Concurrent;
import dev.arenakit.bench.micro.arena.DebugModes;
import dev.arenakit.bench.micro.arena.Detach;
import dev.arenakit.bench.micro.arena.Escaping;
import dev.arenakit.bench.micro.arena.Frames;
import dev.arenakit.bench.micro.arena.KeptBlock;
import dev.arenakit.bench.micro.arena.LeakLevels;
import dev.arenakit.bench.micro.arena.LiveArenas;
import dev.arenakit.bench.micro.arena.MixedUse;
import dev.arenakit.bench.micro.arena.OneBlock;
import dev.arenakit.bench.micro.arena.RemoteFree;
import dev.arenakit.bench.micro.arena.Replay;
import dev.arenakit.bench.micro.arena.Session;
import dev.arenakit.bench.micro.arena.SharedArena;
import dev.arenakit.bench.micro.arena.Tails;
import dev.arenakit.bench.micro.collection.BytesMaps;
import dev.arenakit.bench.micro.collection.Caches;
import dev.arenakit.bench.micro.collection.LongMaps;
import dev.arenakit.bench.micro.collection.LongSort;
import dev.arenakit.bench.micro.collection.MapIteration;
import dev.arenakit.bench.micro.collection.Messages;
import dev.arenakit.bench.micro.collection.RoundTrips;
import dev.arenakit.bench.micro.collection.SharedCaches;
import dev.arenakit.bench.micro.layout.Conversion;
import dev.arenakit.bench.micro.layout.Downcall;
import dev.arenakit.bench.micro.layout.NativeCall;
import dev.arenakit.bench.micro.layout.Strings;
import dev.arenakit.bench.micro.stored.Mapped;
import dev.arenakit.bench.micro.stored.SqlQueries;
import dev.arenakit.bench.micro.stored.StoredLongMaps;
import dev.arenakit.bench.micro.stored.StoredOpening;
import dev.arenakit.bench.micro.stored.StoredTrees;
import dev.arenakit.bench.micro.stored.Transfers;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static dev.arenakit.bench.candidate.Candidates.BUFFER_STACK;
import static dev.arenakit.bench.candidate.Candidates.FREE_LISTS;
import static dev.arenakit.bench.candidate.Candidates.FREE_LISTS_SHARED;
import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_SHARED;
import static dev.arenakit.bench.candidate.Candidates.MIMALLOC;
import static dev.arenakit.bench.candidate.Candidates.NETTY_ADAPTIVE;
import static dev.arenakit.bench.candidate.Candidates.OF_AUTO;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED_POOL;
import static dev.arenakit.bench.candidate.Candidates.OF_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BOUNDED_UNZEROED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_UNZEROED;

/// The suites of the harness.
final class Suites {
    private static final Suite DEMO = new Suite("demo", "The arenas against Arena.ofConfined", 1,
            new Iterations(6, Duration.ofMillis(250)), new Iterations(6, Duration.ofMillis(150)),
            cells(blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB),
                    sessions(BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED), mapped()),
            List.of());

    private static final Suite QUICK = new Suite("quick", "A first look", 3, Suite.WARM_UP, Suite.SHORT,
            cells(blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB).methods("mallocCritical"),
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
                            .with("size", "64")
                            .methods("malloc", "mallocArena", "blocks"),
                    CellGrid.of(Transfers.class)
                            .with("direction", "read")
                            .with("byteSize", "268435456")
                            .methods("stream", "pieces256K"),
                    mapped()),
            List.of());

    private static final Suite FULL = new Suite("full", "Nearly all benchmarks of arenas, all candidates", 5,
            Suite.WARM_UP, Suite.SHORT,
            cells(CellGrid.of(OneBlock.class)
                    .arenas(OF_CONFINED, MALLOC, MIMALLOC, SLAB, SLAB_UNZEROED, FREE_LISTS)
                    .all(),
                    blocks("first", "all").with("byteSize", "64", "4096", "65536")
                            .arenas(OF_SHARED, OF_AUTO, SLAB_BOUNDED_UNZEROED),
                    sessions(Workloads.builtInNames().toArray(String[]::new))
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED, SLAB_BOUNDED_UNZEROED,
                                    NETTY_ADAPTIVE)
                            .all(),
                    sessions(BlockWorkload.TEN).arenas(OF_CONFINED_POOL, OF_SHARED, MALLOC_SHARED, SLAB_SHARED),
                    threads(Escaping.class).arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED).all(),
                    threads(Concurrent.OfTwo.class).arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED,
                            SLAB_BOUNDED_UNZEROED, NETTY_ADAPTIVE),
                    threads(Concurrent.TwoVirtual.class).arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED,
                            NETTY_ADAPTIVE),
                    CellGrid.of(SharedArena.class)
                            .arenas(OF_SHARED, MALLOC_SHARED, SLAB_SHARED, FREE_LISTS_SHARED)
                            .all(),
                    CellGrid.of(AllocateAndFree.class).all(),
                    CellGrid.of(AllocateAndFree.OfTwo.class).with("size", "mixed").all(),
                    CellGrid.of(DebugModes.class).all(), CellGrid.of(RemoteFree.class).all(),
                    CellGrid.of(KeptBlock.class).all(), CellGrid.of(Frames.class).all(),
                    CellGrid.of(Detach.class).all(), CellGrid.of(Budgets.class).all(),
                    CellGrid.of(LeakLevels.class).all(),
                    CellGrid.of(MixedUse.class).with("workload", BlockWorkload.ONE, BlockWorkload.TEN).all(),
                    CellGrid.of(Strings.class).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED).all(),
                    CellGrid.of(NativeCall.class)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED)
                            .all(),
                    CellGrid.of(Downcall.class).all(), CellGrid.of(Conversion.class).all(),
                    CellGrid.of(Transfers.class).all(), CellGrid.of(Mapped.class).all(),
                    CellGrid.of(LiveArenas.class).arenas(OF_CONFINED).all(),
                    CellGrid.of(LiveArenas.On64.class).with("others", "1", "5000").arenas(OF_CONFINED).all()),
            List.of());

    /// The suite that runs if arenas or workloads are given and no suite is named.
    static final Suite OWN = new Suite("own", "Your arenas and workloads, compared with the built-in ones", 3,
            Suite.WARM_UP, new Iterations(6, Duration.ofMillis(200)),
            cells(blocks("first", "all").with("byteSize", "64", "4096", "65536")
                    .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED),
                    sessions(BlockWorkload.ONE, BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED,
                            MALLOC, SLAB, SLAB_UNZEROED)),
            List.of());

    private static final Suite STRUCTURES = new Suite("structures",
            "Off-heap structures against those of the JDK and of other libraries", 3,
            new Iterations(3, Duration.ofMillis(1000)), new Iterations(6, Duration.ofMillis(400)),
            cells(sized(LongMaps.class).all(), sized(MapIteration.class).all(), sized(LongSort.class).all(),
                    sized(BytesMaps.class).with("operation", "get, present", "get, absent", "count").all(),
                    CellGrid.of(Caches.class).all(), CellGrid.of(SharedCaches.class).all()),
            List.of());

    /// Look-ups are measured on a tmpfs alone, since they read the page cache in any case.
    private static final Suite STORED = new Suite("stored", "Structures that survive the end of the process", 3,
            new Iterations(3, Duration.ofMillis(500)), new Iterations(6, Duration.ofMillis(300)),
            cells(changes(StoredLongMaps.class, "put").with("commit", "1", "1000").all(),
                    changes(StoredLongMaps.class, "update").all(), reads(StoredLongMaps.class, "hit", "miss").all(),
                    changes(StoredTrees.class, "put").with("commit", "1", "1000").all(),
                    reads(StoredTrees.class, "hit", "step").methods("imageLongTree", "lmdb", "sqlite"),
                    CellGrid.of(StoredOpening.class)
                            .with("size", "1000000")
                            .with("files", StoreDirectory.TMPFS, StoreDirectory.DISK)
                            .all()),
            List.of());

    /// Round trips are timed one by one. The benchmarks of throughput have no percentiles.
    private static final Suite MESSAGES = new Suite("messages", "Messages between threads and between processes",
            Suite.Kind.TAILS, 5, new Iterations(6, Duration.ofMillis(300)), new Iterations(6, Duration.ofMillis(500)),
            cells(CellGrid.of(Messages.class)
                    .with("producers", "one", "many")
                    .with("byteSize", "32", "256")
                    .with("written", "copied", "in place")
                    .all(), CellGrid.of(RoundTrips.class).with("batch", "1").all()),
            List.of());

    /// The targets: a query over structs takes at most the time of DuckDB's own table, and a query of one member takes
    /// at most 0.3 times the time of a query of all members.
    private static final Suite SQL = new Suite("sql", "Queries in SQL over structs and images", 5,
            new Iterations(3, Duration.ofSeconds(1)), new Iterations(6, Duration.ofSeconds(1)),
            cells(CellGrid.of(SqlQueries.class).all()),
            List.of(new Target(sql("structs"), sql("own"), 1, false),
                    new Target(sql("sum"), sql("structs"), 1 / 0.3, false)));

    private static final Suite TAILS = new Suite("tails", "The slowest operations of the arenas", Suite.Kind.TAILS, 5,
            Suite.WARM_UP, new Iterations(6, Duration.ofMillis(500)),
            // Using one small block takes less time than reading the clock.
            cells(timed("100", BlockWorkload.ONE), timed("1", BlockWorkload.TEN),
                    timed("1", BlockWorkload.HUNDRED_MIXED)),
            List.of());

    static final List<Suite> ALL = List.of(DEMO, QUICK, FULL, Targets.TARGETS, Targets.LOSSES, Targets.MAPPING,
            STRUCTURES,
            STORED, MESSAGES, SQL, TAILS, OWN);

    private Suites() {}

    /// The suite of a recorded program. It is not in the list, since it needs a trace.
    static Suite replay(String trace, boolean touch, boolean isPaced, boolean hasBlocks) {
        return new Suite("replay", "A recorded program, replayed", Suite.Kind.REPLAY, 5,
                new Iterations(3, Duration.ofMillis(500)), new Iterations(5, Duration.ofMillis(300)),
                cells(CellGrid.of(Replay.class)
                        .with("trace", trace)
                        .with("touch", String.valueOf(touch))
                        .with("paced", String.valueOf(isPaced))
                        // Opening a FreeListArena takes as long as a thousand allocations.
                        .arenas(Stream
                                .concat(Stream.of(OF_CONFINED, MALLOC, MIMALLOC, SLAB, SLAB_UNZEROED),
                                        hasBlocks ? Stream.of(FREE_LISTS) : Stream.empty())
                                .toArray(String[]::new))
                        .methods("nothing")),
                List.of());
    }

    private static Cell sql(String method) {
        return CellGrid.method(SqlQueries.class, method, Map.of());
    }

    private static CellGrid timed(String batch, String workload) {
        return CellGrid.of(Tails.class)
                .with("batch", batch)
                .with("workload", workload)
                .arenas(OF_CONFINED, OF_SHARED, OF_AUTO, MALLOC, SLAB, SLAB_UNZEROED, NETTY_ADAPTIVE);
    }

    static List<Cell> cells(CellGrid... grids) {
        return Stream.of(grids).flatMap(CellGrid::cells).distinct().toList();
    }

    private static CellGrid blocks(String... written) {
        return CellGrid.of(OneBlock.class).with("written", written);
    }

    private static CellGrid sessions(String... workloads) {
        return CellGrid.of(Session.class).with("workload", workloads);
    }

    private static CellGrid threads(Class<?> benchmarkClass) {
        return CellGrid.of(benchmarkClass).with("workload", BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED);
    }

    private static CellGrid mapped() {
        return CellGrid.of(Mapped.class)
                .with("byteSize", "100")
                .with("catalog", "SIZES")
                .methods("ofConfined", "chunkedConfined");
    }

    private static CellGrid sized(Class<?> benchmarkClass) {
        return CellGrid.of(benchmarkClass).with("size", "1000", "1000000");
    }

    private static CellGrid changes(Class<?> benchmarkClass, String operation) {
        return CellGrid.of(benchmarkClass)
                .with("operation", operation)
                .with("size", "1000000")
                .with("commit", "1")
                .with("files", StoreDirectory.TMPFS, StoreDirectory.DISK);
    }

    private static CellGrid reads(Class<?> benchmarkClass, String... operations) {
        return changes(benchmarkClass, "hit").with("operation", operations).with("files", StoreDirectory.TMPFS);
    }
}
