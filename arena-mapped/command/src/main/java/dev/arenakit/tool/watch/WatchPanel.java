package dev.arenakit.tool.watch;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Durations;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.console.Times;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Prints the figures on a terminal, in place of the previous figures.
final class WatchPanel implements WatchView {
    /// The number of lines above the allocations, with an empty line and the titles.
    private static final int HEADING_LINES = 6;
    private static final int MAX_ALLOCATIONS = 15;

    private final Streams streams;
    private final Path base;
    private final Times times = new Times();
    private final WatchScreen screen;

    WatchPanel(Streams streams, Path base) {
        this.streams = streams;
        this.base = base;
        screen = new WatchScreen(streams);
    }

    @Override
    public int topCount() {
        // The cursor needs one line.
        return Math.clamp(streams.terminal().height().getAsInt() - HEADING_LINES - 1L, 0, MAX_ALLOCATIONS);
    }

    @Override
    public void show(WatchFigures now, WatchFigures before) throws IOException {
        int width = streams.width().getAsInt();
        screen.show(lines(now, before, width), width);
    }

    @Override
    public void end(WatchFigures last, WatchView.End end) throws IOException {
        streams.print(end.describe(last) + "\n");
    }

    private List<String> lines(WatchFigures now, WatchFigures before, int width) throws IOException {
        boolean isFirst = now.isFirst(before);
        List<String> lines = new ArrayList<>();
        lines.add("%s: %s, process %d for %s; %s".formatted(base, now.state(), now.pid(),
                Durations.format(Duration.between(now.opened(), Instant.now())), times.format(Instant.now())));
        Table figures = new Table(Column.text(""), Column.number(""), Column.number(""));
        List<String[]> rows = List.of(
                row("allocations", Counts.grouped(now.count()), isFirst, WatchView
                        .countPerSecond(now.rate(before, now.made() - before.made()))),
                row("size", ByteSizes.format(now.byteSize()), isFirst,
                        WatchView.perSecond(now.rate(before, now.byteSize() - before.byteSize()))),
                row("on disk", WatchView.stored(now), isFirst,
                        WatchView.perSecond(now.rate(before, now.stored() - before.stored()))));
        rows.forEach(figures::measure);
        rows.forEach(row -> lines.add(figures.line(row)));
        if (!now.top().isEmpty()) {
            lines.add("");
            addTop(lines, now, before, width);
        }
        return lines;
    }

    private static void addTop(List<String> lines, WatchFigures now, WatchFigures before, int width) {
        Table table = new Table(Column.name("NAME"), Column.name("TYPE").optional(),
                Column.number("SIZE").optional(), Column.number("WRITTEN"), Column.number("GROWTH"));
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[]{"NAME", "TYPE", "SIZE", "WRITTEN", "GROWTH"});
        for (WatchFigures.TopAllocations.Entry each : now.top()) {
            String growth = now.isFirst(before) || each.growth() == 0
                    ? ""
                    : WatchView.perSecond(now.rate(before, each.growth()));
            rows.add(new String[]{each.label(), each.type(), ByteSizes.format(each.byteSize()),
                    ByteSizes.format(each.written()), growth});
        }
        rows.forEach(table::measure);
        table.fit(width - 1);
        rows.forEach(row -> lines.add(table.line(row)));
    }

    private static String[] row(String what, String figure, boolean isFirst, String rate) {
        return new String[]{what, figure, isFirst ? "" : rate};
    }
}
