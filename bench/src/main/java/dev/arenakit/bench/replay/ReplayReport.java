package dev.arenakit.bench.replay;

import dev.arenakit.bench.report.Measurement;
import dev.arenakit.bench.report.Metric;
import dev.arenakit.bench.report.Ratio;
import dev.arenakit.bench.report.Results;
import dev.arenakit.bench.report.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a replay says about the arenas: a table, and a recommendation.
///
/// The time of an event is without the time of the replay itself, which was measured with an arena that does nothing.
public final class ReplayReport {
    private static final String NOTHING = "nothing";
    private static final double MIB = 1 << 20;

    private final ReplayProgram program;
    private final List<Measurement> arenas;
    private final Measurement nothing;

    private ReplayReport(ReplayProgram program, List<Measurement> arenas, Measurement nothing) {
        this.program = program;
        this.arenas = arenas;
        this.nothing = nothing;
    }

    /// {@return the report of a run; empty if the run has not measured an arena and the arena that does nothing}
    ///
    /// @param program what was replayed
    /// @param results what was measured
    public static Optional<ReplayReport> of(ReplayProgram program, Results results) {
        List<Measurement> arenas = results.measurements()
                .stream()
                .filter(each -> !each.cell().method().equals(NOTHING))
                .sorted(Comparator.comparingDouble(each -> each.value(Metric.TIME)))
                .toList();
        return arenas.isEmpty()
                ? Optional.empty()
                : results.measurements()
                        .stream()
                        .filter(each -> each.cell().method().equals(NOTHING))
                        .findFirst()
                        .map(nothing -> new ReplayReport(program, arenas, nothing));
    }

    /// {@return the table and the recommendation}
    @Override
    public String toString() {
        TextTable table = new TextTable("arena", ">ns/event", ">range", ">p99 ns", ">peak MiB", ">of the live bytes",
                ">heap B/event", ">refused");
        for (Measurement arena : arenas) {
            double peak = peak(arena);
            List<Double> forks = arena.forks().stream().map(fork -> net(fork.value(Metric.TIME))).sorted().toList();
            table.add(arena.cell().candidate(), number(net(arena.value(Metric.TIME))),
                    number(forks.getFirst()) + ".." + number(forks.getLast()), number(arena.value(Metric.P99)),
                    number(peak / MIB), number(peak / Math.max(1, program.peakByteSize())),
                    number(Math.max(0, arena.value(Metric.BYTES) - nothing.value(Metric.BYTES)) / program.events()),
                    String.format(Locale.ROOT, "%.0f", arena.value(Metric.REFUSED)));
        }
        return String.format(Locale.ROOT,
                "%,d events; the live bytes were at most %s MiB; the replay itself took %s ns "
                        + "an event, which are not in the times.%n%n%s%n%s%n",
                program.events(), number(program.peakByteSize()
                        / MIB),
                number(nothing.value(Metric.TIME) / program.events()), table, recommendation());
    }

    private double net(double time) {
        return (time - nothing.value(Metric.TIME)) / program.events();
    }

    /// The peak without the growth of a JVM whose arena does nothing.
    private double peak(Measurement arena) {
        return Math.max(0, arena.value(Metric.PEAK) - nothing.value(Metric.PEAK));
    }

    /// The fastest arena that refuses nothing, and the arenas whose difference to it cannot be shown.
    private String recommendation() {
        List<Measurement> complete = arenas.stream().filter(each -> each.value(Metric.REFUSED) == 0).toList();
        if (complete.isEmpty()) {
            return "Each arena has refused calls: none can be recommended.";
        }
        Measurement first = complete.getFirst();
        List<String> equal = new ArrayList<>();
        String next = "";
        for (Measurement other : complete.subList(1, complete.size())) {
            Ratio ratio = Ratio.of(first, other, Metric.TIME);
            if (!(ratio.low() > 1)) {
                equal.add(other.cell().candidate());
            } else if (next.isEmpty()) {
                next = " The next one, " + other.cell().candidate() + ", takes " + ratio
                        + " of its time with the replay included.";
            }
        }
        return "Take " + first.cell().candidate() + ": " + number(net(first.value(Metric.TIME))) + " ns an event, and "
                + number(peak(first) / MIB) + " MiB at the peak."
                + (equal.isEmpty()
                        ? ""
                        : " No difference in time can be shown to " + String.join(", ", equal)
                                + ": memory may decide.")
                + next;
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.2f" : "%.0f", value);
    }
}
