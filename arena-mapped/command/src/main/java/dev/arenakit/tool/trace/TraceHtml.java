package dev.arenakit.tool.trace;

import dev.arenakit.mapped.trace.TraceState;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A page with two pictures of a trace: the live bytes over time, and the sizes of allocations against their lifetimes.
/// The page has no script.
record TraceHtml(Path base, TraceState state, TraceSummary summary) {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 280;

    String html() {
        String name = PrintableText.of(base.toString()).replace("&", "&amp;").replace("<", "&lt;");
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
                table { border-spacing: 2px; font-size: 12px; width: 100%%; table-layout: fixed }
                th { font-weight: normal }
                td { background: rgb(42 120 181 / var(--ink)); text-align: center; height: 2.6em }
                td:empty { background: none }
                </style>
                <h1>%s</h1>
                <p>%s in %s, %s. %s of %s, %s and %s. At most %s were live.</p>
                <h2>Live bytes over time</h2>
                %s
                <h2>Sizes and lifetimes of allocations</h2>
                <p>Rows: sizes from; columns: lifetimes from. A darker field has more bytes. The number counts allocations.</p>
                %s
                </html>
                """
                .formatted(name, name, Counts.of(summary.events(), "event"), TraceText.time(summary.nanos()),
                        TraceText.ending(state), Counts.of(summary.allocations(), "allocation"),
                        ByteSizes.format(summary.byteSize()), Counts.of(summary.arenas(), "arena"),
                        Counts.of(summary.platformThreads() + summary.virtualThreads(), "thread"),
                        ByteSizes.format(summary.peakByteSize()), timeline(), fields());
    }

    private String timeline() {
        double end = Math.max(1, summary.nanos());
        double most = Math.max(1, summary.peakByteSize());
        StringBuilder path = new StringBuilder("M0,").append(HEIGHT);
        double from = 0;
        for (TraceSummary.Point point : summary.timeline()) {
            double to = WIDTH * Math.min(1, point.nanos() / end);
            double y = HEIGHT * (1 - point.byteSize() / most);
            path.append(String.format(Locale.ROOT, "L%.1f,%.1fL%.1f,%.1f", from, y, to, y));
            from = to;
        }
        return String.format(Locale.ROOT,
                """
                <svg viewBox="0 -20 %1$d %3$d"><path fill="#2a78b5" d="%4$sL%5$.1f,%2$dZ"/>\
                <path fill="none" stroke="currentColor" d="M0,0V%2$dH%1$d"/><text x="5" y="-5">%6$s</text>\
                <text y="%3$d" dy="-25">0 bytes, 0 ns</text><text x="%1$d" y="%3$d" dy="-25" text-anchor="end">%7$s</text></svg>""",
                WIDTH, HEIGHT, HEIGHT + 45, path, from, ByteSizes.format(summary.peakByteSize()),
                TraceText.time(summary.nanos()));
    }

    private String fields() {
        SortedMap<Long, SortedMap<Long, TraceSummary.Cell>> rows = new TreeMap<>();
        SortedSet<Long> lifetimes = new TreeSet<>();
        double most = 1;
        for (TraceSummary.Cell cell : summary.cells()) {
            rows.computeIfAbsent(cell.byteSize(), _ -> new TreeMap<>()).put(TraceText.column(cell), cell);
            lifetimes.add(TraceText.column(cell));
            most = Math.max(most, (double) cell.bytes());
        }
        StringBuilder table = new StringBuilder("<table><tr><th>");
        lifetimes.forEach(each -> table.append("<th>")
                .append(each == Long.MAX_VALUE ? "live at the end" : TraceText.time(each)));
        double all = Math.log1p(most);
        rows.forEach((byteSize, row) -> {
            table.append("<tr><th>").append(ByteSizes.format(byteSize));
            for (long lifetime : lifetimes) {
                TraceSummary.Cell cell = row.get(lifetime);
                table.append(cell == null
                        ? "<td>"
                        : String.format(Locale.ROOT, "<td style=\"--ink: %.2f\" title=\"%s\">%s",
                                0.1 + 0.8 * Math.log1p((double) cell.bytes()) / all, ByteSizes.format(cell.bytes()),
                                Counts.grouped(cell.allocations())));
            }
        });
        return table.append("</table>").toString();
    }
}
