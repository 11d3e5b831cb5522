package dev.arenakit.examples.zip;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/// Measures the same work of two candidates in one process. The candidates take turns, so that other load on the
/// machine affects both.
final class PairedTimes {
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 15;

    private final PrintStream out;
    private final long roundNanos;
    /// What the work returned, so that the compiler cannot leave it out.
    private long sum;

    /// Work of a candidate, which contains the loop over its operations: a loop outside would call many candidates from
    /// one place, and the compiler could not inline them.
    interface Work {
        long run() throws IOException;
    }

    /// Prepares measurements.
    ///
    /// @param roundNanos how long a candidate runs in each of the rounds
    PairedTimes(PrintStream out, long roundNanos) {
        this.out = out;
        this.roundNanos = roundNanos;
    }

    /// Prints the head of the table.
    void printHead() {
        out.print("| ns/op | ZipFile | ZipIndex | ratio |\n|---|---|---|---|\n");
    }

    /// Measures two candidates and prints a line: medians, the fastest and the slowest round.
    ///
    /// @param operations how many operations one run of the work has
    void compare(String what, int operations, Work zipFile, Work zipIndex) throws IOException {
        double[] ofFile = new double[ROUNDS];
        double[] ofIndex = new double[ROUNDS];
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            double file = time(zipFile) / operations;
            double index = time(zipIndex) / operations;
            if (round >= 0) {
                ofFile[round] = file;
                ofIndex[round] = index;
            }
        }
        Arrays.sort(ofFile);
        Arrays.sort(ofIndex);
        double ratio = ofIndex[ROUNDS / 2] / ofFile[ROUNDS / 2];
        out.printf(Locale.ROOT, "| %s | %s | %s | %.2f |%n", what, text(ofFile), text(ofIndex), ratio);
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

    /// {@return the sum of what all work returned}
    @Override
    public String toString() {
        return Long.toString(sum);
    }
}
