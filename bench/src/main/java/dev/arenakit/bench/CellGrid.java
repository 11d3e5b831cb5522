package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/// The cells of some candidates of a benchmark under some conditions.
///
/// @param benchmarkClass the benchmark
/// @param conditions     the values of each parameter, by name; the last parameter varies fastest
/// @param arenas         names of providers
/// @param methods        names of the benchmark methods of other candidates
record CellGrid(Class<?> benchmarkClass, Map<String, List<String>> conditions, List<String> arenas,
        List<String> methods) {
    static CellGrid of(Class<?> benchmarkClass) {
        return new CellGrid(benchmarkClass, Map.of(), List.of(), List.of());
    }

    CellGrid with(String param, String... values) {
        Map<String, List<String>> more = new LinkedHashMap<>(conditions);
        more.put(param, List.of(values));
        return new CellGrid(benchmarkClass, more, arenas, methods);
    }

    /// Adds all values of each other parameter that the class declares, and all methods beside the arenas' method, the
    /// baseline first.
    CellGrid all() {
        CellGrid all = this;
        for (Field field : benchmarkClass.getFields()) {
            Param param = field.getAnnotation(Param.class);
            if (param != null && !conditions.containsKey(field.getName())) {
                all = all.with(field.getName(), param.value());
            }
        }
        return all.methods(Stream.of(benchmarkClass.getMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(Method::getName)
                .filter(name -> !name.equals(Cell.ARENA))
                .sorted(Comparator.comparing((String name) -> !method(benchmarkClass, name, Map.of()).isBaseline())
                        .thenComparing(Comparator.naturalOrder()))
                .toArray(String[]::new));
    }

    CellGrid arenas(String... providers) {
        return new CellGrid(benchmarkClass, conditions, List.of(providers), methods);
    }

    CellGrid methods(String... names) {
        return new CellGrid(benchmarkClass, conditions, arenas, List.of(names));
    }

    /// Returns all candidates under the first conditions, then all candidates under the next conditions. In this order,
    /// candidates that are compared with each other run close together.
    Stream<Cell> cells() {
        List<Map<String, String>> points = new ArrayList<>(List.of(Map.of()));
        conditions.forEach((param, values) -> {
            List<Map<String, String>> finer = points.stream()
                    .flatMap(point -> values.stream().map(value -> with(point, param, value)))
                    .toList();
            points.clear();
            points.addAll(finer);
        });
        return points.stream()
                .flatMap(point -> Stream.concat(
                        arenas.stream().map(provider -> arena(benchmarkClass, provider, point)),
                        methods.stream().map(method -> new Cell(name(benchmarkClass), method, point))));
    }

    /// Returns the cell of an arena.
    static Cell arena(Class<?> benchmarkClass, String provider, Map<String, String> conditions) {
        return new Cell(name(benchmarkClass), Cell.ARENA, with(conditions, Cell.PROVIDER, provider));
    }

    /// Returns the cell of a candidate that is a benchmark method.
    static Cell method(Class<?> benchmarkClass, String method, Map<String, String> conditions) {
        return new Cell(name(benchmarkClass), method, conditions);
    }

    private static String name(Class<?> benchmarkClass) {
        return benchmarkClass.getCanonicalName();
    }

    private static Map<String, String> with(Map<String, String> params, String param, String value) {
        Map<String, String> more = new LinkedHashMap<>(params);
        more.put(param, value);
        return more;
    }
}
