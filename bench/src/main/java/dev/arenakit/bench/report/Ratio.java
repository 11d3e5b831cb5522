package dev.arenakit.bench.report;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// How many times faster a candidate is than its baseline, with an interval of 95 %.
///
/// Forks of the same round ran close together, so each round has a ratio of its own, in which the load of the machine
/// at that time cancels out. The estimate is a robust mean of the logarithms of these ratios, and the interval is from
/// a bootstrap over the rounds. With equal candidates the estimate is 1 on average, at any number of forks.
///
/// The interval covers the true ratio in some 95 % of cases with ten forks, and in 93 % with five. With two to four
/// forks it is Student's interval, which is wide, and right for noise that is normally distributed. If both have a
/// single fork, the interval is from their iterations: it covers the noise inside the two processes alone, and another
/// fork may well lie outside. Measurements with fewer than two common rounds, as in joined runs, are compared by all
/// their forks; the load of the machine then does not cancel out.
///
/// @param estimate above 1 if the candidate is faster; NaN if the times were not measured
/// @param low      lower end of the interval; NaN if there are too few values for one
/// @param high     upper end of the interval
public record Ratio(double estimate, double low, double high) {
    /// The unknown ratio.
    static final Ratio UNKNOWN = new Ratio(Double.NaN, Double.NaN, Double.NaN);

    // A ratio with a wider interval is uncertain even if it is clear which candidate is faster.
    private static final double WIDE = 1.3;

    static Ratio of(Measurement baseline, Measurement candidate, ToDoubleFunction<Fork> time,
            Function<Fork, List<Double>> windows) {
        double[] rounds = candidate.forks()
                .stream()
                .flatMap(own -> baseline.forks()
                        .stream()
                        .filter(other -> other.round() == own.round())
                        .map(other -> Math.log(time.applyAsDouble(other) / time.applyAsDouble(own))))
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .toArray();
        if (rounds.length > 1) {
            return exp(Resampling.location(rounds));
        }
        return baseline.forks().size() == 1 && candidate.forks().size() == 1
                ? unpaired(windows.apply(baseline.forks().getFirst()), windows.apply(candidate.forks().getFirst()))
                : unpaired(times(baseline, time), times(candidate, time));
    }

    private static List<Double> times(Measurement measurement, ToDoubleFunction<Fork> time) {
        return measurement.forks().stream().map(time::applyAsDouble).toList();
    }

    /// Compares measurements without a common round.
    static Ratio unpaired(List<Double> baseline, List<Double> candidate) {
        double[] others = logarithms(baseline);
        double[] own = logarithms(candidate);
        return others.length == 0 || own.length == 0 ? UNKNOWN : exp(Resampling.shift(own, others));
    }

    private static double[] logarithms(List<Double> times) {
        return times.stream().mapToDouble(Math::log).filter(Double::isFinite).toArray();
    }

    private static Ratio exp(double[] logarithms) {
        return new Ratio(Math.exp(logarithms[0]), Math.exp(logarithms[1]), Math.exp(logarithms[2]));
    }

    /// {@return whether it is open which candidate is faster, or by how much: the interval contains 1, is wide, or is
    /// unknown}
    public boolean isUncertain() {
        return contains(1) || !(high / low <= WIDE);
    }

    /// {@return whether a ratio is within the interval}
    ///
    /// @param ratio a ratio
    public boolean contains(double ratio) {
        return low <= ratio && ratio <= high;
    }

    /// {@return the ratio as a number of times faster or slower, and the interval in the same sense; `-` if unknown}
    @Override
    public String toString() {
        if (Double.isNaN(estimate)) {
            return "-";
        }
        String interval = Double.isNaN(low)
                ? ""
                : estimate < 1
                        ? " [" + ReportFormat.number(1 / high) + ".." + ReportFormat.number(1 / low) + "]"
                        : " [" + ReportFormat.number(low) + ".." + ReportFormat.number(high) + "]";
        return text() + interval;
    }

    /// {@return the ratio as a number of times faster or slower; `-` if unknown}
    public String text() {
        return ReportFormat.speed(estimate);
    }
}
