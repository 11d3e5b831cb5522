package dev.arenakit.bench.report;

import java.util.List;

/// The values of one JVM that measured a cell, iteration by iteration.
///
/// @param round           the round of the run in which it was started; forks of the same round ran close together
/// @param nanosByWindow   wall time per operation of each iteration, at least one
/// @param cpuNanosByWindow CPU time of the benchmark's threads per operation of each iteration; empty if it was not
///        measured
/// @param bytesByWindow   heap allocated per operation of each iteration; empty if it was not measured
public record Fork(int round, List<Double> nanosByWindow, List<Double> cpuNanosByWindow, List<Double> bytesByWindow) {
    /// Copies the lists.
    public Fork {
        nanosByWindow = List.copyOf(nanosByWindow);
        cpuNanosByWindow = List.copyOf(cpuNanosByWindow);
        bytesByWindow = List.copyOf(bytesByWindow);
        if (nanosByWindow.isEmpty()) {
            throw new IllegalArgumentException("Nothing measured: round=" + round);
        }
    }

    /// {@return the same fork as one of a later round}
    ///
    /// @param rounds how many rounds later
    Fork later(int rounds) {
        return new Fork(round + rounds, nanosByWindow, cpuNanosByWindow, bytesByWindow);
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

    /// {@return CPU time per operation, the median over the iterations; NaN if it was not measured}
    public double cpuNanos() {
        return median(cpuNanosByWindow);
    }

    /// {@return heap allocated per operation, the median over the iterations; NaN if it was not measured}
    public double bytes() {
        return median(bytesByWindow);
    }

    private static double median(List<Double> values) {
        return Measurement.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
