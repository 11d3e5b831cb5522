package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.tool.Progress.Task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `arena verify`.
@Command(name = "verify", versionProvider = Main.Version.class, mixinStandardHelpOptions = true,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {
                "Checks that images are whole.",
                "Every record of the catalog has to be as it was written, and every allocation to have its bytes, in its file and"
                        + " apart from the others.",
                "What stands in the allocations is not read. That the owner of an image has died is no problem: its image is meant"
                        + " to outlive it."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:all images are whole", " 1:problems were found; each has a line", " 2:bad usage",
                " 3:an image could not be read"},
        footer = {"", "Examples:",
                "  arena verify prices && cp --sparse=always prices* /backup",
                "  arena verify /var/prices /var/orders"})
final class VerifyCommand implements Callable<Integer> {
    private static final int COULD_NOT_READ = 3;

    private final Streams streams;

    @Parameters(paramLabel = "BASE", arity = "1..*", description = "bases of images, which have catalogs")
    private List<Path> bases = List.of();

    VerifyCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        int worst = ExitCode.OK;
        for (Path base : bases) {
            worst = Math.max(worst, verify(base));
        }
        return worst;
    }

    private int verify(Path base) throws IOException {
        String name = Streams.printable(FoundImage.baseOf(base).toString());
        try (ArenaImage image = Images.open(base)) {
            long problems = printProblems(image, name);
            if (problems > 0) {
                streams.print(name + ": " + ByteSizes.count(problems, "problem") + "\n");
                return ExitCode.SOFTWARE;
            }
            streams.print(name + ": no problem in " + checked(image) + "\n");
            return ExitCode.OK;
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            streams.complain(base.toString(), Streams.cause(e));
            return COULD_NOT_READ;
        }
    }

    private long printProblems(ArenaImage image, String name) throws IOException {
        long count = 0;
        try (Task task = streams.progress().start("verifying " + name, "problems");
                Stream<ImageProblem> problems = image.problems()) {
            for (Iterator<ImageProblem> each = problems.iterator(); each.hasNext();) {
                ImageProblem problem = each.next();
                String where = problem.allocation().map(allocation -> allocation.label() + ": ").orElse("");
                streams.print(name + ": " + Streams.printable(where + problem.description()) + "\n");
                task.at(++count);
            }
        }
        return count;
    }

    private String checked(ArenaImage image) throws IOException {
        long count = 0;
        long byteSize = 0;
        try (Stream<Allocation> allocations = image.allocations()) {
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                byteSize = ByteSizes.sum(byteSize, each.next().byteSize());
                count++;
            }
        }
        return ByteSizes.count(count, "allocation") + " of " + ByteSizes.format(byteSize) + "; " + ImageState.of(image)
                .word();
    }
}
