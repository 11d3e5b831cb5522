package dev.arenakit.tool.watch;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.internal.ring.RingInspection;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena watch`.
@Command(name = "watch", sortOptions = false,
        description = {"Shows how an image grows while a process writes it, or the depth of a ring.",
                "On a terminal the figures are updated in place, with the allocations that grow most; otherwise a"
                        + " line is printed each time. The command ends when the owner of the image closes it or"
                        + " dies, and says which; Ctrl-C ends the command earlier.",
                "A ring in a file is watched until the file is deleted, because producers and readers come and go."},
        footerHeading = "%nFigures:%n",
        footer = {"  on disk      the space that the file system has allocated for the files of the",
                "               image: its data files, its catalog and its lock file",
                "  /s           the change per second since the figures before",
                "  WRITTEN      the size of the pages of an allocation that were written",
                "  GROWTH       the growth of the written size; if no allocation grows, the",
                "               largest ones are shown",
                "  unread       of a ring, the size of the messages that the reader has not",
                "               read, with their headers; written and read are sums since the",
                "               creation of the ring",
                "",
                "Examples:",
                "  arena watch /var/prices",
                "  arena watch /var/prices --interval 10 >> growth.log",
                "  arena watch /dev/shm/orders     watches the ring in this file"})
public final class WatchCommand implements Callable<Integer> {
    private static final double MIN_INTERVAL = 0.05;
    private static final double MAX_INTERVAL = 86_400;
    /// The end of the owner, or of a ring, is noticed within this time, however long the interval is.
    static final long END_CHECK_NANOS = 500_000_000;

    private final Streams streams;

    @Option(names = {"-i", "--interval"}, paramLabel = "S", description = "update every S seconds; the default is 1")
    private double interval = 1;

    @Option(names = "--json", description = "print JSON, one object each time")
    private boolean json;

    @Parameters(paramLabel = "BASE|FILE",
            description = "the base of an image that a process has open, or the file of a ring")
    private Path base = Path.of("");

    @Mixin
    private final CommandFrame frame;

    public WatchCommand(Streams streams) {
        frame = new CommandFrame(streams);
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (!(interval >= MIN_INTERVAL && interval <= MAX_INTERVAL)) {
            throw frame.invalidValue("--interval", interval, "is not a number of seconds from 0.05 to 86400");
        }
        return frame.run(base, () -> {
            if (RingState.isRing(base)) {
                return watchRing();
            }
            try (ArenaImage image = ImageFileSet.openImage(base)) {
                return watch(image);
            }
        });
    }

    private int watchRing() throws IOException {
        try (RingInspection ring = RingInspection.open(base)) {
            WatchRing.View view = json ? new WatchRingJson(streams, base) : new WatchRingText(streams, base);
            new WatchRing(ring, view, (long) (interval * 1e9)).run();
            return ExitCodes.OK;
        }
    }

    private int watch(ArenaImage image) throws IOException {
        if (!ImageState.mayBeOpen(image)) {
            streams.report(base + ": no process has it open; arena ls lists its allocations");
            return ExitCodes.PROBLEM;
        }
        WatchMeter meter = new WatchMeter(image, new DiskUsage.Meter(streams));
        WatchView view = view();
        WatchFigures before = meter.measure(view.topCount());
        view.show(before, before);
        boolean isAlive = true;
        while (isAlive) {
            long next = before.nanos() + (long) (interval * 1e9);
            isAlive = sleep(image, next);
            WatchFigures now = meter.measure(view.topCount());
            view.show(now, before);
            before = now;
        }
        view.end(before, end(image, before));
        return ExitCodes.OK;
    }

    private WatchView view() {
        if (json) {
            return new WatchJson(streams, base);
        }
        return streams.terminal().canMoveCursor() ? new WatchPanel(streams, base) : new WatchLines(streams);
    }

    /// Waits until the next update, or until the owner has ended.
    ///
    /// @return whether the owner is running
    private static boolean sleep(ArenaImage image, long until) throws IOException {
        boolean isAlive = ImageState.mayBeOpen(image);
        for (long left = until - System.nanoTime(); isAlive && left > 0; left = until - System.nanoTime()) {
            try {
                Thread.sleep(Duration.ofNanos(Math.min(left, END_CHECK_NANOS)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            isAlive = ImageState.mayBeOpen(image);
        }
        return isAlive;
    }

    private WatchView.End end(ArenaImage image, WatchFigures last) throws IOException {
        if (ImageState.mayBeOpen(image)) {
            return WatchView.End.INTERRUPTED;
        }
        if (!Files.exists(ImageFileSet.of(base).catalog())) {
            return WatchView.End.DELETED;
        }
        return last.state().equals("closed") ? WatchView.End.CLOSED : WatchView.End.DIED;
    }
}
