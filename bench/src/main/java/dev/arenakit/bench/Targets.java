package dev.arenakit.bench;

import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.stored.StoreDirectory;
import dev.arenakit.bench.micro.arena.AllocateAndFree;
import dev.arenakit.bench.micro.arena.Concurrent;
import dev.arenakit.bench.micro.arena.Escaping;
import dev.arenakit.bench.micro.arena.Frames;
import dev.arenakit.bench.micro.arena.LiveArenas;
import dev.arenakit.bench.micro.arena.MixedUse;
import dev.arenakit.bench.micro.arena.OneBlock;
import dev.arenakit.bench.micro.arena.RemoteFree;
import dev.arenakit.bench.micro.arena.Session;
import dev.arenakit.bench.micro.arena.SharedArena;
import dev.arenakit.bench.micro.collection.LongMaps;
import dev.arenakit.bench.micro.collection.LongSort;
import dev.arenakit.bench.micro.layout.BigEndian;
import dev.arenakit.bench.micro.layout.CallSite;
import dev.arenakit.bench.micro.layout.ChainWalk;
import dev.arenakit.bench.micro.layout.Codec;
import dev.arenakit.bench.micro.layout.ColumnReads;
import dev.arenakit.bench.micro.layout.EnumRead;
import dev.arenakit.bench.micro.layout.EscapingRead;
import dev.arenakit.bench.micro.layout.FieldSum;
import dev.arenakit.bench.micro.layout.NativeCall;
import dev.arenakit.bench.micro.layout.Strings;
import dev.arenakit.bench.micro.layout.Structs;
import dev.arenakit.bench.micro.stored.CatalogReading;
import dev.arenakit.bench.micro.stored.StoredLongMaps;
import dev.arenakit.bench.micro.stored.Transfers;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.JdkGeneration;
import dev.arenakit.bench.report.Target;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import static dev.arenakit.bench.candidate.Candidates.BUFFER_STACK;
import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.MIMALLOC;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED_POOL;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BOUNDED_UNZEROED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_UNZEROED;

