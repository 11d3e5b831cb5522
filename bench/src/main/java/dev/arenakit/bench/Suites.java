package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.micro.BigEndian;
import dev.arenakit.bench.micro.BytesMaps;
import dev.arenakit.bench.micro.CallSite;
import dev.arenakit.bench.micro.Clearing;
import dev.arenakit.bench.micro.Codec;
import dev.arenakit.bench.micro.Concurrent;
import dev.arenakit.bench.micro.Conversion;
import dev.arenakit.bench.micro.Downcall;
import dev.arenakit.bench.micro.EnumRead;
import dev.arenakit.bench.micro.Escaping;
import dev.arenakit.bench.micro.EscapingRead;
import dev.arenakit.bench.micro.FieldOperations;
import dev.arenakit.bench.micro.FieldSum;
import dev.arenakit.bench.micro.FirstTouch;
import dev.arenakit.bench.micro.Frames;
import dev.arenakit.bench.micro.Growth;
import dev.arenakit.bench.micro.ListOperations;
import dev.arenakit.bench.micro.LiveArenas;
import dev.arenakit.bench.micro.LongMaps;
import dev.arenakit.bench.micro.LongSort;
import dev.arenakit.bench.micro.MapIteration;
import dev.arenakit.bench.micro.Mapped;
import dev.arenakit.bench.micro.MappedNames;
import dev.arenakit.bench.micro.MappedScope;
import dev.arenakit.bench.micro.MixedUse;
import dev.arenakit.bench.micro.NativeCall;
import dev.arenakit.bench.micro.OneBlock;
import dev.arenakit.bench.micro.Pair;
import dev.arenakit.bench.micro.RecordMaps;
import dev.arenakit.bench.micro.RemoteFree;
import dev.arenakit.bench.micro.Session;
import dev.arenakit.bench.micro.SharedArena;
import dev.arenakit.bench.micro.SmallPair;
import dev.arenakit.bench.micro.StraightLine;
import dev.arenakit.bench.micro.Strings;
import dev.arenakit.bench.micro.Structs;
import dev.arenakit.bench.micro.Transfers;
import dev.arenakit.bench.micro.Vectored;
import dev.arenakit.bench.micro.Windows;
import dev.arenakit.bench.micro.ZeroedBlock;
import dev.arenakit.bench.report.Cell;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static dev.arenakit.bench.candidate.Candidates.BUFFER_STACK;
import static dev.arenakit.bench.candidate.Candidates.JEMALLOC;
import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_CHECKED;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_SHARED;
import static dev.arenakit.bench.candidate.Candidates.MIMALLOC;
import static dev.arenakit.bench.candidate.Candidates.OF_AUTO;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.OF_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BLOCKS;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BLOCKS_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BOUNDED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BOUNDED_NONE;
import static dev.arenakit.bench.candidate.Candidates.SLAB_NONE;
import static dev.arenakit.bench.candidate.Candidates.SLAB_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLICING;

/// The suites of the harness.
final class Suites {
    /// Size of an array of structs that fits into a core's cache.
    static final String IN_CACHE = "65536";
    /// Size of an array of structs that does not.
    private static final String BEYOND_CACHE = "67108864";
    /// Operations on fields.
    static final String[] FIELD_OPERATIONS = {"double get", "double set", "int getAndAdd", "long getAcquire",
            "long compareAndSet", "element get", "element getAndAdd", "enum get", "enum set", "2 unsigned bytes get",
            "2 unsigned bytes set", "bits get", "bits set", "6 bytes get"};

    /// Sizes of small blocks.
    private static final String[] SMALL_SIZES = {"16", "64", "256", "1024", "mixed"};
    /// Allocators of small blocks.
    private static final String[] SMALL_PAIRS = {"malloc", "mimalloc", "jemalloc", "raw", "rawShared", "blocks",
            "blocksShared"};

