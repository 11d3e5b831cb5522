package dev.arenakit.tool;

import dev.arenakit.tool.Table.Column;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Samples on a terminal, each in the place of the one before.
final class WatchPanel implements WatchView {
    private static final String END_OF_LINE = "\u001b[K";
    private static final String REST = "\u001b[J";
    /// What is shown above the allocations, with an empty line and the titles.
    private static final int HEAD = 6;
    private static final int MOST = 15;
    /// Characters from here on may take two columns.
    private static final int WIDE = 0x1100;

    private final Streams streams;
    private final Path base;
    private final Times times = new Times();
    private int shown;

    WatchPanel(Streams streams, Path base) {
        this.streams = streams;
        this.base = base;
    }

    @Override
    public int most() {
        // One line is left for the cursor.
        return Math.clamp(streams.screen().height().getAsInt() - HEAD - 1L, 0, MOST);
    }

    @Override
    public void show(Sample now, Sample before) throws IOException {
        List<String> lines = lines(now, before);
        int width = streams.width().getAsInt();
        StringBuilder text = new StringBuilder(shown > 0 ? "\u001b[%dA\r".formatted(shown) : "");
        for (int i = 0; i < lines.size(); i++) {
            String line = cut(Streams.printable(lines.get(i)), width);
            text.append(i == 0 ? streams.bold(line) : line).append(END_OF_LINE).append('\n');
        }
        streams.print(text + REST);
        streams.out().flush();
        shown = lines.size();
    }

    private List<String> lines(Sample now, Sample before) throws IOException {
        boolean isFirst = now.isOf(before);
        List<String> lines = new ArrayList<>();
        lines.add("%s: %s, process %d for %s; %s".formatted(base, now.state(), now.pid(),
                Durations.format(Duration.between(now.opened(), Instant.now())), times.format(Instant.now())));
        Table figures = new Table(Column.text(""), Column.number(""), Column.number(""));
        List<String[]> rows = List.of(
                row("allocations", ByteSizes.grouped(now.count()), isFirst, WatchView
                        .countPerSecond(now.rate(before, now.made() - before.made()))),
                row("size", ByteSizes.format(now.byteSize()), isFirst,
                        WatchView.perSecond(now.rate(before, now.byteSize() - before.byteSize()))),
                row("on disk", WatchView.stored(now), isFirst,
                        WatchView.perSecond(now.rate(before, now.stored() - before.stored()))));
        rows.forEach(figures::measure);
        rows.forEach(row -> lines.add(figures.line(row)));
        if (!now.top().isEmpty()) {
            lines.add("");
            addTop(lines, now, before);
        }
        return lines;
    }

    private static void addTop(List<String> lines, Sample now, Sample before) {
        Table table = new Table(Column.text("NAME"), Column.text("TYPE"), Column.number("SIZE"),
                Column.number("ON DISK"), Column.number("GROWTH"));
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[]{"NAME", "TYPE", "SIZE", "ON DISK", "GROWTH"});
        for (Sample.Top each : now.top()) {
            String growth = now.isOf(before) || each.growth() == 0
                    ? ""
                    : WatchView.perSecond(now.rate(before, each.growth()));
            rows.add(new String[]{each.label(), each.type(), ByteSizes.format(each.byteSize()),
                    ByteSizes.format(each.stored()), growth});
        }
        rows.forEach(table::measure);
        rows.forEach(row -> lines.add(table.line(row)));
    }

    private static String[] row(String what, String figure, boolean isFirst, String rate) {
        return new String[]{what, figure, isFirst ? "" : rate};
    }

    /// A line that does not reach the last column, behind which terminals begin the next one.
    private static String cut(String line, int width) {
        int columns = 0;
        for (int i = 0; i < line.length(); i = line.offsetByCodePoints(i, 1)) {
            columns += line.codePointAt(i) >= WIDE ? 2 : 1;
            if (columns >= width) {
                return line.substring(0, i);
            }
        }
        return line;
    }
}