/// The targets for the speed of the arenas, the structures and the mappers, and the suites that measure them.
final class Targets {
    private static final List<Target> ARENAS = List.of(
            session(6, SLAB_UNZEROED, BlockWorkload.ONE), session(27, SLAB_UNZEROED, BlockWorkload.TEN),
            session(33, SLAB_UNZEROED, BlockWorkload.HUNDRED),
            session(25, SLAB_UNZEROED, BlockWorkload.HUNDRED_MIXED), session(4.5, SLAB, BlockWorkload.ONE),
            session(16, SLAB, BlockWorkload.TEN), session(24, SLAB, BlockWorkload.HUNDRED),
            session(8, SLAB, BlockWorkload.HUNDRED_MIXED), session(3.5, SLAB_BOUNDED_UNZEROED, BlockWorkload.ONE),
            session(18, SLAB_BOUNDED_UNZEROED, BlockWorkload.TEN),
            sessionAgainstPool(1 / 1.8, SLAB_UNZEROED, BlockWorkload.ONE),
            sessionAgainstPool(16, SLAB_UNZEROED, BlockWorkload.TEN),
            sessionAgainstPool(24, SLAB_UNZEROED, BlockWorkload.HUNDRED),
            sessionAgainstPool(1 / 2.5, SLAB, BlockWorkload.ONE),
            againstConfined(escaping(SLAB), 8, false),
            new Target(ten(Session.class, SLAB_UNZEROED), ten(Session.class, BUFFER_STACK), 1.4, true),
            new Target(ten(Session.class, SLAB_UNZEROED), peer("nettyAdaptiveEventLoop"), 25, true),
            new Target(ten(Session.class, SLAB_UNZEROED), peer("lwjglAlloc"), 15, true),
            new Target(ten(Session.class, SLAB_UNZEROED), peer("lwjglStackUnchecked"), 1 / 1.2, true),
            new Target(ten(Session.class, MALLOC), peer("mallocCritical"), 1 / 1.15, true),
            new Target(frames("frame"), frames("open"), 1, true),
            new Target(live("5000"), live("1"), 1 / 1.3, false),
            new Target(CellGrid.arena(SharedArena.class, SLAB_SHARED, Map.of()),
                    CellGrid.method(SharedArena.class, "confined", Map.of()), 0.8, false),
            againstConfined(ten(Concurrent.TwoVirtual.class, SLAB), 12, true),
            new Target(ten(Concurrent.OfTwo.class, SLAB), ten(Session.class, SLAB), 1 / 1.2, true),
            block(1.4, MALLOC, "4096", "first"), block(13, MALLOC, "65536", "first"),
            block(150, MALLOC, "1048576", "first"), block(1.8, MALLOC, "65536", "all"),
            block(1.8, MALLOC, "1048576", "all"), block(4.5, MIMALLOC, "4096", "first"),
            block(28, MIMALLOC, "65536", "first"), raw("16"), raw("64"), raw("256"), raw("1024"),
            block(6, SLAB_UNZEROED, "16", "first"), block(6, SLAB_UNZEROED, "64", "first"),
            block(4.5, SLAB, "16", "first"), block(4.5, SLAB, "64", "first"),
            new Target(allocateAndFree("mallocArena"), allocateAndFree("malloc"), 0.5, true),
            small("raw", "mimalloc", 2), small("raw", "jemalloc", 2),
            small("rawShared", "mimalloc", 1 / 0.8),
            small("rawShared", "jemalloc", 1 / 0.8), small("blocks", "mimalloc", 1),
            small("blocks", "jemalloc", 1),
            new Target(CellGrid.method(RemoteFree.class, "remote", Map.of()),
                    CellGrid.method(RemoteFree.class, "local", Map.of()), 0.5, true),
            new Target(CellGrid.method(AllocateAndFree.OfTwo.class, "rawShared", Map.of("size", "mixed")),
                    CellGrid.method(AllocateAndFree.OfTwo.class, "raw", Map.of("size", "mixed")), 0.8, true),
            string(3.3, "20 ASCII"), string(3.8, "200 ASCII"), transfer(4, "pieces256K"),
            transfer(1.1, "freshSegment"), transfer(3, "freshPages", "freshConfined"));

    /// The targets are multiples of the time in a process that has not used arenas before, as ratios of speeds.
    private static final List<Target> MIXED = Stream.of(
            mixed("slab", BlockWorkload.ONE, 1.3, MixedUse.SEVERAL_SLABS, MixedUse.LARGE_BLOCKS,
                    MixedUse.SHARED_ARENAS, MixedUse.JDK_ARENAS, MixedUse.EVERYTHING),
            mixed("slab", BlockWorkload.TEN, 2, MixedUse.SEVERAL_SLABS, MixedUse.LARGE_BLOCKS, MixedUse.SHARED_ARENAS,
                    MixedUse.JDK_ARENAS, MixedUse.EVERYTHING),
            mixed("mallocArena", BlockWorkload.ONE, 1.5, MixedUse.EVERYTHING),
            mixed("mallocArena", BlockWorkload.TEN, 1.5, MixedUse.EVERYTHING))
            .flatMap(Function.identity())
            .toList();

    /// The targets are parts of fastutil's time, as ratios of speeds.
    private static final List<Target> STRUCTURES = List.of(longMap("hit", "longLongMap", 1 / 0.8),
            longMap("update", "longLongMap", 1 / 0.8), longMap("miss", "longLongMap", 1),
            longMap("miss", "tagged", 1 / 0.4),
            new Target(CellGrid.method(LongSort.class, "longList", Map.of("size", "1000000")),
                    CellGrid.method(LongSort.class, "fastutil", Map.of("size", "1000000")), 1 / 0.4, false));

    private static final List<Target> ALL = Stream.of(ARENAS, MIXED, STRUCTURES)
            .flatMap(List::stream)
            .toList();

