package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.micro.BigEndian;
import dev.arenakit.bench.micro.CallSite;
import dev.arenakit.bench.micro.Codec;
import dev.arenakit.bench.micro.Concurrent;
import dev.arenakit.bench.micro.EnumRead;
import dev.arenakit.bench.micro.Escaping;
import dev.arenakit.bench.micro.EscapingRead;
import dev.arenakit.bench.micro.FieldOperations;
import dev.arenakit.bench.micro.FieldSum;
import dev.arenakit.bench.micro.Frames;
import dev.arenakit.bench.micro.LiveArenas;
import dev.arenakit.bench.micro.LongMaps;
import dev.arenakit.bench.micro.LongSort;
import dev.arenakit.bench.micro.MixedUse;
import dev.arenakit.bench.micro.OneBlock;
import dev.arenakit.bench.micro.Pair;
import dev.arenakit.bench.micro.RemoteFree;
import dev.arenakit.bench.micro.Session;
import dev.arenakit.bench.micro.SharedArena;
import dev.arenakit.bench.micro.SmallPair;
import dev.arenakit.bench.micro.StraightLine;
import dev.arenakit.bench.micro.Strings;
import dev.arenakit.bench.micro.Structs;
import dev.arenakit.bench.micro.Transfers;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.ReportFormat;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static dev.arenakit.bench.candidate.Candidates.BUFFER_STACK;
import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.MIMALLOC;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BOUNDED_NONE;
import static dev.arenakit.bench.candidate.Candidates.SLAB_NONE;
import static dev.arenakit.bench.candidate.Candidates.SLAB_SHARED;

/// The targets for the speed of the arenas and of the mappers, and the suite that measures them.
final class TargetsSuite {
    /// The target of a mapper that is a constant: at most 1.05 times the time, as a ratio of speeds.
    private static final double AS_FAST = 1 / 1.05;
    /// The target of a mapper that is not a constant: at most 1.15 times the time, as a ratio of speeds.
    private static final double NEARLY_AS_FAST = 1 / 1.15;

    /// Benchmarks of allocators, which are compared with malloc in the report.
    private static final List<Class<?>> BLOCK_ALLOCATORS = List.of(SmallPair.class, SmallPair.OfTwo.class,
            RemoteFree.class);

