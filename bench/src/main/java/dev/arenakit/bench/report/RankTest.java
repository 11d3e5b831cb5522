package dev.arenakit.bench.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.inference.MannWhitneyUTest;

/// The test of Mann and Whitney, and the correction of Benjamini and Hochberg for many tests.
final class RankTest {
    /// The fewest values of each sample with which two samples can differ significantly at 5 %.
    static final int MIN_VALUES = 4;

    // With more values, the normal approximation of commons-math is as good, and counting takes long.
    private static final int MAX_EXACT = 80;

    private RankTest() {}

    /// Returns the probability that two samples of the same distribution differ as much as these or more.
    ///
    /// It is exact up to a total of 80 values, also with equal values: the share of all ways to deal the values to two
    /// samples whose sums of ranks are as far apart.
    static double pValue(double[] some, double[] others) {
        if (some.length + others.length > MAX_EXACT) {
            return new MannWhitneyUTest().mannWhitneyUTest(some, others);
        }
        int[] ranks = doubledRanks(DoubleStream.concat(Arrays.stream(some), Arrays.stream(others)).toArray());
        int observed = Arrays.stream(ranks, 0, some.length).sum();
        // Number of ways to choose some of the ranks, by the number of chosen ranks and by their sum.
        double[][] ways = new double[some.length + 1][IntStream.of(ranks).sum() + 1];
        ways[0][0] = 1;
        for (int rank : ranks) {
            for (int chosen = some.length; chosen > 0; chosen--) {
                for (int sum = ways[chosen].length - 1; sum >= rank; sum--) {
                    ways[chosen][sum] += ways[chosen - 1][sum - rank];
                }
            }
        }
        double[] sums = ways[some.length];
        int expected = some.length * (ranks.length + 1);
        double asFar = IntStream.range(0, sums.length)
                .filter(sum -> Math.abs(sum - expected) >= Math.abs(observed - expected))
                .mapToDouble(sum -> sums[sum])
                .sum();
        return asFar / DoubleStream.of(sums).sum();
    }

    /// Returns twice the rank of each value. Equal values have the mean of their ranks, and twice a mean is an integer.
    private static int[] doubledRanks(double[] values) {
        return DoubleStream.of(values)
                .mapToInt(value -> 1 + DoubleStream.of(values)
                        .mapToInt(other -> other < value ? 2 : other == value ? 1 : 0)
                        .sum())
                .toArray();
    }

    /// Corrects the results of several tests: among the tests whose corrected value is at most 5 %, at most 5 % are
    /// expected to be due to chance.
    ///
    /// @return the corrected values, in the order of the argument
    static double[] corrected(List<Double> pValues) {
        int size = pValues.size();
        double[] corrected = new double[size];
        double least = 1;
        List<Integer> descending = IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparing((Integer test) -> pValues.get(test)).reversed())
                .toList();
        for (int i = 0; i < size; i++) {
            least = Math.min(least, pValues.get(descending.get(i)) * size / (size - i));
            corrected[descending.get(i)] = least;
        }
        return corrected;
    }

    /// Returns the fewest values of each sample with which a single difference among many tests can be found.
    static int enough(int tests, double level) {
        int size = MIN_VALUES;
        double ways = 70;
        while (2 / ways > level / tests) {
            size++;
            ways = ways * (2 * size) * (2 * size - 1) / ((double) size * size);
        }
        return size;
    }
}
