package dev.arenakit.examples.zip;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/// Measures the same work of two candidates in one process. The candidates take turns, so that other load on the
/// machine affects both.
public final class PairedTimes {
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 15;

    private final PrintStream out;
    private final long roundNanos;
    /// The sum of the results of all work, so that the compiler cannot remove the work.
    private long sum;

    /// Work of a candidate. It contains the loop over its operations, since a loop outside would call many candidates
    /// from one place, and the compiler could not inline them.
    public interface Work {
        /// Runs the work.
        ///
        /// @return any number that depends on the work
        /// @throws IOException if the work fails
        long run() throws IOException;
    }

    /// Prepares measurements.
    ///
    /// @param out        receives the table
    /// @param roundNanos the shortest time that a candidate runs in a round
    public PairedTimes(PrintStream out, long roundNanos) {
        this.out = out;
        this.roundNanos = roundNanos;
    }

    /// Prints the head of the table.
    ///
    /// @param first  the name of the first candidate
    /// @param second the name of the second candidate
    public void printHead(String first, String second) {
        out.printf("| ns/op | %s | %s | ratio |%n|---|---|---|---|%n", first, second);
    }

    /// Measures two candidates and prints a line: medians, the fastest and the slowest round.
    ///
    /// @param what       the work, for the first column
    /// @param operations the number of operations in a run of the work
    /// @param first      the work of the first candidate
    /// @param second     the same work of the second candidate
    /// @throws IOException if the work fails
    public void compare(String what, int operations, Work first, Work second) throws IOException {
        double[] ofFirst = new double[ROUNDS];
        double[] ofSecond = new double[ROUNDS];
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            double nanosOfFirst = time(first) / operations;
            double nanosOfSecond = time(second) / operations;
            if (round >= 0) {
                ofFirst[round] = nanosOfFirst;
                ofSecond[round] = nanosOfSecond;
            }
        }
        Arrays.sort(ofFirst);
        Arrays.sort(ofSecond);
        double ratio = ofSecond[ROUNDS / 2] / ofFirst[ROUNDS / 2];
        out.printf(Locale.ROOT, "| %s | %s | %s | %.2f |%n", what, text(ofFirst), text(ofSecond), ratio);
    }

    private static String text(double[] sorted) {
        return number(sorted[ROUNDS / 2]) + " (" + number(sorted[0]) + ".." + number(sorted[ROUNDS - 1]) + ")";
    }

    private static String number(double nanos) {
        return String.format(Locale.ROOT, nanos < 100 ? "%,.1f" : "%,.0f", nanos);
    }

    private double time(Work work) throws IOException {
        long begin = System.nanoTime();
        long end;
        int runs = 0;
        do {
            sum += work.run();
            runs++;
            end = System.nanoTime();
        } while (end - begin < roundNanos);
        return (double) (end - begin) / runs;
    }

    /// {@return the sum of the results of all work}
    @Override
    public String toString() {
        return Long.toString(sum);
    }
}
