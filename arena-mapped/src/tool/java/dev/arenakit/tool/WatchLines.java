package dev.arenakit.tool;

import java.io.IOException;
import java.time.Instant;

/// A line for each sample.
final class WatchLines implements WatchView {
    private final Streams streams;
    private final Times times = new Times();

    WatchLines(Streams streams) {
        this.streams = streams;
    }

    @Override
    public int most() {
        return 1;
    }

    @Override
    public void show(Sample now, Sample before) throws IOException {
        String rates = now.isOf(before)
                ? ""
                : " %s, %s on disk".formatted(WatchView.countPerSecond(now.rate(before, now.made() - before.made())),
                        WatchView.perSecond(now.rate(before, now.stored() - before.stored())));
        String top = now.isOf(before)
                ? ""
                : now.top()
                        .stream()
                        .filter(each -> each.growth() > 0)
                        .map(each -> "; most: " + each.label() + " "
                                + WatchView.perSecond(now.rate(before, each.growth())))
                        .findFirst()
                        .orElse("");
        streams.print(Streams.printable("%s  %s of %s, %s on disk%s%s%s".formatted(times.format(Instant.now()),
                ByteSizes.count(now.count(), "allocation"), ByteSizes.format(now.byteSize()), WatchView.stored(now),
                rates.isEmpty() ? "" : ";", rates, top)) + "\n");
        streams.out().flush();
    }
}
