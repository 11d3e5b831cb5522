package dev.arenakit.tool.verify;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena verify`.
@Command(name = "verify",
        description = {"Checks images for damage.",
                "In an undamaged image, every record of the catalog has a correct checksum, and every allocation is"
                        + " within its file and overlaps no other.",
                "The contents of allocations are read with --data alone, which compares those that are sealed. An image whose owner has died is not a problem: images"
                        + " are meant to outlive their owners. A record that a killed owner did not finish is a note."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:no image has a problem", " 1:problems were found, and printed one per line",
                " 2:wrong command line", " 3:an image could not be read"},
        footer = {"", "Examples:",
                "  arena verify prices && cp --sparse=always prices* /backup",
                "  arena verify /var/prices /var/orders",
                "  arena verify /var               checks all images in this directory",
                "  arena verify --data /var/prices     also finds bytes changed since arena seal"})
public final class VerifyCommand implements Callable<Integer> {
    private final Streams streams;

    @Option(names = "--data",
            description = "read the contents of sealed allocations, and list the ranges that differ from their seals")
    private boolean data;

    @Parameters(paramLabel = "DIR|BASE", arity = "1..*",
            description = "directories whose images to check, or bases of images that have catalogs")
    private List<Path> targets = List.of();

    @Mixin
    private final CommandFrame frame;

    public VerifyCommand(Streams streams) {
        frame = new CommandFrame(streams);
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        int worst = ExitCodes.OK;
        for (Path target : targets) {
            worst = Math.max(worst, frame.run(target, ExitCodes.UNREADABLE,
                    () -> Files.isDirectory(target) ? verifyAllIn(target) : verify(target)));
        }
        return worst;
    }

    private int verifyAllIn(Path directory) throws IOException {
        List<ImageFileSet> images = ImageFileSet.in(directory).stream().filter(ImageFileSet::hasCatalog).toList();
        if (images.isEmpty()) {
            streams.report("no image with a catalog in directory " + directory.toAbsolutePath());
            return ExitCodes.UNREADABLE;
        }
        int worst = ExitCodes.OK;
        for (ImageFileSet image : images) {
            worst = Math.max(worst, frame.run(image.base(), ExitCodes.UNREADABLE, () -> verify(image.base())));
        }
        return worst;
    }

    private int verify(Path base) throws IOException {
        String name = PrintableText.of(ImageFileSet.baseOf(base).toString());
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            long problems = printProblems(image, name);
            SealComparison seals = new SealComparison(streams, image, name);
            if (data) {
                seals.run();
                problems += seals.damaged();
            }
            streams.print(name + ": "
                    + (problems > 0 ? ByteSizes.count(problems, "problem") : "no problem in " + contents(image))
                    + (data ? seals.summary() : "") + "\n");
            return seals.hasFailed() ? ExitCodes.UNREADABLE : ExitCodes.of(problems == 0);
        }
    }

    private long printProblems(ArenaImage image, String name) throws IOException {
        long count = 0;
        try (Task task = streams.progress().start("verifying " + name, "problems");
                Stream<ImageProblem> problems = image.problems()) {
            for (Iterator<ImageProblem> each = problems.iterator(); each.hasNext();) {
                ImageProblem problem = each.next();
                String where = problem.allocation().map(allocation -> allocation.label() + ": ").orElse("");
                streams.print(name + ": " + (problem.isNote() ? "note: " : "")
                        + PrintableText.of(where + problem.description()) + "\n");
                count += problem.isNote() ? 0 : 1;
                task.at(count);
            }
        }
        return count;
    }

    private String contents(ArenaImage image) throws IOException {
        AllocationSequence allocations = new AllocationSequence(image);
        long[] byteSize = {0};
        long[] sealed = {0};
        allocations.forEach(allocation -> {
            byteSize[0] = ByteSizes.sum(byteSize[0], allocation.byteSize());
            sealed[0] += !data && allocation.isLive() && image.seal(allocation).isPresent() ? 1 : 0;
        });
        return ByteSizes.count(allocations.count(), "allocation") + " of " + ByteSizes.format(byteSize[0]) + "; "
                + ImageState.of(image).word()
                + (sealed[0] > 0 ? "; " + ByteSizes.grouped(sealed[0]) + " sealed, which --data compares" : "");
    }
}
