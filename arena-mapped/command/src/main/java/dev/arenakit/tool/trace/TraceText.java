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
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// Prints a summary as aligned text.
final class TraceText {
    private final Streams streams;
    private final TraceSummary summary;

    TraceText(Streams streams, TraceSummary summary) {
        this.streams = streams;
        this.summary = summary;
    }

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

    void print(Path base, AllocationTrace trace, TraceState state) throws IOException {
        streams.print(streams.bold(PrintableText.of(base.toString())) + ", from " + trace.start() + ", "
                + ending(state) + "\n\n");
        print("Time", Nanos.format(summary.nanos()));
        print("Events", Counts.grouped(summary.events()));
        print("Arenas", Counts.grouped(summary.arenas()) + " opened, " + Counts.grouped(summary.sharedArenas())
                + " of them shared, at most " + Counts.grouped(summary.mostOpenArenas()) + " at a time, "
                + Counts.grouped(summary.openArenas()) + " still open");
        print("Allocations",
                Counts.grouped(summary.allocations()) + " of " + ByteSizes.format(summary.byteSize()) + ", "
                        + Counts.grouped(summary.blocks()) + " of them blocks, "
                        + Counts.of(summary.resizes(), "resize"));
        print("Live", "at most " + ByteSizes.format(summary.peakByteSize()) + " after "
                + Nanos.format(summary.peakNanos()) + ", " + ByteSizes.format(summary.endByteSize()) + " at the end");
        print("Threads", Counts.grouped(summary.platformThreads()) + " platform, "
                + Counts.grouped(summary.virtualThreads()) + " virtual");
        print("Other threads", Counts.grouped(summary.freedByOthers()) + " allocations were freed by them, "
                + Counts.grouped(summary.outlivingThreads()) + " outlived the last event of their thread");
        streams.print("\n");
        classes("SIZE", TraceSummary.Cell::byteSize, true);
        classes("LIFETIME", cell -> cell.nanos() < 0 ? Long.MAX_VALUE : cell.nanos(), false);
        List<String[]> rows = new ArrayList<>();
        for (TraceSummary.Group group : summary.allocationsOfArenas()) {
            rows.add(new String[]{"from " + group.atLeast(), Counts.grouped(group.arenas())});
        }
        table(new Table(Column.text("ALLOCATIONS"), Column.number("CLOSED ARENAS")), rows);
    }

    private void print(String title, String text) throws IOException {
        streams.print(String.format("%-15s%s%n", title, text));
    }

    /// Prints the sums of the cells of each class.
    private void classes(String title, ToLongFunction<TraceSummary.Cell> classOf, boolean isSize) throws IOException {
        TreeMap<Long, long[]> sums = new TreeMap<>();
        for (TraceSummary.Cell cell : summary.cells()) {
            long[] sum = sums.computeIfAbsent(classOf.applyAsLong(cell), _ -> new long[2]);
            sum[0] += cell.allocations();
            sum[1] += cell.bytes();
        }
        List<String[]> rows = new ArrayList<>();
        sums.forEach((smallest, sum) -> rows.add(new String[]{isSize
                ? "from " + ByteSizes.format(smallest)
                : Nanos.lifetime(smallest == Long.MAX_VALUE ? -1 : smallest), Counts.grouped(sum[0]),
                ByteSizes.format(sum[1])}));
        table(new Table(Column.text(title), Column.number("ALLOCATIONS"), Column.number("BYTES")), rows);
    }

    private void table(Table table, List<String[]> rows) throws IOException {
        rows.forEach(table::measure);
        table.printTitles(streams);
        for (String[] row : rows) {
            table.print(streams, row);
        }
        streams.print("\n");
    }
}
