package dev.arenakit.bench.report;

import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Median;

/// The measured values of one cell, fork by fork.
///
/// @param cell  the cell
/// @param jdk   feature version of the JDK that measured, such as 25; 0 if it is unknown
/// @param forks one entry per JVM that was started, at least one; the forks of the same index ran close together
public record Measurement(Cell cell, int jdk, List<Fork> forks) {
    // In most iterations, JMH and its profilers allocate 8 KB, which count as garbage of the operations. Iterations
    // take at least a tenth of a second.
    private static final double LEAST_BYTES = 1;
    private static final double LEAST_BYTES_PER_NANO = 1e-4;

    /// Copies the list.
    public Measurement {
        forks = List.copyOf(forks);
        if (forks.isEmpty()) {
            throw new IllegalArgumentException("Nothing measured: " + cell);
        }
    }

    /// The values of one JVM that measured a cell, iteration by iteration.
    ///
    /// @param values the values of each iteration; a metric that was not measured is missing
    public record Fork(Map<Metric, List<Double>> values) {
        /// Copies the lists.
        public Fork {
            Map<Metric, List<Double>> copies = new EnumMap<>(Metric.class);
            values.forEach((metric, iterations) -> {
                if (!iterations.isEmpty()) {
                    copies.put(metric, List.copyOf(iterations));
                }
            });
            values = Map.copyOf(copies);
            if (!values.containsKey(Metric.TIME)) {
                throw new IllegalArgumentException("Nothing measured: no time");
            }
        }

        /// {@return the median over the iterations, or the last value if the metric is cumulative; NaN if it was not
        /// measured}
        ///
        /// @param metric the metric
        public double value(Metric metric) {
            List<Double> iterations = values.getOrDefault(metric, List.of());
            return metric.isCumulative() && !iterations.isEmpty()
                    ? iterations.getLast()
                    : median(iterations.stream().mapToDouble(Double::doubleValue));
        }
    }

    /// {@return the median over the forks; NaN if the metric was not measured}
    ///
    /// @param metric the metric
    public double value(Metric metric) {
        return median(values(metric));
    }

    /// {@return the values of the forks that have measured a metric}
    ///
    /// @param metric the metric
    DoubleStream values(Metric metric) {
        return forks.stream().mapToDouble(fork -> fork.value(metric)).filter(Double::isFinite);
    }

    /// {@return the least and the largest value of the forks; of the iterations if there is one fork}
    ///
    /// @param metric the metric
    DoubleSummaryStatistics range(Metric metric) {
        return (forks.size() == 1 && !metric.isCumulative()
                ? forks.getFirst().values.getOrDefault(metric, List.of()).stream().mapToDouble(Double::doubleValue)
                : values(metric)).summaryStatistics();
    }

    /// {@return the range of a metric as text}
    ///
    /// @param metric the metric
    String rangeText(Metric metric) {
        DoubleSummaryStatistics range = range(metric);
        return range.getCount() == 0
                ? "-"
                : metric.text(range.getMin()) + ".." + metric.text(range.getMax());
    }

    /// {@return the heap per operation that may be due to JMH itself}
    double leastBytes() {
        return Math.max(LEAST_BYTES, LEAST_BYTES_PER_NANO * value(Metric.TIME));
    }

    /// Returns the middle value, or the mean of the two in the middle; NaN if there is no value.
    static double median(DoubleStream values) {
        return Median.withDefaults().evaluate(values.toArray());
    }
}