    private static final Suite DEMO = new Suite("demo", "The arenas against Arena.ofConfined", 1,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(150)),
            cells(
                    blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB),
                    blocks("all").with("byteSize", "65536").arenas(OF_CONFINED, MALLOC),
                    sessions(BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    sessions(BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED, SLAB),
                    CellGrid.of(Mapped.class).with("byteSize", "100").methods("ofConfined", "chunkedConfined")),
            List.of());

    private static final Suite QUICK = new Suite("quick", "A first look", 3, Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(150)),
            cells(
                    blocks("first").with("byteSize", "64").arenas(OF_CONFINED, MALLOC, SLAB).methods("mallocCritical"),
                    blocks("all").with("byteSize", "65536").arenas(OF_CONFINED, MALLOC),
                    sessions(BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE)
                            .methods("nettyAdaptive", "lwjglStack"),
                    sessions(BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED, SLAB),
                    CellGrid.of(Escaping.class)
                            .with("escape", "passed")
                            .with("workload", BlockWorkload.TEN)
                            .arenas(OF_CONFINED, SLAB),
                    threads(Concurrent.OfVirtual.class, BlockWorkload.TEN).arenas(OF_CONFINED, SLAB),
                    CellGrid.of(SharedArena.class).arenas(OF_SHARED, SLAB_SHARED),
                    CellGrid.of(Pair.class).with("byteSize", "64").methods("mallocCritical", "confined", "slabBlocks"),
                    CellGrid.of(StraightLine.class).arenas(OF_CONFINED, SLAB_NONE),
                    CellGrid.of(Strings.class).with("characters", "20 ASCII").arenas(OF_CONFINED, SLAB),
                    CellGrid.of(NativeCall.class).with("function", "strtol").arenas(OF_CONFINED, SLAB),
                    CellGrid.of(Transfers.class)
                            .with("direction", "read")
                            .with("byteSize", "268435456")
                            .methods("stream", "pieces256K"),
                    CellGrid.of(Codec.class).with("direction", "write").methods("handles", "mapper", "byteBuffer"),
                    CellGrid.of(Structs.class)
                            .with("operation", "read")
                            .with("byteSize", IN_CACHE)
                            .methods("handles", "records", "views"),
                    CellGrid.of(FieldSum.class).with("byteSize", IN_CACHE).methods("handle", "fieldInField"),
                    CellGrid.of(Mapped.class).with("byteSize", "100").methods("ofConfined", "chunkedConfined"),
                    CellGrid.of(Growth.class).with("blocks", "10000").arenas(OF_CONFINED, SLAB)),
            List.of());

    private static final Suite FULL = new Suite("full", "All benchmarks, all candidates", 5,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(100)),
            cells(
                    blocks("first", "all")
                            .with("byteSize", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048",
                                    "4096", "8192", "16384", "32768", "65536", "262144", "1048576", OneBlock.FRESH)
                            .arenas(OF_CONFINED, MALLOC, MIMALLOC, JEMALLOC, SLAB, SLAB_NONE, SLAB_BLOCKS)
                            .methods("malloc", "mallocCritical", "calloc", "unsafe"),
                    blocks("first", "all").with("byteSize", "64", "4096", "65536")
                            .arenas(OF_SHARED, OF_AUTO, SLAB_BOUNDED, SLAB_BOUNDED_NONE),
                    sessions(BlockWorkload.ONE, BlockWorkload.TEN, BlockWorkload.HUNDRED, BlockWorkload.ONE_MIXED,
                            BlockWorkload.TEN_MIXED, BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, SLICING, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE, SLAB_BOUNDED,
                                    SLAB_BOUNDED_NONE)
                            .methods("nettyAdaptive", "nettyAdaptiveNoUnsafe", "nettyPooled", "nettyPooledNoUnsafe",
                                    "lwjglStack", "lwjglStackBuffers", "lwjglAlloc"),
                    sessions(BlockWorkload.TEN).arenas(MALLOC_CHECKED, OF_SHARED, MALLOC_SHARED, SLAB_SHARED),
                    CellGrid.of(Escaping.class)
                            .with("escape", "passed", "stored", "rare")
                            .with("workload", BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE),
                    threads(Concurrent.OfTwo.class, BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE, SLAB_BOUNDED_NONE),
                    threads(Concurrent.OfFour.class, BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    threads(Concurrent.OneVirtual.class, BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB,
                            SLAB_NONE),
                    threads(Concurrent.OfVirtual.class, BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE),
                    CellGrid.of(SharedArena.class)
                            .arenas(OF_SHARED, MALLOC_SHARED, SLAB_SHARED, SLAB_BLOCKS_SHARED)
                            .methods("confined", "chunked"),
                    CellGrid.of(Pair.class)
                            .with("byteSize", "64", "1024")
                            .methods("mallocCritical", "malloc", "confined", "shared", "checked", "lwjgl",
                                    "nettyAdaptive", "nettyPooled", "slabBlocks", "slabBlocksShared"),
                    CellGrid.of(SmallPair.class).with("size", SMALL_SIZES).methods(SMALL_PAIRS),
                    CellGrid.of(SmallPair.OfTwo.class).with("size", "mixed").methods("malloc", "raw", "rawShared"),
                    CellGrid.of(RemoteFree.class).methods("malloc", "local", "remote"),
                    CellGrid.of(Frames.class).methods("open", "frame", "lwjgl"),
                    CellGrid.of(StraightLine.class)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE)
                            .methods("lwjglStack"),
                    CellGrid.of(MixedUse.class)
                            .with("before", MixedUse.NOTHING, MixedUse.SEVERAL_SLABS, MixedUse.LARGE_BLOCKS,
                                    MixedUse.FRAMES, MixedUse.SHARED_ARENAS, MixedUse.JDK_ARENAS, MixedUse.EVERYTHING)
                            .methods("confined", "slab"),
                    CellGrid.of(Clearing.class)
                            .with("byteSize", "32", "256", "4096", "65536", "1048576")
                            .methods("fill", "loop", "memset", "memsetCritical", "unsafe"),
                    CellGrid.of(ZeroedBlock.class)
                            .with("byteSize", "32", "256", "4096", "65536", "1048576")
                            .arenas(OF_CONFINED, MALLOC)
                            .methods("allocateZeroed", "allocateAndFill", "calloc"),
                    CellGrid.of(Strings.class)
                            .with("characters", "20 ASCII", "200 ASCII", "20 non-ASCII")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE)
                            .methods("malloc", "mallocCritical"),
                    CellGrid.of(NativeCall.class)
                            .with("function", "strtol", "stat")
                            .arenas(OF_CONFINED, SLICING, BUFFER_STACK, MALLOC, SLAB, SLAB_NONE)
                            .methods("reused"),
                    CellGrid.of(Downcall.class)
                            .methods("constant", "field", "critical", "address", "segment", "segmentAndField"),
                    CellGrid.of(Conversion.class)
                            .with("passed", "text", "struct")
                            .methods("pointer", "object", "objectInArena"),
                    CellGrid.of(Vectored.class)
                            .with("direction", "write", "read")
                            .with("buffers", "1", "4", "16")
                            .methods("each", "vectored"),
                    CellGrid.of(Transfers.class)
                            .with("direction", "read", "write")
                            .with("byteSize", "8192", "65536", "1048576", "16777216", "268435456", "1073741824")
                            .methods("stream", "channel", "channelAndSegment", "pieces8K", "pieces64K", "pieces256K",
                                    "pieces1M", "array", "freshSegment", "freshPages", "freshConfined", "mapped"),
                    CellGrid.of(BigEndian.class)
                            .methods("nativeOrder", "shifting", "array", "layout", "accessor", "mapper", "field"),
                    CellGrid.of(Codec.class)
                            .with("direction", "write", "read")
                            .methods("handles", "mapper", "mapperInField", "byteBuffer", "agrona", "agronaUnchecked",
                                    "dataStream",
                                    "serializableClass", "serializableRecord", "serializableClassReused",
                                    "serializableRecordReused"),
                    CellGrid.of(Structs.class)
                            .with("operation", "read", "write", "copy")
                            .with("byteSize", IN_CACHE, BEYOND_CACHE)
                            .methods("handles", "records", "recordsInField", "recordsParameter", "views",
                                    "viewsInField",
                                    "viewsParameter"),
                    CellGrid.of(FieldSum.class)
                            .with("byteSize", IN_CACHE, BEYOND_CACHE)
                            .methods("handle", "handleInField", "field", "fieldInField", "records", "recordsInField",
                                    "views", "viewsInField"),
                    CellGrid.of(FieldOperations.class).with("operation", FIELD_OPERATIONS).methods("handle", "field"),
                    CellGrid.of(EnumRead.class).methods("bySwitch", "closeNumbers", "farNumbers"),
                    CellGrid.of(EscapingRead.class).methods("handles", "mapper"),
                    CellGrid.of(CallSite.class).with("types", "1", "2", "4").methods("records", "handles"),
                    CellGrid.of(Mapped.class)
                            .with("byteSize", "100")
                            .methods("ofConfined", "chunkedConfined", "chunkedConfinedFull", "chunkedConfinedOff",
                                    "chunkedShared", "chunkedSharedFull", "chunkedSharedOff", "filePerAllocation"),
                    CellGrid.of(MappedNames.class).methods("ofConfined", "allocateAndFree", "find", "get"),
                    CellGrid.of(FirstTouch.class).methods("ofConfined", "mapped"),
                    CellGrid.of(MappedScope.class).methods("ofConfined", "chunked", "fileEach"),
                    CellGrid.of(Windows.class)
                            .with("pages", "hits", "sequential", "random")
                            .methods("mapping", "confined", "shared", "sharedByTwo", "mapEach"),
                    CellGrid.of(Growth.class)
                            .with("blocks", "1", "10", "100", "1000", "10000")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    CellGrid.of(LiveArenas.class)
                            .with("others", "1", "10", "100", "1000", "10000")
                            .arenas(OF_CONFINED)
                            .methods("slab", "slabBounded"),
                    CellGrid.of(LiveArenas.On64.class)
                            .with("others", "1", "5000")
                            .arenas(OF_CONFINED)
                            .methods("slab", "slabBounded")),
            List.of());

    /// The suite that runs if arenas or workloads are given and no suite is named.
    static final Suite OWN = new Suite("own", "Your arenas and workloads, compared with the built-in ones", 3,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(200)),
            cells(
                    blocks("first", "all").with("byteSize", "64", "4096", "65536")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_NONE),
                    sessions(BlockWorkload.ONE, BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED).arenas(OF_CONFINED,
                            MALLOC, SLAB, SLAB_NONE)),
            List.of());

    private static final Suite STRUCTURES = new Suite("structures",
            "Off-heap structures against those of the JDK and of other libraries", 3,
            new Iterations(3, Duration.ofMillis(1000)),
            new Iterations(6, Duration.ofMillis(400)),
            cells(
                    CellGrid.of(LongMaps.class)
                            .with("operation", "hit", "miss", "update", "fill")
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
                            .with("operation", "add", "get", "iterate")
                            .with("size", "1000", "1000000")
                            .methods("fastutilLong", "longList", "fastutilInt", "intList"),
                    CellGrid.of(BytesMaps.class)
                            .with("operation", "get, present", "get, absent", "count")
                            .with("size", "1000", "1000000")
                            .methods("hashMap", "bytesLongMap", "chronicleMap", "mapDb"),
                    CellGrid.of(RecordMaps.class)
                            .with("size", "1000", "1000000")
                            .methods("hashMap", "recordMap")),
            List.of());

    static final List<Suite> ALL = List.of(DEMO, QUICK, FULL, TargetsSuite.SUITE, STRUCTURES, FootprintSuite.SUITE,
            TailsSuite.SUITE, OWN);

    private Suites() {}

    static List<Cell> cells(CellGrid... grids) {
        return Stream.of(grids).flatMap(CellGrid::cells).distinct().toList();
    }

    static CellGrid blocks(String... written) {
        return CellGrid.of(OneBlock.class).with("written", written);
    }

    static CellGrid sessions(String... workloads) {
        return threads(Session.class, workloads);
    }

    private static CellGrid threads(Class<?> benchmarkClass, String... workloads) {
        return CellGrid.of(benchmarkClass).with("workload", workloads);
    }
}
