package dev.arenakit.bench.report;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The values of one JVM that measured a cell, iteration by iteration.
///
/// @param round         the round of the run that started the fork; forks of the same round ran close together
/// @param nanosByWindow wall time per operation of each iteration, at least one
/// @param others        further values of each iteration; a metric that was not measured is missing
public record Fork(int round, List<Double> nanosByWindow, Map<Metric, List<Double>> others) {
    /// Copies the lists.
    public Fork {
        nanosByWindow = List.copyOf(nanosByWindow);
        Map<Metric, List<Double>> copies = new EnumMap<>(Metric.class);
        others.forEach((metric, values) -> {
            if (!values.isEmpty()) {
                copies.put(metric, List.copyOf(values));
            }
        });
        others = Collections.unmodifiableMap(copies);
        if (nanosByWindow.isEmpty()) {
            throw new IllegalArgumentException("Nothing measured: round=" + round);
        }
    }

    /// {@return this fork, moved to a later round}
    ///
    /// @param rounds how many rounds later
    Fork later(int rounds) {
        return new Fork(round + rounds, nanosByWindow, others);
    }

    /// {@return wall time per operation, the median over the iterations}
    public double nanos() {
        return median(nanosByWindow);
    }

    /// {@return wall time per operation of the fastest iteration}
    public double fastest() {
        return nanosByWindow.stream().min(Double::compare).orElseThrow();
    }

    /// {@return wall time per operation of the slowest iteration}
    public double slowest() {
        return nanosByWindow.stream().max(Double::compare).orElseThrow();
    }

    /// {@return the values of a metric in each iteration; empty if it was not measured}
    ///
    /// @param metric the metric
    public List<Double> windows(Metric metric) {
        return others.getOrDefault(metric, List.of());
    }

    /// {@return a further value: the median over the iterations, or the last value if the metric is cumulative; NaN if
    /// it was not measured}
    ///
    /// @param metric the metric
    public double value(Metric metric) {
        List<Double> values = windows(metric);
        return metric.isCumulative() && !values.isEmpty() ? values.getLast() : median(values);
    }

    private static double median(List<Double> values) {
        return Measurement.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
