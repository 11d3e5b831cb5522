package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.micro.BigEndian;
import dev.arenakit.bench.micro.CallSite;
import dev.arenakit.bench.micro.Codec;
import dev.arenakit.bench.micro.EnumRead;
import dev.arenakit.bench.micro.EscapingRead;
import dev.arenakit.bench.micro.FieldSum;
import dev.arenakit.bench.micro.Structs;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The suite that measures the mappers, and its targets.
final class MappersSuite {
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
            new Target(CellGrid.method(EscapingRead.class, "mapper", Map.of()),
                    CellGrid.method(EscapingRead.class, "handles", Map.of()), 1 / 1.1, true));

    static final Suite SUITE = new Suite("mapping", "The mappers against code written by hand", 5,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(150)),
            Suites.cells(
                    CellGrid.of(BigEndian.class)
                            .methods("nativeOrder", "shifting", "array", "layout", "accessor", "mapper", "field"),
                    CellGrid.of(Codec.class)
                            .every("direction")
                            .methods("handles", "mapper", "mapperInField", "byteBuffer", "agrona", "agronaUnchecked",
                                    "dataStream",
                                    "serializableClass", "serializableRecord", "serializableClassReused",
                                    "serializableRecordReused"),
                    CellGrid.of(Structs.class)
                            .every("operation")
                            .with("byteSize", IN_CACHE, BEYOND_CACHE)
                            .methods("handles", "records", "recordsInField", "recordsParameter", "views",
                                    "viewsInField",
                                    "viewsParameter"),
                    CellGrid.of(FieldSum.class)
                            .with("byteSize", IN_CACHE, BEYOND_CACHE)
                            .methods("handle", "handleInField", "field", "fieldInField", "records", "recordsInField",
                                    "views", "viewsInField"),
                    CellGrid.of(EnumRead.class).methods("bySwitch", "closeNumbers", "farNumbers"),
                    CellGrid.of(EscapingRead.class).methods("handles", "mapper"),
                    CellGrid.of(CallSite.class).every("types").methods("records", "handles")),
            MAPPERS);

    private MappersSuite() {}

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

    private static Cell callSite(String method, String types) {
        return CellGrid.method(CallSite.class, method, Map.of("types", types));
    }
}