    static final Suite TARGETS = new Suite("targets", "Targets for the arenas and the structures", 5,
            Suite.WARM_UP, Suite.SHORT,
            Stream.concat(cells(ALL),
                    CellGrid.of(Session.class)
                            .with("workload", BlockWorkload.ONE, BlockWorkload.TEN, BlockWorkload.HUNDRED,
                                    BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED_POOL)
                            .cells())
                    .distinct()
                    .toList(),
            ALL);

    /// What is slower than its opponent, or was, with the goal; NaN where no goal is a ratio.
    private static final List<Target> SLOWER = Stream.of(
            Stream.of("20480", "32768", "65536", "262144", "524288", "4194304")
                    .map(byteSize -> block(1 / 0.7, SLAB, byteSize, "first")),
            Stream.of(againstConfined(CellGrid.arena(NativeCall.ByHelper.class, SLAB, Map.of()), 1 / 0.6, false),
                    new Target(CellGrid.arena(SharedArena.class, SLAB_SHARED, Map.of()),
                            CellGrid.method(SharedArena.class, "confined", Map.of()), 1 / 1.3, false)),
            mixed("mallocArena", BlockWorkload.ONE, 1.4, MixedUse.EVERYTHING),
            Stream.of(new Target(CellGrid.method(RemoteFree.class, "remote", Map.of()),
                    CellGrid.method(RemoteFree.class, "malloc", Map.of()), Double.NaN, true),
                    new Target(allocateAndFree("raw"), allocateAndFree("jemalloc"), 1, true), stored("hit", 1.5),
                    stored("miss", 1.3), sessionAgainstPool(1 / 1.2, SLAB, BlockWorkload.ONE),
                    new Target(catalog("check"), catalog("list"), Double.NaN, false)))
            .flatMap(Function.identity())
            .toList();

    static final Suite LOSSES = new Suite("losses", "What is slower than it should be", 5, Suite.WARM_UP, Suite.SHORT,
            cells(SLOWER).distinct().toList(), SLOWER);

    /// Size of an array of structs that fits into a core's cache.
    private static final String IN_CACHE = "65536";
    /// Size of an array of structs that does not fit into a core's cache.
    private static final String BEYOND_CACHE = "67108864";
    /// The target of a mapper that is a constant: at most 1.05 times the time, as a ratio of speeds.
    private static final double AS_FAST = 1 / 1.05;
    /// The target of a mapper that is not a constant: at most 1.15 times the time, as a ratio of speeds.
    private static final double NEARLY_AS_FAST = 1 / 1.15;

    private static final List<Target> MAPPERS = List.of(structs("read", "records", AS_FAST),
            structs("read", "recordsInField", NEARLY_AS_FAST), structs("read", "recordsParameter", NEARLY_AS_FAST),
            structs("write", "records", AS_FAST), structs("write", "recordsInField", NEARLY_AS_FAST),
            structs("copy", "records", AS_FAST), structs("copy", "recordsInField", NEARLY_AS_FAST),
            structs("read", "views", AS_FAST), structs("read", "viewsInField", NEARLY_AS_FAST),
            structs("write", "views", AS_FAST), structs("write", "viewsInField", NEARLY_AS_FAST),
            structs("copy", "views", AS_FAST), structs("copy", "viewsInField", NEARLY_AS_FAST),
            sum("records", AS_FAST), sum("recordsInField", NEARLY_AS_FAST), sum("field", AS_FAST),
            sum("fieldInField", NEARLY_AS_FAST), sum("views", AS_FAST), sum("viewsInField", NEARLY_AS_FAST),
            codec("write", "handles", AS_FAST), codec("read", "handles", AS_FAST),
            codec("write", "byteBuffer", 1), codec("read", "byteBuffer", 1), codec("write", "agrona", 2),
            codec("read", "agrona", 2), codec("write", "agronaUnchecked", 1), codec("read", "agronaUnchecked", 1),
            codec("write", "serializableClassReused", 60), codec("write", "serializableRecordReused", 60),
            new Target(CellGrid.method(BigEndian.class, "mapper", Map.of()),
                    CellGrid.method(BigEndian.class, "nativeOrder", Map.of()), 1 / 1.3, true),
            new Target(callSite("records", "4"), callSite("records", "2"), 1 / 2.0, false),
            new Target(callSite("records", "2"), callSite("handles", "2"), AS_FAST, false),
            new Target(callSite("records", "4"), callSite("handles", "4"), AS_FAST, false),
            new Target(CellGrid.method(EnumRead.class, "closeNumbers", Map.of()),
                    CellGrid.method(EnumRead.class, "bySwitch", Map.of()), 1, true),
            new Target(CellGrid.method(ChainWalk.class, "offsets", Map.of()),
                    CellGrid.method(ChainWalk.class, "handles", Map.of()), 1 / 1.2, true),
            new Target(CellGrid.method(EscapingRead.class, "mapper", Map.of()),
                    CellGrid.method(EscapingRead.class, "handles", Map.of()), 1 / 1.1, true),
            columns("column", "field", 1 / 0.35), columns("vectors", "field", 1 / 0.15),
            columns("recordsInColumns", "records", 1 / 1.2));

