package dev.arenakit.bench.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/// Robust estimates of a location or of a shift, with bootstrap intervals of 95 %.
///
/// Resamples of fewer than five values never leave the range of the values, which is too narrow. For so few values, the
/// interval is Student's, or Welch's for a shift, which assume normally distributed values.
///
/// A location is estimated by Hodges and Lehmann: the median of the means of all pairs of values, each value paired
/// with itself too. A shift between two samples is the median of all differences. Both tolerate outliers, and are
/// nearly as efficient as the mean for normally distributed values.
final class Resampling {
    /* Each estimate is the median of values that are made of a pair of measured values. A resample draws measured
     * values with replacement, so it only changes how often each pair counts: the pairs are sorted once, and each
     * resample looks for the pair at which half of the weight is reached. */

    private static final int RESAMPLES = 2_000;

    // Any seed will do. A fixed seed gives the same figures whenever a report is written from the same results.
    private static final long SEED = 0x5eed;

    private static final double CONFIDENCE = 0.95;

    // With fewer values, the range of all contains the location in 87 % of the cases or less.
    private static final int MIN_RESAMPLED = 5;

    // With three values, a single outlier takes part in three of the six pairs, and their median follows it.
    private static final int MIN_PAIRED = 4;

    // Whether both values of a pair are from the same sample.
    private final boolean oneSample;
    private final double[] values;
    private final int[] first;
    private final int[] second;

    private Resampling(boolean oneSample, Stream<double[]> pairs) {
        this.oneSample = oneSample;
        double[][] sorted = pairs.sorted(Comparator.comparingDouble(pair -> pair[0])).toArray(double[][]::new);
        values = Arrays.stream(sorted).mapToDouble(pair -> pair[0]).toArray();
        first = Arrays.stream(sorted).mapToInt(pair -> (int) pair[1]).toArray();
        second = Arrays.stream(sorted).mapToInt(pair -> (int) pair[2]).toArray();
    }

    /// Estimates the location of a sample, by the median of fewer than four values.
    ///
    /// @return estimate, lower and upper end of the interval; NaN for the ends if there is one value
    static double[] location(double... sample) {
        int size = sample.length;
        if (size > 1 && size < MIN_RESAMPLED) {
            return student(sample);
        }
        Resampling pairs = means(sample);
        SplittableRandom random = new SplittableRandom(SEED);
        return pairs.interval(size, once(size), once(size), () -> {
            int[] counts = draw(random, size);
            return pairs.median(counts, counts);
        });
    }

    private static double[] student(double[] sample) {
        double margin = quantile(sample.length - 1) * Math.sqrt(StatUtils.variance(sample) / sample.length);
        double mean = StatUtils.mean(sample);
        return new double[]{locationOf(sample), mean - margin, mean + margin};
    }

    private static double[] welch(double[] from, double[] to) {
        double ofFrom = StatUtils.variance(from) / from.length;
        double ofTo = StatUtils.variance(to) / to.length;
        double both = ofFrom + ofTo;
        // The degrees of freedom are between those of the smaller sample and the sum of both. For equal values, any
        // number will do.
        double degrees = both == 0
                ? 1
                : both * both / (ofFrom * ofFrom / (from.length - 1) + ofTo * ofTo / (to.length - 1));
        double margin = quantile(degrees) * Math.sqrt(both);
        double mean = StatUtils.mean(to) - StatUtils.mean(from);
        return new double[]{shiftOf(from, to), mean - margin, mean + margin};
    }

    private static double quantile(double degreesOfFreedom) {
        return new TDistribution(degreesOfFreedom).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    }

    /// Returns the estimate of the location alone, which takes a fraction of the time.
    static double locationOf(double... sample) {
        return means(sample).median(once(sample.length), once(sample.length));
    }

    private static Resampling means(double[] sample) {
        int size = sample.length;
        return new Resampling(true, IntStream.range(0, size)
                .boxed()
                .flatMap(i -> IntStream.range(i, size < MIN_PAIRED ? i + 1 : size)
                        .mapToObj(j -> new double[]{(sample[i] + sample[j]) / 2, i, j})));
    }

    /// Estimates how much larger the values of a sample are than the values of another sample.
    ///
    /// @return estimate, lower and upper end of the interval; NaN for the ends if a sample has one value
    static double[] shift(double[] from, double[] to) {
        int least = Math.min(from.length, to.length);
        if (least > 1 && least < MIN_RESAMPLED) {
            return welch(from, to);
        }
        Resampling pairs = differences(from, to);
        SplittableRandom random = new SplittableRandom(SEED);
        return pairs.interval(least, once(from.length), once(to.length),
                () -> pairs.median(draw(random, from.length), draw(random, to.length)));
    }

    /// Returns the estimate of the shift alone, which takes a fraction of the time.
    static double shiftOf(double[] from, double[] to) {
        return differences(from, to).median(once(from.length), once(to.length));
    }

    private static Resampling differences(double[] from, double[] to) {
        return new Resampling(false, IntStream.range(0, from.length)
                .boxed()
                .flatMap(i -> IntStream.range(0, to.length).mapToObj(j -> new double[]{to[j] - from[i], i, j})));
    }

    private double[] interval(int size, int[] counts, int[] others, DoubleSupplier resample) {
        double estimate = median(counts, others);
        if (size < 2) {
            return new double[]{estimate, Double.NaN, Double.NaN};
        }
        double[] estimates = DoubleStream.generate(resample).limit(RESAMPLES).sorted().toArray();
        int cut = (int) (tail(size) * RESAMPLES);
        return new double[]{estimate, estimates[cut], estimates[RESAMPLES - 1 - cut]};
    }

    /// Returns the part of the resamples that is left out at either end. Resamples of few values spread less than the
    /// values themselves, so less is left out than the 2.5 % that are right for many.
    private static double tail(int size) {
        return new NormalDistribution().cumulativeProbability(-quantile(size - 1) * Math.sqrt(size / (size - 1.0)));
    }

    /// Returns the median of the pairs, each of which counts as often as its two values occur together.
    private double median(int[] counts, int[] others) {
        long total = 0;
        for (int pair = 0; pair < values.length; pair++) {
            total += weight(pair, counts, others);
        }
        long reached = 0;
        double below = Double.NaN;
        for (int pair = 0; pair < values.length; pair++) {
            reached += weight(pair, counts, others);
            if (2 * reached > total) {
                return Double.isNaN(below) ? values[pair] : (below + values[pair]) / 2;
            }
            if (2 * reached == total && Double.isNaN(below)) {
                below = values[pair];
            }
        }
        return Double.NaN;
    }

    private long weight(int pair, int[] counts, int[] others) {
        long count = counts[first[pair]];
        return oneSample && first[pair] == second[pair]
                ? count * (count + 1) / 2
                : count * others[second[pair]];
    }

    private static int[] draw(SplittableRandom random, int size) {
        int[] counts = new int[size];
        for (int i = 0; i < size; i++) {
            counts[random.nextInt(size)]++;
        }
        return counts;
    }

    private static int[] once(int size) {
        int[] counts = new int[size];
        Arrays.fill(counts, 1);
        return counts;
    }
}
