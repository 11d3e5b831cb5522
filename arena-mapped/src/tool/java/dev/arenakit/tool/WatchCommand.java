package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `arena watch`.
@Command(name = "watch", versionProvider = Main.Version.class, mixinStandardHelpOptions = true, sortOptions = false,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Shows how an image grows while a process writes it.",
                "On a terminal the figures are refreshed in place, with the allocations that grow most; elsewhere there is a line for"
                        + " each time. It ends when the owner of the image does, and says how; Ctrl-C ends it before."},
        footerHeading = "%nFigures:%n",
        footer = {"  on disk      what is in the allocations: pages that were written",
                "  /s           how much it changes a second, since the time before",
                "  GROWTH       the same of one allocation; the largest are shown where none grows",
                "",
                "Examples:",
                "  arena watch /var/prices",
                "  arena watch /var/prices --interval 10 >> growth.log"})
final class WatchCommand implements Callable<Integer> {
    private static final double SHORTEST = 0.05;
    private static final double LONGEST = 86_400;
    /// That the owner has ended is seen this soon, however long the interval is.
    private static final long LOOK_NANOS = 500_000_000;

    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec spec;

    @Option(names = {"-i", "--interval"}, paramLabel = "S", description = "look every S seconds; 1 unless told")
    private double interval = 1;

    @Parameters(paramLabel = "BASE", description = "the base of an image that a process owns")
    private Path base = Path.of("");

    WatchCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (!(interval >= SHORTEST && interval <= LONGEST)) {
            throw new ParameterException(spec.commandLine(), "Invalid value for option '--interval': '" + interval
                    + "' is not a number of seconds from 0.05 to 86400");
        }
        try (ArenaImage image = Images.open(base)) {
            if (!image.ownerIsAlive()) {
                streams.complain(base + ": no process is at work on it; arena ls lists what is in it");
                return ExitCode.SOFTWARE;
            }
            watch(image);
            return ExitCode.OK;
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            streams.complain(base.toString(), Streams.cause(e));
            return ExitCode.SOFTWARE;
        }
    }

    private void watch(ArenaImage image) throws IOException {
        Sampler sampler = new Sampler(image, new DiskUses(streams));
        WatchView view = streams.screen().canMove() ? new WatchPanel(streams, base) : new WatchLines(streams);
        Sample before = sampler.sample(view.most());
        view.show(before, before);
        boolean isAlive = true;
        while (isAlive) {
            long next = before.nanos() + (long) (interval * 1e9);
            isAlive = sleep(image, next);
            Sample now = sampler.sample(view.most());
            view.show(now, before);
            before = now;
        }
        streams.print(end(image, before) + "\n");
    }

    /// Waits until it is time to look again, or the owner has ended.
    ///
    /// @return whether there is an owner still
    private static boolean sleep(ArenaImage image, long until) throws IOException {
        boolean isAlive = image.ownerIsAlive();
        for (long left = until - System.nanoTime(); isAlive && left > 0; left = until - System.nanoTime()) {
            try {
                Thread.sleep(Duration.ofNanos(Math.min(left, LOOK_NANOS)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            isAlive = image.ownerIsAlive();
        }
        return isAlive;
    }

    private String end(ArenaImage image, Sample last) throws IOException {
        String process = "process " + last.pid();
        if (image.ownerIsAlive()) {
            return "interrupted";
        }
        if (!Files.exists(FoundImage.of(base).catalog())) {
            return "ended: the image of " + process + " has been deleted";
        }
        return last.state().equals("closed")
                ? "ended: " + process + " has closed the image"
                : "ended: " + process + " has died and not closed the image";
    }
}
