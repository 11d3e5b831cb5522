package dev.arenakit.bench.report;

import java.util.EnumSet;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.interval.Interval;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/// How many times faster a candidate is than its baseline, with an interval of 95 %.
///
/// Forks of the same round ran close together, so each round has a ratio of its own, in which the load of the machine
/// at that time cancels out. The estimate is the median of these ratios, and the interval is Student's, of the mean of
/// their logarithms, extended to the median where that is outside. With fewer than three common rounds, there is no
/// interval.
///
/// @param estimate above 1 if the candidate is faster; NaN if the times were not measured
/// @param low      lower end of the interval; NaN if there are too few values for one
/// @param high     upper end of the interval
public record Ratio(double estimate, double low, double high) {
    /// The unknown ratio.
    static final Ratio UNKNOWN = new Ratio(Double.NaN, Double.NaN, Double.NaN);

    private static final double ERROR_RATE = 0.05;

    /// {@return how many times less of a metric a candidate takes than its baseline}
    ///
    /// @param candidate the measurement of the candidate
    /// @param baseline  the measurement of the baseline
    /// @param metric    the metric, a time
    public static Ratio of(Measurement candidate, Measurement baseline, Metric metric) {
        double[] rounds = IntStream.range(0, Math.min(candidate.forks().size(), baseline.forks().size()))
                .mapToDouble(round -> Math.log(
                        baseline.forks().get(round).value(metric) / candidate.forks().get(round).value(metric)))
                .filter(Double::isFinite)
                .toArray();
        double median = Measurement.median(DoubleStream.of(rounds));
        if (rounds.length < Confidence.LEAST_FORKS) {
            return new Ratio(Math.exp(median), Double.NaN, Double.NaN);
        }
        DoubleStatistics logarithms = statistics(rounds);
        Interval interval = NormalConfidenceInterval.MEAN.fromErrorRate(logarithms.getAsDouble(Statistic.MEAN),
                logarithms.getAsDouble(Statistic.VARIANCE), rounds.length, ERROR_RATE);
        return of(median, interval.getLowerBound(), interval.getUpperBound());
    }

    /// {@return the ratio of the medians of two samples whose values did not run side by side, with Welch's interval of
    /// the means of the logarithms}
    ///
    /// @param values   the values
    /// @param divisors the values to divide by
    static Ratio of(DoubleStream values, DoubleStream divisors) {
        double[] above = values.map(Math::log).filter(Double::isFinite).toArray();
        double[] below = divisors.map(Math::log).filter(Double::isFinite).toArray();
        double median = Measurement.median(DoubleStream.of(above)) - Measurement.median(DoubleStream.of(below));
        if (above.length < Confidence.LEAST_FORKS || below.length < Confidence.LEAST_FORKS) {
            return new Ratio(Math.exp(median), Double.NaN, Double.NaN);
        }
        DoubleStatistics one = statistics(above);
        DoubleStatistics other = statistics(below);
        double ofOne = one.getAsDouble(Statistic.VARIANCE) / above.length;
        double ofOther = other.getAsDouble(Statistic.VARIANCE) / below.length;
        double both = ofOne + ofOther;
        // For equal values, any number of degrees of freedom will do.
        double degrees = both == 0
                ? 1
                : both * both / (ofOne * ofOne / (above.length - 1) + ofOther * ofOther / (below.length - 1));
        double margin = TDistribution.of(degrees).inverseSurvivalProbability(ERROR_RATE / 2) * Math.sqrt(both);
        double mean = one.getAsDouble(Statistic.MEAN) - other.getAsDouble(Statistic.MEAN);
        return of(median, mean - margin, mean + margin);
    }

    private static DoubleStatistics statistics(double... values) {
        return DoubleStatistics.of(EnumSet.of(Statistic.MEAN, Statistic.VARIANCE), values);
    }

    private static Ratio of(double median, double low, double high) {
        return new Ratio(Math.exp(median), Math.exp(Math.min(low, median)), Math.exp(Math.max(high, median)));
    }

    /// {@return whether a ratio is within the interval}
    ///
    /// @param ratio a ratio
    boolean contains(double ratio) {
        return low <= ratio && ratio <= high;
    }

    /// {@return the ratio as a number of times faster or slower, and the interval in the same sense; `-` if unknown}
    @Override
    public String toString() {
        String interval = Double.isNaN(low)
                ? ""
                : estimate < 1
                        ? " [" + ReportFormat.number(1 / high) + ".." + ReportFormat.number(1 / low) + "]"
                        : " [" + ReportFormat.number(low) + ".." + ReportFormat.number(high) + "]";
        return text() + interval;
    }

    /// {@return the ratio as a number of times faster or slower; `-` if unknown}
    String text() {
        return ReportFormat.speed(estimate);
    }
}
