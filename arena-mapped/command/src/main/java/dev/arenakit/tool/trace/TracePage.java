package dev.arenakit.tool.trace;

import dev.arenakit.mapped.trace.TraceState;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A page with two pictures of a trace: the live bytes over time, and the sizes of allocations against their lifetimes.
/// The pictures are SVG, and the page has no script.
final class TracePage {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 280;
    private static final int LEFT = 110;
    private static final int CELL = 34;
    private static final int LABEL = 60;

    private final Path base;
    private final TraceState state;
    private final TraceSummary summary;

    TracePage(Path base, TraceState state, TraceSummary summary) {
        this.base = base;
        this.state = state;
        this.summary = summary;
    }

    String html() {
        String name = escaped(PrintableText.of(base.toString()));
        return """
                <!DOCTYPE html>
                <html lang="en">
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
                <title>%s - allocation trace</title>
                <style>
                :root { color-scheme: light dark }
                body { font: 15px/1.5 system-ui, sans-serif; max-width: 1080px; margin: 2rem auto; padding: 0 1rem }
                svg { width: 100%%; height: auto; overflow: visible }
                text { font-size: 12px; fill: currentColor }
                .live { fill: #2a78b5; opacity: .8 }
                .axis { stroke: currentColor; opacity: .3 }
                .cell { fill: #2a78b5 }
                </style>
                <h1>%s</h1>
                <p>%s events in %s, %s. %s allocations of %s in %s arenas and %s threads. At most %s were live.</p>
                <h2>Live bytes over time</h2>
                %s
                <h2>Sizes and lifetimes of allocations</h2>
                <p>Rows: sizes from; columns: lifetimes from. A darker field has more bytes. The number counts allocations.</p>
                %s
                </html>
                """
                .formatted(name, name, Counts.grouped(summary.events()), Nanos.format(summary.nanos()),
                        TraceText.ending(state), Counts.grouped(summary.allocations()),
                        ByteSizes.format(summary.byteSize()), Counts.grouped(summary.arenas()),
                        Counts.grouped(summary.platformThreads() + summary.virtualThreads()),
                        ByteSizes.format(summary.peakByteSize()), timeline(), fields());
    }

    private String timeline() {
        long end = Math.max(1, summary.nanos());
        double most = Math.max(1, summary.peakByteSize());
        StringBuilder path = new StringBuilder(String.format(Locale.ROOT, "M%d,%d", LEFT, HEIGHT));
        double from = LEFT;
        for (TraceSummary.Point point : summary.timeline()) {
            double to = LEFT + (WIDTH - LEFT) * Math.min(1, (double) point.nanos() / end);
            double y = HEIGHT * (1 - point.byteSize() / most);
            path.append(String.format(Locale.ROOT, "L%.1f,%.1fL%.1f,%.1f", from, y, to, y));
            from = to;
        }
        path.append(String.format(Locale.ROOT, "L%.1f,%dZ", from, HEIGHT));
        return svg(HEIGHT + 40, "<path class=\"live\" d=\"" + path + "\"/>"
                + "<path class=\"axis\" d=\"M%d,0V%dH%d\" fill=\"none\"/>".formatted(LEFT, HEIGHT, WIDTH)
                + text(LEFT - 8, 12, "end", ByteSizes.format(summary.peakByteSize()))
                + text(LEFT - 8, HEIGHT, "end", "0 bytes") + text(LEFT, HEIGHT + 20, "start", "0")
                + text(WIDTH, HEIGHT + 20, "end", Nanos.format(summary.nanos())));
    }

    private String fields() {
        SortedSet<Long> sizes = new TreeSet<>();
        SortedSet<Long> lifetimes = new TreeSet<>();
        double most = 1;
        for (TraceSummary.Cell cell : summary.cells()) {
            sizes.add(cell.byteSize());
            lifetimes.add(column(cell));
            most = Math.max(most, (double) cell.bytes());
        }
        List<Long> rows = List.copyOf(sizes);
        List<Long> columns = List.copyOf(lifetimes);
        double width = Math.min(96, (double) (WIDTH - LEFT) / Math.max(1, columns.size()));
        StringBuilder drawn = new StringBuilder();
        for (TraceSummary.Cell cell : summary.cells()) {
            double x = LEFT + columns.indexOf(column(cell)) * width;
            int y = rows.indexOf(cell.byteSize()) * CELL;
            double ink = 0.12 + 0.88 * Math.log1p((double) cell.bytes()) / Math.log1p(most);
            String title = ByteSizes.format(cell.byteSize()) + " and more, " + Nanos.lifetime(cell.nanos()) + ": "
                    + Counts.of(cell.allocations(), "allocation") + " of " + ByteSizes.format(cell.bytes());
            drawn.append(String.format(Locale.ROOT,
                    "<g><title>%s</title><rect class=\"cell\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\""
                            + " fill-opacity=\"%.2f\"/>%s</g>",
                    escaped(title), x, y, width - 2, CELL - 2, ink,
                    text(x + width / 2, y + CELL / 2 + 4, "middle", shortened(cell.allocations()))));
        }
        int bottom = rows.size() * CELL;
        drawn.append(rows.stream()
                .map(size -> text(LEFT - 8, rows.indexOf(size) * CELL + CELL / 2 + 4, "end", ByteSizes.format(size)))
                .collect(Collectors.joining()));
        // Labels must not touch each other.
        int every = (int) Math.ceil(LABEL / width);
        for (int i = 0; i < columns.size(); i += every) {
            long lifetime = columns.get(i);
            drawn.append(text(LEFT + (i + 0.5) * width, bottom + 18, "middle",
                    lifetime == Long.MAX_VALUE ? "live" : Nanos.format(lifetime)));
        }
        return svg(bottom + 30, drawn.toString());
    }

    /// The lifetime of a cell's class; the largest number for allocations that were live at the end.
    private static long column(TraceSummary.Cell cell) {
        return cell.nanos() < 0 ? Long.MAX_VALUE : cell.nanos();
    }

    private static String shortened(long number) {
        return number < 10_000
                ? String.valueOf(number)
                : number < 10_000_000
                        ? number / 1_000 + " k"
                        : number / 1_000_000 + " M";
    }

    private static String svg(int height, String contents) {
        return "<svg viewBox=\"0 0 " + WIDTH + " " + height + "\">" + contents + "</svg>";
    }

    private static String text(double x, double y, String anchor, String text) {
        return String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor,
                escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
