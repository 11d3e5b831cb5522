package dev.arenakit.bench.replay;

import dev.arenakit.bench.report.Measurement;
import dev.arenakit.bench.report.Metric;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.TextTable;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.interval.Interval;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/// What a replay says about the arenas: a table, and a recommendation.
///
/// Times are processor time, which other programs on the machine hardly change, and without the time of the replay
/// itself, which was measured with an arena that does nothing.
@SuppressWarnings("ReferenceEquality") // Each arena has one measurement.
public final class ReplayReport {
    private static final String NOTHING = "nothing";
    private static final double MIB = 1 << 20;
    private static final double ERROR_RATE = 0.05;
    /// An interval of two values says nothing.
    private static final int LEAST_FORKS = 3;

    private final ReplayProgram program;
    private final Metric time;
    /// The arenas, the fastest first.
    private final List<Measurement> arenas;
    private final Measurement nothing;

    private ReplayReport(ReplayProgram program, List<Measurement> measured, Measurement nothing) {
        this.program = program;
        this.nothing = nothing;
        // JMH's threads and virtual threads, or all threads of the process.
        time = program.hasPlatformThreads() ? Metric.PROCESS_CPU : Metric.CPU;
        arenas = measured.stream()
                .filter(each -> each != nothing)
                .sorted(Comparator.comparingDouble(each -> each.value(time)))
                .toList();
    }

    /// {@return the report of a run; empty if the run has not measured an arena and the arena that does nothing}
    ///
    /// @param program what was replayed
    /// @param results what was measured
    public static Optional<ReplayReport> of(ReplayProgram program, Results results) {
        List<Measurement> measured = results.measurements();
        return measured.stream()
                .filter(each -> each.cell().method().equals(NOTHING) && measured.size() > 1)
                .findFirst()
                .map(nothing -> new ReplayReport(program, measured, nothing));
    }

    /// {@return the table and the recommendation}
    @Override
    public String toString() {
        List<Measurement> complete = arenas.stream().filter(each -> refused(each) == 0).toList();
        if (complete.isEmpty()) {
            return table(arenas.getFirst()) + "Each arena has refused calls: none can be recommended.";
        }
        Measurement fastest = complete.getFirst();
        // The arenas whose times cannot be told from the shortest time.
        List<Measurement> equal = complete.stream()
                .filter(each -> !(Difference.of(each, fastest, time).low > 0))
                .toList();
        Measurement small = Collections.min(equal, Comparator.comparingDouble(this::peak));
        boolean isSmaller = Difference.of(fastest, small, Metric.PEAK).low > 0;
        Measurement taken = isSmaller ? small : fastest;
        Measurement smallest = Collections.min(complete, Comparator.comparingDouble(this::peak));
        String others = equal.stream()
                .filter(each -> each != taken)
                .map(ReplayReport::name)
                .collect(Collectors.joining(", "));
        return table(taken) + "Take " + name(taken) + ": " + number(net(taken)) + " ns an event, and "
                + number(peak(taken) / MIB) + " MiB at the peak"
                + (smallest == taken
                        ? "."
                        : "; " + name(smallest) + " takes " + number(peak(smallest) / MIB) + " MiB.")
                + (taken.forks().size() < LEAST_FORKS
                        ? "\nFewer than " + LEAST_FORKS + " forks show no difference."
                        : others.isEmpty() ? "" : "\nNo difference in time can be shown to " + others + ".")
                + (isSmaller ? "\nIt needs the least memory of these." : "")
                + complete.stream()
                        .filter(each -> !equal.contains(each))
                        .findFirst()
                        .map(next -> "\nThe next one, " + name(next) + ", takes "
                                + Difference.of(next, taken, time).perEvent(program.events()) + " ns more an event.")
                        .orElse("");
    }

    private String table(Measurement taken) {
        TextTable table = new TextTable("arena", ">ns/event", ">more than " + name(taken), ">p99 ns", ">peak MiB",
                ">of the live bytes", ">heap B/event", ">refused");
        for (Measurement arena : arenas) {
            table.add(name(arena), number(net(arena)),
                    arena == taken ? "" : Difference.of(arena, taken, time).perEvent(program.events()),
                    number(arena.value(Metric.P99)), number(peak(arena) / MIB),
                    number(program.peakByteSize() < MIB ? Double.NaN : peak(arena) / program.peakByteSize()),
                    number(Math.max(0, arena.value(Metric.BYTES) - nothing.value(Metric.BYTES)) / program.events()),
                    String.format(Locale.ROOT, "%.0f", refused(arena)));
        }
        return String.format(Locale.ROOT, "%,d events, at most %,d live bytes.%nTimes are processor time, without "
                + "the %s ns an event of the replay itself. Intervals are of 95 %%.%n%n%s%n", program.events(),
                program.peakByteSize(), number(nothing.value(time) / program.events()), table);
    }

    private static String name(Measurement arena) {
        return arena.cell().candidate();
    }

    /// The largest number of refused calls in a run of the program.
    private static double refused(Measurement arena) {
        return arena.forks()
                .stream()
                .flatMap(fork -> fork.values().getOrDefault(Metric.REFUSED, List.of()).stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    private double net(Measurement arena) {
        return (arena.value(time) - nothing.value(time)) / program.events();
    }

    /// The peak without the growth of a JVM whose arena does nothing.
    private double peak(Measurement arena) {
        return Math.max(0, arena.value(Metric.PEAK) - nothing.value(Metric.PEAK));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.2f" : "%.0f", value);
    }

    /// How much more time an arena takes than another one: the median of the differences in rounds of forks that ran
    /// close together, and Student's interval of their mean, extended to the median.
    private record Difference(double median, double low, double high) {
        static Difference of(Measurement arena, Measurement other, Metric time) {
            double[] rounds = IntStream.range(0, Math.min(arena.forks().size(), other.forks().size()))
                    .mapToDouble(round -> arena.forks().get(round).value(time) - other.forks().get(round).value(time))
                    .filter(Double::isFinite)
                    .toArray();
            double median = Median.withDefaults().evaluate(rounds);
            if (rounds.length < LEAST_FORKS) {
                return new Difference(median, Double.NaN, Double.NaN);
            }
            DoubleStatistics all = DoubleStatistics.of(EnumSet.of(Statistic.MEAN, Statistic.VARIANCE), rounds);
            Interval interval = NormalConfidenceInterval.MEAN.fromErrorRate(all.getAsDouble(Statistic.MEAN),
                    all.getAsDouble(Statistic.VARIANCE), rounds.length, ERROR_RATE);
            return new Difference(median, Math.min(interval.getLowerBound(), median),
                    Math.max(interval.getUpperBound(), median));
        }

        String perEvent(long events) {
            return number(median / events) + " [" + number(low / events) + ".." + number(high / events) + "]";
        }
    }
}
