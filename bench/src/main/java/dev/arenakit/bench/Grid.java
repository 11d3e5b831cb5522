package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Some contestants of a question under some conditions.
///
/// @param question   the class of benchmarks
/// @param conditions the values of each parameter, by name; the one named last varies fastest
/// @param arenas     names of providers
/// @param methods    names of the benchmark methods of other contestants
record Grid(Class<?> question, Map<String, List<String>> conditions, List<String> arenas, List<String> methods) {
    static Grid of(Class<?> question) {
        return new Grid(question, Map.of(), List.of(), List.of());
    }

    Grid with(String param, String... values) {
        Map<String, List<String>> more = new LinkedHashMap<>(conditions);
        more.put(param, List.of(values));
        return new Grid(question, more, arenas, methods);
    }

    Grid arenas(String... providers) {
        return new Grid(question, conditions, List.of(providers), methods);
    }

    Grid methods(String... names) {
        return new Grid(question, conditions, arenas, List.of(names));
    }

    /// All contestants under the first conditions, then all under the next: what is compared runs close together.
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
                        arenas.stream().map(provider -> arena(question, provider, point)),
                        methods.stream().map(method -> new Cell(name(question), method, point))));
    }

    /// The cell of an arena.
    static Cell arena(Class<?> question, String provider, Map<String, String> conditions) {
        return new Cell(name(question), Cell.ARENA, with(conditions, Cell.PROVIDER, provider));
    }

    /// The cell of another contestant.
    static Cell method(Class<?> question, String method, Map<String, String> conditions) {
        return new Cell(name(question), method, conditions);
    }

    private static String name(Class<?> question) {
        return question.getCanonicalName();
    }

    private static Map<String, String> with(Map<String, String> params, String param, String value) {
        Map<String, String> more = new LinkedHashMap<>(params);
        more.put(param, value);
        return more;
    }
}
