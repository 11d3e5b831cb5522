package dev.arenakit.tool.purge;

import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.DiskUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena purge`.
@Command(name = "purge", sortOptions = false,
        description = {"Removes images that no process has open.",
                "For each image, the command removes the files that its catalog records, the catalog, and the lock"
                        + " file, which it holds meanwhile. It removes no other file, no link, and no target of a link."
                        + " It never removes an image that a process has open, or a file of another user.",
                "The command needs --yes to remove, or --dry-run to list what it would remove."},
        footer = {"",
                "The age of an image is the time since one of its files was modified, or a process opened it.",
                "A DURATION is a number with a unit: 90s, 30m, 12h, 7d or 2w.",
                "", "Examples:",
                "  arena purge --dry-run              lists what would be removed here",
                "  arena purge /var/tmp --older-than 7d --yes",
                "  arena purge /var/tmp/prices-*.catalog --yes    the images with such names",
                "  arena purge /var/prices --yes      removes one image"})
public final class PurgeCommand implements Callable<Integer> {
    @Option(names = "--older-than", paramLabel = "DURATION", converter = Times.class,
            description = "only images of at least this age")
    private Duration age = Duration.ZERO;

    @Option(names = {"-n", "--dry-run"}, description = "print what would be removed, and remove nothing")
    private boolean dryRun;

    @Option(names = {"-y", "--yes"}, description = "remove the images")
    private boolean yes;

    @Option(names = "--json", description = "print JSON, one object per line")
    private boolean json;

    @Parameters(paramLabel = "DIR|BASE", arity = "0..*",
            description = "directories, or bases of images; the default is the current directory")
    private List<Path> targets = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        if (!dryRun && !yes) {
            throw frame
                    .usageError("Missing option: use '--yes' to remove, or '--dry-run' to list what it would remove");
        }
        PurgeReport report = new PurgeReport(frame.streams(), json, dryRun);
        DiskUsage.Meter meter = new DiskUsage.Meter(frame.streams());
        PurgeCandidates candidates = new PurgeCandidates(report, meter, age);
        for (Path target : targets.isEmpty() ? List.of(Path.of("")) : targets) {
            candidates.find(target);
        }
        if (candidates.all().isEmpty()) {
            report.nothing();
        } else {
            new PurgeRemoval(frame.streams(), report).remove(candidates.all(), dryRun);
        }
        return ExitCodes.of(!report.hasFailed() && !meter.hasFailed());
    }
}