    static final Suite MAPPING = new Suite("mapping", "The mappers against code written by hand", 5,
            Suite.WARM_UP, Suite.SHORT,
            Suites.cells(
                    CellGrid.of(BigEndian.class).all(), CellGrid.of(Codec.class).all(),
                    CellGrid.of(Structs.class).with("byteSize", IN_CACHE, BEYOND_CACHE).all(),
                    CellGrid.of(FieldSum.class).with("byteSize", IN_CACHE, BEYOND_CACHE).all(),
                    CellGrid.of(EnumRead.class).all(), CellGrid.of(EscapingRead.class).all(),
                    CellGrid.of(ColumnReads.class).all(),
                    CellGrid.of(CallSite.class).all(), CellGrid.of(ChainWalk.class).all()),
            MAPPERS);

    private Targets() {}

    /// The cells that targets compare, with their baselines.
    private static Stream<Cell> cells(List<Target> targets) {
        return targets.stream()
                .flatMap(target -> Stream.of(target.opponent(), target.cell()))
                .flatMap(cell -> Stream.of(cell.baseline(), cell));
    }

    private static Target stored(String operation, double multiple) {
        Map<String, String> conditions = Map.of("operation", operation, "size", "1000000", "commit", "1", "files",
                StoreDirectory.TMPFS);
        return new Target(CellGrid.method(StoredLongMaps.class, "imageLongMap", conditions),
                CellGrid.method(StoredLongMaps.class, "longLongMap", conditions), 1 / multiple, true);
    }

    private static Cell catalog(String method) {
        return CellGrid.method(CatalogReading.class, method, Map.of("size", "1000000"));
    }

    private static Target longMap(String operation, String method, double times) {
        Map<String, String> conditions = Map.of("operation", operation, "size", "1000000");
        return new Target(CellGrid.method(LongMaps.class, method, conditions),
                CellGrid.method(LongMaps.class, "fastutil", conditions), times, true);
    }

    /// Returns a target against the JDK's confined arena of the JDKs 25 to 27. That arena has a pool in later JDKs, and
    /// needs a tenth of the time for a small block.
    private static Target againstConfined(Cell cell, double times, boolean garbageFree) {
        return new Target(cell, cell.by(OF_CONFINED), times, garbageFree, JdkGeneration.WITHOUT_POOL);
    }

    private static Target session(double times, String provider, String workload) {
        return againstConfined(CellGrid.arena(Session.class, provider, Map.of("workload", workload)), times, true);
    }

    /// Returns a target against the JDK's confined arena of JDK 28 or newer.
    private static Target sessionAgainstPool(double times, String provider, String workload) {
        Cell cell = CellGrid.arena(Session.class, provider, Map.of("workload", workload));
        return new Target(cell, cell.by(OF_CONFINED), times, true, JdkGeneration.WITH_POOL);
    }

