package dev.arenakit.bench.report;

import java.util.Locale;
import java.util.Optional;

/// What is asked of a contestant.
///
/// @param cell          the contestant, and where
/// @param opponent      what it is compared with
/// @param timesFaster   how many times faster it has to be, NaN where it is only to be measured
/// @param garbageFree   whether an operation may leave no garbage on the heap
public record Target(Cell cell, Cell opponent, double timesFaster, boolean garbageFree) {
    // The profiler's own objects show as a fraction of a byte per operation; a real one is at least 16.
    private static final double GARBAGE = 1;

    /// Compares the targets with what was measured.
    ///
    /// @param targets what is asked
    /// @param results what was measured
    /// @return a table with one row per target
    public static String table(Iterable<Target> targets, Results results) {
        TextTable table = new TextTable("question", "params", "contestant", "against", ">target", ">measured",
                ">by CPU time", ">B/op", "verdict");
        for (Target target : targets) {
            Cell cell = target.cell;
            Optional<Measurement> own = results.find(cell);
            Optional<Measurement> other = results.find(target.opponent);
            boolean measured = own.isPresent() && other.isPresent();
            table.add(Labels.question(cell.question()), Labels.params(cell.conditions()),
                    cell.contestant(), against(cell, target.opponent),
                    Double.isNaN(target.timesFaster) ? "-" : Labels.times(target.timesFaster),
                    measured ? Labels.ratio(own.get().timesFasterThan(other.get())) : "-",
                    measured ? Labels.ratio(own.get().timesLessCpuThan(other.get())) : "-",
                    own.map(measurement -> Labels.heapBytes(measurement.bytes())).orElse("-"),
                    measured ? target.verdict(own.get(), other.get()) : "not measured");
        }
        return table.toString();
    }

    /// What differs from the contestant's own cell.
    private static String against(Cell cell, Cell opponent) {
        return cell.isComparableWith(opponent)
                ? opponent.contestant()
                : opponent.contestant() + ", " + Labels.question(opponent.question());
    }

    private String verdict(Measurement own, Measurement other) {
        double reached = own.timesFasterThan(other) / timesFaster;
        String speed = Double.isNaN(timesFaster)
                ? "measured"
                : reached >= 1 ? "met" : String.format(Locale.ROOT, "missed by %.0f %%", 100 * (1 - reached));
        return garbageFree && !(own.bytes() < GARBAGE) ? speed + ", leaves garbage" : speed;
    }
}