    private static final List<Target> ARENAS = List.of(
            session(6.5, SLAB_NONE, BlockWorkload.ONE), session(22, SLAB_NONE, BlockWorkload.TEN),
            session(25, SLAB_NONE, BlockWorkload.HUNDRED_MIXED), session(4, SLAB, BlockWorkload.ONE),
            session(12, SLAB, BlockWorkload.TEN),
            session(8, SLAB, BlockWorkload.HUNDRED_MIXED), session(3.5, SLAB_BOUNDED_NONE, BlockWorkload.ONE),
            session(18, SLAB_BOUNDED_NONE, BlockWorkload.TEN),
            new Target(escaping(SLAB), escaping(OF_CONFINED), 8, false),
            new Target(ten(Session.class, SLAB_NONE), ten(Session.class, BUFFER_STACK), 1.4, true),
            new Target(ten(Session.class, SLAB_NONE), peer("nettyAdaptive"), 25, true),
            new Target(ten(Session.class, SLAB_NONE), peer("lwjglAlloc"), 15, true),
            new Target(ten(Session.class, SLAB_NONE), peer("lwjglStack"), 1 / 1.7, true),
            new Target(CellGrid.arena(StraightLine.class, SLAB_NONE, Map.of()),
                    CellGrid.method(StraightLine.class, "lwjglStack", Map.of()), 1, true),
            straightLine(2.8, MALLOC),
            new Target(frames("frame"), frames("open"), 1, true), mixed(MixedUse.SEVERAL_SLABS),
            mixed(MixedUse.LARGE_BLOCKS), mixed(MixedUse.SHARED_ARENAS), mixed(MixedUse.JDK_ARENAS),
            mixed(MixedUse.EVERYTHING),
            new Target(live("5000"), live("1"), 1 / 1.3, false),
            new Target(CellGrid.arena(SharedArena.class, SLAB_SHARED, Map.of()),
                    CellGrid.method(SharedArena.class, "confined", Map.of()), 0.8, false),
            new Target(ten(Concurrent.OfVirtual.class, SLAB), ten(Concurrent.OfVirtual.class, OF_CONFINED), 12, true),
            new Target(ten(Concurrent.OfTwo.class, SLAB), ten(Session.class, SLAB), 1 / 1.2, true),
            block(3, MALLOC, "16", "first"), block(3, MALLOC, "64", "first"), block(3, MALLOC, "256", "first"),
            block(1.4, MALLOC, "4096", "first"), block(13, MALLOC, "65536", "first"),
            block(150, MALLOC, "1048576", "first"), block(1.8, MALLOC, "65536", "all"),
            block(1.8, MALLOC, "1048576", "all"), block(4.5, MIMALLOC, "4096", "first"),
            block(28, MIMALLOC, "65536", "first"), raw(0.9, "16"), raw(0.9, "64"), raw(0.9, "256"),
            raw(1 / 1.15, "1024"),
            block(7, SLAB_NONE, "16", "first"), block(7, SLAB_NONE, "64", "first"), block(7, SLAB, "16", "first"),
            block(7, SLAB, "64", "first"), new Target(pair("confined"), pair("mallocCritical"), 0.5, true),
            smallPair("raw", "mimalloc", 2), smallPair("raw", "jemalloc", 2),
            smallPair("rawShared", "mimalloc", 1 / 0.8),
            smallPair("rawShared", "jemalloc", 1 / 0.8), smallPair("blocks", "mimalloc", 1),
            smallPair("blocks", "jemalloc", 1),
            new Target(CellGrid.method(RemoteFree.class, "remote", Map.of()),
                    CellGrid.method(RemoteFree.class, "local", Map.of()), 0.5, true),
            new Target(CellGrid.method(SmallPair.OfTwo.class, "rawShared", Map.of("size", "mixed")),
                    CellGrid.method(SmallPair.OfTwo.class, "raw", Map.of("size", "mixed")), 0.8, true),
            string(3.3, "20 ASCII"), string(3.8, "200 ASCII"), transfer(4, "pieces256K"),
            transfer(1.1, "freshSegment"), transfer(3, "freshPages", "freshConfined"));

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
            new Target(CellGrid.method(EscapingRead.class, "mapper", Map.of()),
                    CellGrid.method(EscapingRead.class, "handles", Map.of()), 1 / 1.1, true));

    private static final List<Target> FIELDS = Stream.of(Suites.FIELD_OPERATIONS)
            .map(operation -> operation(operation, AS_FAST))
            .toList();

    /// At most these parts of the time of fastutil, as ratios of speeds.
    private static final List<Target> STRUCTURES = List.of(longMap("hit", "longLongMap", 1 / 0.8),
            longMap("update", "longLongMap", 1 / 0.8), longMap("miss", "longLongMap", 1),
            longMap("miss", "tagged", 1 / 0.4),
            new Target(CellGrid.method(LongSort.class, "longList", Map.of("size", "1000000")),
                    CellGrid.method(LongSort.class, "fastutil", Map.of("size", "1000000")), 1 / 0.4, false));

    private static final List<Target> ALL = Stream.of(ARENAS, MAPPERS, FIELDS, STRUCTURES)
            .flatMap(List::stream)
            .toList();

    static final Suite SUITE = new Suite("targets", "Targets for the arenas, the mappers and the structures", 5,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(150)),
            ALL.stream()
                    .flatMap(target -> Stream.of(target.opponent(), target.cell()))
                    .flatMap(cell -> Stream.of(baseline(cell), cell))
                    .distinct()
                    .toList(),
            ALL);

    private TargetsSuite() {}

    /// Returns the cell that the report compares a cell with, which may differ from the opponent of its target. Returns
    /// the cell itself if its benchmark has its baseline as an opponent.
    private static Cell baseline(Cell cell) {
        if (cell.method().equals(Cell.ARENA)) {
            return cell.by(ReportFormat.baseline(cell.benchmarkClass()));
        }
        if (cell.benchmarkClass().equals(live("1").benchmarkClass())) {
            return CellGrid.arena(LiveArenas.On64.class, OF_CONFINED, cell.conditions());
        }
        for (Class<?> benchmarkClass : BLOCK_ALLOCATORS) {
            Cell malloc = CellGrid.method(benchmarkClass, "malloc", cell.conditions());
            if (cell.benchmarkClass().equals(malloc.benchmarkClass())) {
                return malloc;
            }
        }
        return cell.method().equals("slab") ? CellGrid.method(MixedUse.class, "confined", cell.conditions()) : cell;
    }

    private static Target longMap(String operation, String method, double times) {
        Map<String, String> conditions = Map.of("operation", operation, "size", "1000000");
        return new Target(CellGrid.method(LongMaps.class, method, conditions),
                CellGrid.method(LongMaps.class, "fastutil", conditions), times, true);
    }

    private static Target session(double times, String provider, String workload) {
        Cell cell = CellGrid.arena(Session.class, provider, Map.of("workload", workload));
        return new Target(cell, cell.by(OF_CONFINED), times, true);
    }

    private static Target block(double times, String provider, String byteSize, String written) {
        Cell cell = CellGrid.arena(OneBlock.class, provider, Map.of("byteSize", byteSize, "written", written));
        return new Target(cell, cell.by(OF_CONFINED), times, true);
    }

    /// Compares an arena with malloc and free alone.
    private static Target raw(double times, String byteSize) {
        Map<String, String> conditions = Map.of("byteSize", byteSize, "written", "first");
        return new Target(CellGrid.arena(OneBlock.class, MALLOC, conditions),
                CellGrid.method(OneBlock.class, "mallocCritical", conditions), times, true);
    }

    private static Target string(double times, String characters) {
        Cell cell = CellGrid.arena(Strings.class, SLAB, Map.of("characters", characters));
        return new Target(cell, cell.by(OF_CONFINED), times, true);
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

    private static Target straightLine(double times, String provider) {
        Cell cell = CellGrid.arena(StraightLine.class, provider, Map.of());
        return new Target(cell, cell.by(OF_CONFINED), times, true);
    }

    /// At most 1.6 times the time in a process that has not used arenas before, as a ratio of speeds.
    private static Target mixed(String before) {
        return new Target(CellGrid.method(MixedUse.class, "slab", Map.of("before", before)),
                CellGrid.method(MixedUse.class, "slab", Map.of("before", MixedUse.NOTHING)), 1 / 1.6, true);
    }

    private static Cell live(String others) {
        return CellGrid.method(LiveArenas.On64.class, "slab", Map.of("others", others));
    }

    private static Cell pair(String method) {
        return CellGrid.method(Pair.class, method, Map.of("byteSize", "64"));
    }

    /// Compares allocators with the mixed sizes.
    private static Target smallPair(String method, String opponent, double times) {
        Map<String, String> conditions = Map.of("size", "mixed");
        return new Target(CellGrid.method(SmallPair.class, method, conditions),
                CellGrid.method(SmallPair.class, opponent, conditions), times, true);
    }

    private static Target structs(String operation, String method, double times) {
        Map<String, String> conditions = Map.of("operation", operation, "byteSize", Suites.IN_CACHE);
        return new Target(CellGrid.method(Structs.class, method, conditions),
                CellGrid.method(Structs.class, "handles", conditions), times, true);
    }

    private static Target sum(String method, double times) {
        Map<String, String> conditions = Map.of("byteSize", Suites.IN_CACHE);
        return new Target(CellGrid.method(FieldSum.class, method, conditions),
                CellGrid.method(FieldSum.class, "handle", conditions), times, true);
    }

    private static Target operation(String operation, double times) {
        Map<String, String> conditions = Map.of("operation", operation);
        return new Target(CellGrid.method(FieldOperations.class, "field", conditions),
                CellGrid.method(FieldOperations.class, "handle", conditions), times, true);
    }

    private static Target codec(String direction, String opponent, double times) {
        Map<String, String> conditions = Map.of("direction", direction);
        return new Target(CellGrid.method(Codec.class, "mapper", conditions),
                CellGrid.method(Codec.class, opponent, conditions), times, true);
    }

    private static Cell callSite(String method, String types) {
        return CellGrid.method(CallSite.class, method, Map.of("types", types));
    }
}
