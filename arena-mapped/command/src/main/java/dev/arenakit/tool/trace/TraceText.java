package dev.arenakit.tool.trace;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceState;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/// Prints a summary as aligned text.
record TraceText(Streams streams, TraceSummary summary) {
    private static final String[] UNITS = {"ns", "us", "ms", "s"};

    /// Says in words how a recording has ended.
    static String ending(TraceState state) {
        return switch (state) {
            case RECORDING -> "is being recorded";
            case COMPLETE -> "complete";
            case FULL -> "ended at its limit: later events are missing";
            case FAILED -> "ended by an error: later events are missing";
            case KILLED -> "ended when its process did";
        };
    }

    /// Formats a time in the largest unit in which its number is at least 1: `17 ms`, `1.5 us`.
    static String time(long nanos) {
        double value = nanos;
        int unit = 0;
        while (value >= 1_000 && unit < UNITS.length - 1) {
            value /= 1_000;
            unit++;
        }
        return String.format(Locale.ROOT, value < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }

    /// The lifetime of a cell's class; the largest number for allocations that were live at the end.
    static long column(TraceSummary.Cell cell) {
        return cell.nanos() < 0 ? Long.MAX_VALUE : cell.nanos();
    }

    void print(Path base, AllocationTrace trace, TraceState state) throws IOException {
        streams.print(streams.bold(PrintableText.of(base.toString())) + ", from " + trace.start() + ", "
                + ending(state) + "\n\n");
        print("Time", time(summary.nanos()));
        print("Events", Counts.grouped(summary.events()));
        print("Arenas", Counts.grouped(summary.arenas()) + " opened, " + Counts.grouped(summary.sharedArenas())
                + " of them shared, at most " + Counts.grouped(summary.mostOpenArenas()) + " at a time, "
                + Counts.grouped(summary.openArenas()) + " still open");
        print("Allocations",
                Counts.grouped(summary.allocations()) + " of " + ByteSizes.format(summary.byteSize()) + ", "
                        + Counts.grouped(summary.blocks()) + " of them blocks, "
                        + Counts.of(summary.resizes(), "resize"));
        print("Live", "at most " + ByteSizes.format(summary.peakByteSize()) + " after "
                + time(summary.peakNanos()) + ", " + ByteSizes.format(summary.endByteSize()) + " at the end");
        print("Threads", Counts.grouped(summary.platformThreads()) + " platform, "
                + Counts.grouped(summary.virtualThreads()) + " virtual");
        print("Other threads", Counts.grouped(summary.freedByOthers()) + " allocations were freed by them, "
                + Counts.grouped(summary.outlivingThreads()) + " outlived the last event of their thread");
        streams.print("\n");
        classes("SIZE", TraceSummary.Cell::byteSize, ByteSizes::format);
        classes("LIFETIME", TraceText::column, TraceText::time);
        arenas("ALLOCATIONS", summary.allocationsOfArenas(), Long::toString);
        streams.print("\n");
        arenas("BYTES", summary.byteSizesOfArenas(), ByteSizes::format);
    }

    private void arenas(String title, List<TraceSummary.Group> groups, LongFunction<String> format)
            throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (TraceSummary.Group group : groups) {
            rows.add(new String[]{"from " + format.apply(group.atLeast()), Counts.grouped(group.arenas())});
        }
        new Table(Column.text(title), Column.number("CLOSED ARENAS")).print(streams, rows);
    }

    private void print(String title, String text) throws IOException {
        streams.print(String.format("%-15s%s%n", title, text));
    }

    /// Prints the sums of the cells of each class.
    private void classes(String title, ToLongFunction<TraceSummary.Cell> classOf, LongFunction<String> format)
            throws IOException {
        TreeMap<Long, long[]> sums = new TreeMap<>();
        for (TraceSummary.Cell cell : summary.cells()) {
            long[] sum = sums.computeIfAbsent(classOf.applyAsLong(cell), _ -> new long[2]);
            sum[0] += cell.allocations();
            sum[1] += cell.bytes();
        }
        List<String[]> rows = new ArrayList<>();
        sums.forEach((least, sum) -> rows.add(new String[]{
                least == Long.MAX_VALUE ? "live at the end" : "from " + format.apply(least), Counts.grouped(sum[0]),
                ByteSizes.format(sum[1])}));
        new Table(Column.text(title), Column.number("ALLOCATIONS"), Column.number("BYTES")).print(streams, rows);
        streams.print("\n");
    }
}