    private static Target block(double times, String provider, String byteSize, String written) {
        return againstConfined(
                CellGrid.arena(OneBlock.class, provider, Map.of("byteSize", byteSize, "written", written)), times,
                true);
    }

    /// At most 1.3 times the time of malloc and free alone, as a ratio of speeds.
    private static Target raw(String byteSize) {
        Map<String, String> conditions = Map.of("byteSize", byteSize, "written", "first");
        return new Target(CellGrid.arena(OneBlock.class, MALLOC, conditions),
                CellGrid.method(OneBlock.class, "mallocCritical", conditions), 1 / 1.3, true);
    }

    private static Target string(double times, String characters) {
        return againstConfined(CellGrid.arena(Strings.class, SLAB, Map.of("characters", characters)), times, true);
    }

    private static Target transfer(double times, String method) {
        return transfer(times, method, "stream");
    }

    private static Target transfer(double times, String method, String opponent) {
        Map<String, String> conditions = Map.of("direction", "read", "byteSize", "268435456");
        return new Target(CellGrid.method(Transfers.class, method, conditions),
                CellGrid.method(Transfers.class, opponent, conditions), times, true);
    }

    private static Cell escaping(String provider) {
        return CellGrid.arena(Escaping.class, provider, Map.of("escape", "passed", "workload", BlockWorkload.TEN));
    }

    private static Cell ten(Class<?> benchmarkClass, String provider) {
        return CellGrid.arena(benchmarkClass, provider, Map.of("workload", BlockWorkload.TEN));
    }

    private static Cell peer(String method) {
        return CellGrid.method(Session.class, method, Map.of("workload", BlockWorkload.TEN));
    }

    private static Cell frames(String method) {
        return CellGrid.method(Frames.class, method, Map.of());
    }

    private static Stream<Target> mixed(String method, String workload, double multiple, String... before) {
        Cell alone = CellGrid.method(MixedUse.class, method,
                Map.of("workload", workload, "before", MixedUse.NOTHING));
        return Stream.of(before)
                .map(each -> new Target(alone.with("before", each), alone, 1 / multiple, true));
    }

    private static Cell live(String others) {
        return CellGrid.method(LiveArenas.On64.class, "slab", Map.of("others", others));
    }

    private static Cell allocateAndFree(String method) {
        return CellGrid.method(AllocateAndFree.class, method, Map.of("size", "64"));
    }

    /// Compares allocators with the mixed sizes.
    private static Target small(String method, String opponent, double times) {
        Map<String, String> conditions = Map.of("size", "mixed");
        return new Target(CellGrid.method(AllocateAndFree.class, method, conditions),
                CellGrid.method(AllocateAndFree.class, opponent, conditions), times, true);
    }

    private static Target structs(String operation, String method, double times) {
        Map<String, String> conditions = Map.of("operation", operation, "byteSize", IN_CACHE);
        return new Target(CellGrid.method(Structs.class, method, conditions),
                CellGrid.method(Structs.class, "handles", conditions), times, true);
    }

    private static Target sum(String method, double times) {
        Map<String, String> conditions = Map.of("byteSize", IN_CACHE);
        return new Target(CellGrid.method(FieldSum.class, method, conditions),
                CellGrid.method(FieldSum.class, "handle", conditions), times, true);
    }

    private static Target codec(String direction, String opponent, double times) {
        Map<String, String> conditions = Map.of("direction", direction);
        return new Target(CellGrid.method(Codec.class, "mapper", conditions),
                CellGrid.method(Codec.class, opponent, conditions), times, true);
    }

    private static Target columns(String method, String opponent, double times) {
        return new Target(CellGrid.method(ColumnReads.class, method, Map.of()),
                CellGrid.method(ColumnReads.class, opponent, Map.of()), times, true);
    }

    private static Cell callSite(String method, String types) {
        return CellGrid.method(CallSite.class, method, Map.of("types", types));
    }
}
