package dev.arenakit.bench.report;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A cell of a table of results: one candidate of a benchmark under some conditions.
///
/// @param benchmarkClass name of the benchmark class
/// @param method         name of the benchmark method; all arenas are measured by the same method
/// @param params         the values of all parameters, by name; the value of [#PROVIDER] names the arena
public record Cell(String benchmarkClass, String method, Map<String, String> params) {
    /// The parameter whose value is the name of an arena's provider.
    public static final String PROVIDER = "provider";

    /// The parameter whose value is the name of a workload.
    public static final String WORKLOAD = "workload";

    /// The method that measures arenas.
    public static final String ARENA = "arena";

    /// Keeps a copy of the parameters, sorted by name.
    public Cell {
        params = Collections.unmodifiableSortedMap(new TreeMap<>(params));
    }

    /// {@return the full name of the benchmark in JMH}
    public String benchmark() {
        return benchmarkClass + "." + method;
    }

    /// {@return the name of the candidate: the name of the provider, or of the method}
    public String candidate() {
        String provider = params.get(PROVIDER);
        return provider == null ? ReportFormat.method(benchmarkClass, method) : provider;
    }

    /// {@return benchmark, parameters and candidate in one line}
    public String name() {
        return Stream.of(ReportFormat.benchmark(benchmarkClass), ReportFormat.params(conditions()), candidate())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /// {@return the parameters without the provider, which are the same for all candidates that are compared}
    public SortedMap<String, String> conditions() {
        SortedMap<String, String> conditions = new TreeMap<>(params);
        conditions.remove(PROVIDER);
        return conditions;
    }

    /// {@return the cell with another value of a parameter}
    ///
    /// @param param name of the parameter
    /// @param value its value
    public Cell with(String param, String value) {
        SortedMap<String, String> others = new TreeMap<>(params);
        others.put(param, value);
        return new Cell(benchmarkClass, method, others);
    }

    /// {@return the cell of another arena under the same conditions}
    ///
    /// @param provider name of the arena's provider
    public Cell by(String provider) {
        return with(PROVIDER, provider);
    }

    /// {@return this cell without the package of its benchmark class}
    Cell withoutPackage() {
        return new Cell(benchmarkClass.replaceFirst("^(\\p{Lower}\\w*\\.)+", ""), method, params);
    }

    /// {@return whether the other cell is of the same benchmark under the same conditions}
    ///
    /// @param other a cell
    public boolean isComparableWith(Cell other) {
        return benchmarkClass.equals(other.benchmarkClass) && conditions().equals(other.conditions());
    }

    /// {@return the cell of the baseline under the same conditions}
    public Cell baseline() {
        String name = ReportFormat.baseline(benchmarkClass);
        return ReportFormat.methodNamed(benchmarkClass, name)
                .map(found -> new Cell(benchmarkClass, found, conditions()))
                .orElseGet(() -> new Cell(benchmarkClass, ARENA, conditions()).by(name));
    }

    /// {@return whether the candidate is the baseline of its benchmark}
    public boolean isBaseline() {
        return candidate().equals(ReportFormat.baseline(benchmarkClass));
    }
}
