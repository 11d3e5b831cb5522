package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.contestant.Plan;
import dev.arenakit.bench.question.BigEndian;
import dev.arenakit.bench.question.CallSite;
import dev.arenakit.bench.question.Clearing;
import dev.arenakit.bench.question.Codec;
import dev.arenakit.bench.question.Concurrent;
import dev.arenakit.bench.question.Downcall;
import dev.arenakit.bench.question.Escaping;
import dev.arenakit.bench.question.FieldSum;
import dev.arenakit.bench.question.FirstTouch;
import dev.arenakit.bench.question.Frames;
import dev.arenakit.bench.question.Growth;
import dev.arenakit.bench.question.LiveArenas;
import dev.arenakit.bench.question.Mapped;
import dev.arenakit.bench.question.MappedScope;
import dev.arenakit.bench.question.MixedUse;
import dev.arenakit.bench.question.NativeCall;
import dev.arenakit.bench.question.OneBlock;
import dev.arenakit.bench.question.Pair;
import dev.arenakit.bench.question.Session;
import dev.arenakit.bench.question.SharedArena;
import dev.arenakit.bench.question.StraightLine;
import dev.arenakit.bench.question.Strings;
import dev.arenakit.bench.question.Structs;
import dev.arenakit.bench.question.Vectored;
import dev.arenakit.bench.question.ZeroedBlock;
import dev.arenakit.bench.report.Cell;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static dev.arenakit.bench.contestant.Contestants.BUFFER_STACK;
import static dev.arenakit.bench.contestant.Contestants.JEMALLOC;
import static dev.arenakit.bench.contestant.Contestants.MALLOC;
import static dev.arenakit.bench.contestant.Contestants.MALLOC_CHECKED;
import static dev.arenakit.bench.contestant.Contestants.MALLOC_SHARED;
import static dev.arenakit.bench.contestant.Contestants.MIMALLOC;
import static dev.arenakit.bench.contestant.Contestants.OF_AUTO;
import static dev.arenakit.bench.contestant.Contestants.OF_CONFINED;
import static dev.arenakit.bench.contestant.Contestants.OF_SHARED;
import static dev.arenakit.bench.contestant.Contestants.SLAB;
import static dev.arenakit.bench.contestant.Contestants.SLAB_BOUNDED;
import static dev.arenakit.bench.contestant.Contestants.SLAB_BOUNDED_NONE;
import static dev.arenakit.bench.contestant.Contestants.SLAB_NONE;
import static dev.arenakit.bench.contestant.Contestants.SLAB_SHARED;
import static dev.arenakit.bench.contestant.Contestants.SLICING;

/// The suites that the harness knows. A new one is a new entry here.
final class Suites {
    /// The bytes of an array of structs that fits into a core's cache, and of one that does not.
    static final String IN_CACHE = "65536";
    private static final String BEYOND_CACHE = "67108864";

    private static final Suite DEMO = new Suite("demo", "The arenas against Arena.ofConfined", 1,
            new Iterations(3, Duration.ofMillis(400)),
            new Iterations(3, Duration.ofMillis(300)),
            cells(
                    blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    blocks("first", "all").with("byteSize", "65536").arenas(OF_CONFINED, MALLOC),
                    sessions(Plan.TEN, Plan.HUNDRED_MIXED).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    Grid.of(Mapped.class).with("byteSize", "100").methods("ofConfined", "chunkedConfined")),
            List.of());

