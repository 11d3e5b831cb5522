package dev.arenakit.tool.watch;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Table;
import dev.arenakit.tool.console.Table.Column;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Prints the figures of a ring for people: on a terminal in place of the previous figures, elsewhere as a line each
/// time.
final class WatchRingText implements WatchRing.View {
    private final Streams streams;
    private final Path path;
    private final Times times = new Times();
    private final WatchScreen screen;

    WatchRingText(Streams streams, Path path) {
        this.streams = streams;
        this.path = path;
        screen = new WatchScreen(streams);
    }

    @Override
    public void show(WatchRing.Figures now, WatchRing.Figures before) throws IOException {
        if (streams.terminal().canMoveCursor()) {
            screen.show(lines(now, before), streams.width().getAsInt());
        } else {
            streams.print(line(now, before) + "\n");
            streams.out().flush();
        }
    }

    @Override
    public void end() throws IOException {
        streams.print("ended: the file of the ring has been deleted or replaced\n");
    }

    private String line(WatchRing.Figures now, WatchRing.Figures before) {
        RingState state = now.state();
        return times.format(Instant.now()) + "  " + state.depth() + "; " + state.describeUsers() + "; "
                + Counts.of(state.positions().skips(), "skipped claim") + (now.isFirst(before)
                        ? ""
                        : "; " + WatchView.perSecond(now.written(before)) + " written, "
                                + WatchView.perSecond(now.read(before)) + " read");
    }

    private List<String> lines(WatchRing.Figures now, WatchRing.Figures before) {
        RingState state = now.state();
        long unread = state.positions().unreadByteSize();
        List<String> lines = new ArrayList<>();
        lines.add(path + ": " + state.describeUsers() + "; " + times.format(Instant.now()));
        Table table = new Table(Column.text(""), Column.number(""), Column.number(""));
        List<String[]> rows = List.of(
                new String[]{"unread", ByteSizes.format(unread), share(unread, state.capacity())},
                new String[]{"capacity", ByteSizes.format(state.capacity()), ""},
                new String[]{"written", ByteSizes.format(state.positions().tail()), now.isFirst(before)
                        ? ""
                        : WatchView.perSecond(now.written(before))},
                new String[]{"read", ByteSizes.format(state.positions().head()), now.isFirst(before)
                        ? ""
                        : WatchView.perSecond(now.read(before))},
                new String[]{"skipped claims", Counts.grouped(state.positions().skips()), ""});
        rows.forEach(table::measure);
        rows.forEach(row -> lines.add(table.line(row)));
        return lines;
    }

    private static String share(long unread, long capacity) {
        return Math.round(unread * 100.0 / capacity) + " %";
    }
}
