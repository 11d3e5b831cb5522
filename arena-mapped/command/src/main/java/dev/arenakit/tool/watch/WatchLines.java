package dev.arenakit.tool.watch;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Times;
import java.io.IOException;
import java.time.Instant;

/// Prints the figures as one line each time.
final class WatchLines implements WatchView {
    private final Streams streams;
    private final Times times = new Times();

    WatchLines(Streams streams) {
        this.streams = streams;
    }

    @Override
    public int topCount() {
        return 1;
    }

    @Override
    public void show(WatchFigures now, WatchFigures before) throws IOException {
        String rates = now.isFirst(before)
                ? ""
                : " %s, %s on disk".formatted(WatchView.countPerSecond(now.rate(before, now.made() - before.made())),
                        WatchView.perSecond(now.rate(before, now.stored() - before.stored())));
        String top = now.isFirst(before)
                ? ""
                : now.top()
                        .stream()
                        .filter(each -> each.growth() > 0)
                        .map(each -> "; most: " + each.label() + " "
                                + WatchView.perSecond(now.rate(before, each.growth())))
                        .findFirst()
                        .orElse("");
        streams.print(PrintableText.of("%s  %s of %s, %s on disk%s%s%s".formatted(times.format(Instant.now()),
                Counts.of(now.count(), "allocation"), ByteSizes.format(now.byteSize()), WatchView.stored(now),
                rates.isEmpty() ? "" : ";", rates, top)) + "\n");
        streams.out().flush();
    }

    @Override
    public void end(WatchFigures last, WatchView.End end) throws IOException {
        streams.print(end.describe(last) + "\n");
    }
}
