package dev.arenakit.tool.verify;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageIntegrity.CheckedAllocations;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.image.ImageDirectory;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena verify`.
@Command(name = "verify",
        description = {"Checks images and rings for damage.",
                "In an undamaged image, every record of the catalog has a correct checksum, and every allocation is"
                        + " within its file and overlaps no other.",
                "The entries of structures, such as maps, are read and checked. Other contents are read with --data"
                        + " alone, which compares those that are sealed. An image"
                        + " whose owner has died is not a problem: images are meant to outlive their owners. A record"
                        + " that a killed owner did not finish is printed as a note.",
                "Of a ring in a file, the header, the positions and the records that were not read yet are checked."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:no image has a problem", " 1:problems were found, and printed one per line",
                " 2:wrong command line", " 3:an image could not be read"},
        footer = {"", "Examples:",
                "  arena verify                    checks all images in this directory",
                "  arena verify prices && cp --sparse=always prices* /backup",
                "  arena verify /var/prices /var/orders",
                "  arena verify /var               checks all images in this directory",
                "  arena verify --data /var/prices     also finds bytes changed since arena seal",
                "  arena verify /dev/shm/orders    checks the ring in this file"})
public final class VerifyCommand implements Callable<Integer> {
    @Option(names = "--data",
            description = "read the contents of sealed allocations, and list the ranges that differ from their seals")
    private boolean data;

    @Option(names = "--json", description = "print JSON, one object per line")
    private boolean json;

    @Parameters(paramLabel = "DIR|BASE|FILE", arity = "0..*",
            description = "directories whose images to check, bases of images that have catalogs, or files of rings;"
                    + " the default is the current directory")
    private List<Path> targets = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        VerifyReport report = new VerifyReport(frame.streams(), json);
        int worst = ExitCodes.OK;
        for (Path target : targets.isEmpty() ? List.of(Path.of("")) : targets) {
            worst = Math.max(worst, frame.run(target, ExitCodes.UNREADABLE,
                    () -> Files.isDirectory(target) ? verifyAllIn(target, report) : verifyOne(target, report)));
        }
        return worst;
    }

    private int verifyOne(Path target, VerifyReport report) throws IOException {
        return RingState.isRing(target)
                ? ExitCodes.of(new RingCheck(target, report).run())
                : verify(target, report);
    }

    private int verifyAllIn(Path directory, VerifyReport report) throws IOException {
        ImageDirectory found = ImageDirectory.of(directory);
        List<ImageFileSet> images = found.images().stream().filter(ImageFileSet::hasCatalog).toList();
        boolean isComplete = found.reportUnnamed(frame.streams());
        if (images.isEmpty() && isComplete) {
            frame.report("no image with a catalog in directory " + directory.toAbsolutePath());
            return ExitCodes.UNREADABLE;
        }
        int worst = isComplete ? ExitCodes.OK : ExitCodes.UNREADABLE;
        for (ImageFileSet image : images) {
            worst = Math.max(worst, frame.run(image.base(), ExitCodes.UNREADABLE, () -> verify(image.base(), report)));
        }
        return worst;
    }

    private int verify(Path base, VerifyReport report) throws IOException {
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            Path meant = ImageFileSet.baseOf(base);
            long[] problems = {0};
            CheckedAllocations checked = check(image, meant, report, problems);
            AllocationChecks checks = new AllocationChecks(frame.streams(), image, meant, report);
            VerifyReport.Sums sums = checks.run(data, problems[0]);
            report.end(image, meant, checked, sums);
            return checks.hasFailed()
                    ? ExitCodes.UNREADABLE
                    : ExitCodes.of(sums.problems() == 0);
        }
    }

    /// @param count counts the problems
    private CheckedAllocations check(ArenaImage image, Path base, VerifyReport report, long[] count)
            throws IOException {
        try {
            return image.integrity().check(problem -> {
                try {
                    report.problem(base, problem);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                count[0] += problem.isNote() ? 0 : 1;
            });
        } catch (UncheckedIOException e) {
            // The frame distinguishes a failure of the output.
            throw e.getCause();
        }
    }
}