    private static final Suite QUICK = new Suite("quick", "A first look at all questions", 3,
            new Iterations(3, Duration.ofMillis(500)),
            new Iterations(3, Duration.ofMillis(400)),
            cells(
                    blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB).methods("mallocCritical"),
                    blocks("first", "all").with("byteSize", "65536").arenas(OF_CONFINED, MALLOC, MIMALLOC),
                    sessions(Plan.TEN).arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE)
                            .methods("nettyAdaptive", "lwjglStack", "lwjglAlloc"),
                    sessions(Plan.HUNDRED_MIXED).arenas(OF_CONFINED, SLAB, SLAB_NONE),
                    Grid.of(Escaping.class)
                            .with("escape", "passed")
                            .with("workload", Plan.TEN)
                            .arenas(OF_CONFINED, BUFFER_STACK, SLAB),
                    threads(Concurrent.OfTwo.class, Plan.TEN).arenas(OF_CONFINED, SLAB),
                    threads(Concurrent.OfVirtual.class, Plan.TEN).arenas(OF_CONFINED, SLAB),
                    Grid.of(SharedArena.class).arenas(OF_SHARED, MALLOC_SHARED, SLAB_SHARED),
                    Grid.of(Pair.class).with("byteSize", "64").methods("mallocCritical", "confined"),
                    Grid.of(Frames.class).methods("open", "frame"),
                    Grid.of(StraightLine.class).arenas(OF_CONFINED, SLAB_NONE).methods("lwjglStack"),
                    Grid.of(MixedUse.class).with("before", "nothing", "large blocks").methods("confined", "slab"),
                    Grid.of(Clearing.class).with("byteSize", "4096").methods("fill", "loop", "memsetCritical"),
                    Grid.of(Strings.class).with("characters", "20 ASCII").arenas(OF_CONFINED, SLAB).methods("malloc"),
                    Grid.of(NativeCall.class)
                            .with("function", "strtol")
                            .arenas(OF_CONFINED, SLAB)
                            .methods("reused"),
                    Grid.of(Downcall.class).methods("constant", "field", "critical"),
                    Grid.of(Vectored.class)
                            .with("direction", "write")
                            .with("buffers", "16")
                            .methods("each", "vectored"),
                    Grid.of(BigEndian.class).methods("nativeOrder", "shifting", "layout", "mapper"),
                    Grid.of(Codec.class)
                            .with("direction", "write")
                            .methods("handles", "mapper", "byteBuffer", "serializableRecord"),
                    Grid.of(Structs.class)
                            .with("operation", "read")
                            .with("byteSize", IN_CACHE)
                            .methods("handles", "records", "recordsInField", "views"),
                    Grid.of(FieldSum.class)
                            .with("byteSize", IN_CACHE)
                            .methods("handle", "handleInField", "fieldInField"),
                    Grid.of(Mapped.class).with("byteSize", "100").methods("ofConfined", "chunkedConfined"),
                    Grid.of(Growth.class).with("blocks", "1", "10000").arenas(OF_CONFINED, SLAB)),
            List.of());

    private static final Suite FULL = new Suite("full", "All questions, all contestants", 5,
            new Iterations(2, Duration.ofMillis(350)),
            new Iterations(3, Duration.ofMillis(200)),
            cells(
                    blocks("first", "all")
                            .with("byteSize", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048",
                                    "4096", "8192", "16384", "32768", "65536", "262144", "1048576", "16777216")
                            .arenas(OF_CONFINED, MALLOC, MIMALLOC, JEMALLOC, SLAB, SLAB_NONE)
                            .methods("malloc", "mallocCritical", "calloc", "unsafe"),
                    blocks("first", "all").with("byteSize", "64", "4096", "65536")
                            .arenas(OF_SHARED, OF_AUTO, SLAB_BOUNDED, SLAB_BOUNDED_NONE),
                    sessions(Plan.ONE, Plan.TEN, Plan.HUNDRED, Plan.ONE_MIXED, Plan.TEN_MIXED, Plan.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, SLICING, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE, SLAB_BOUNDED,
                                    SLAB_BOUNDED_NONE)
                            .methods("nettyAdaptive", "nettyAdaptiveNoUnsafe", "nettyPooled", "nettyPooledNoUnsafe",
                                    "lwjglStack", "lwjglStackBuffers", "lwjglAlloc"),
                    sessions(Plan.TEN).arenas(MALLOC_CHECKED, OF_SHARED, MALLOC_SHARED, SLAB_SHARED),
                    Grid.of(Escaping.class)
                            .with("escape", "passed", "stored", "rare")
                            .with("workload", Plan.TEN, Plan.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE),
                    threads(Concurrent.OfTwo.class, Plan.TEN, Plan.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE, SLAB_BOUNDED_NONE),
                    threads(Concurrent.OfFour.class, Plan.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    threads(Concurrent.OneVirtual.class, Plan.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    threads(Concurrent.OfVirtual.class, Plan.TEN, Plan.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE),
                    Grid.of(SharedArena.class).arenas(OF_SHARED, MALLOC_SHARED, SLAB_SHARED).methods("chunked"),
                    Grid.of(Pair.class)
                            .with("byteSize", "64", "1024")
                            .methods("mallocCritical", "malloc", "confined", "shared", "checked", "lwjgl",
                                    "nettyAdaptive", "nettyPooled"),
                    Grid.of(Frames.class).methods("open", "frame", "lwjgl"),
                    Grid.of(StraightLine.class)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE)
                            .methods("lwjglStack"),
                    Grid.of(MixedUse.class)
                            .with("before", "nothing", "large blocks", "much memory", "frames", "shared arenas")
                            .methods("confined", "slab"),
                    Grid.of(Clearing.class)
                            .with("byteSize", "32", "256", "4096", "65536", "1048576")
                            .methods("fill", "loop", "memset", "memsetCritical", "unsafe"),
                    Grid.of(ZeroedBlock.class)
                            .with("byteSize", "32", "256", "4096", "65536", "1048576")
                            .arenas(OF_CONFINED, MALLOC)
                            .methods("allocateZeroed", "allocateAndFill", "calloc"),
                    Grid.of(Strings.class)
                            .with("characters", "20 ASCII", "200 ASCII", "20 non-ASCII")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE)
                            .methods("malloc", "mallocCritical"),
                    Grid.of(NativeCall.class)
                            .with("function", "strtol", "stat")
                            .arenas(OF_CONFINED, SLICING, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE)
                            .methods("reused"),
                    Grid.of(Downcall.class).methods("constant", "field", "critical", "address", "segment"),
                    Grid.of(Vectored.class)
                            .with("direction", "write", "read")
                            .with("buffers", "1", "4", "16")
                            .methods("each", "vectored"),
                    Grid.of(BigEndian.class)
                            .methods("nativeOrder", "shifting", "array", "layout", "accessor", "mapper", "field"),
                    Grid.of(Codec.class)
                            .with("direction", "write", "read")
                            .methods("handles", "mapper", "mapperInField", "byteBuffer", "agrona", "dataStream",
                                    "serializableClass", "serializableRecord", "serializableClassReused",
                                    "serializableRecordReused"),
                    Grid.of(Structs.class)
                            .with("operation", "read", "write", "copy")
                            .with("byteSize", IN_CACHE, BEYOND_CACHE)
                            .methods("handles", "records", "recordsInField", "recordsParameter", "views",
                                    "viewsInField",
                                    "viewsParameter"),
                    Grid.of(FieldSum.class)
                            .with("byteSize", IN_CACHE, BEYOND_CACHE)
                            .methods("handle", "handleInField", "field", "fieldInField", "records", "recordsInField",
                                    "views", "viewsInField", "cursor"),
                    Grid.of(CallSite.class).with("types", "1", "2", "4").methods("records"),
                    Grid.of(Mapped.class)
                            .with("byteSize", "100")
                            .methods("ofConfined", "chunkedConfined", "chunkedConfinedFull", "chunkedConfinedOff",
                                    "chunkedShared", "chunkedSharedFull", "chunkedSharedOff", "filePerAllocation"),
                    Grid.of(FirstTouch.class).methods("ofConfined", "mapped"),
                    Grid.of(MappedScope.class).methods("ofConfined", "chunked", "fileEach"),
                    Grid.of(Growth.class)
                            .with("blocks", "1", "10", "100", "1000", "10000")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    Grid.of(LiveArenas.class)
                            .with("others", "1", "10", "100", "1000", "10000")
                            .arenas(OF_CONFINED)
                            .methods("slab", "slabBounded")),
            List.of());

    /// What is run when arenas or workloads are plugged in and no suite is named.
    static final Suite OWN = new Suite("own", "Your arenas and your work, beside the usual ones", 3,
            new Iterations(3, Duration.ofMillis(500)),
            new Iterations(3, Duration.ofMillis(400)),
            cells(
                    blocks("first", "all").with("byteSize", "64", "4096", "65536")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    sessions(Plan.ONE, Plan.TEN, Plan.HUNDRED_MIXED).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE)),
            List.of());

    static final List<Suite> ALL = List.of(DEMO, QUICK, FULL, Targets.SUITE, OWN);

    private Suites() {}

    static List<Cell> cells(Grid... grids) {
        return Stream.of(grids).flatMap(Grid::cells).distinct().toList();
    }

    static Grid blocks(String... written) {
        return Grid.of(OneBlock.class).with("written", written);
    }

    static Grid sessions(String... workloads) {
        return threads(Session.class, workloads);
    }

    private static Grid threads(Class<?> question, String... workloads) {
        return Grid.of(question).with("workload", workloads);
    }
}
