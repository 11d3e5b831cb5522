package dev.arenakit.tool.repair;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Interruption;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena repair`.
@Command(name = "repair",
        description = {"Copies a damaged image and mends the copy.",
                "The original is only read. The command prints what it does. Allocations keep their numbers. Records"
                        + " that cannot be read are dropped, lost parts of data files become holes, and allocations"
                        + " whose file is missing count as freed. Maps that were open when the machine failed keep the"
                        + " entries that can be verified, and trees the entries of the last force().",
                "An image that a process has open is refused. If the copy fails or is interrupted, its files are"
                        + " removed."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:the copy has all that was recorded", " 1:records or data are lost", " 2:wrong command line",
                " 3:the image could not be read, or the copy not be written"},
        footer = {"", "Examples:",
                "  arena repair /var/prices         writes /var/prices-repaired",
                "  arena repair /var/prices --to /backup/prices"})
public final class RepairCommand implements Callable<Integer> {
    @Option(names = "--to", paramLabel = "BASE",
            description = "the base of the copy, whose files must not exist; the default is the base of the image with"
                    + " the suffix -repaired")
    private Optional<Path> to = Optional.empty();

    @Parameters(paramLabel = "BASE", description = "the base of an image that has a catalog")
    private Path base = Path.of("");

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        return frame.run(base, ExitCodes.UNREADABLE, () -> repair(ImageFileSet.baseOf(base)));
    }

    private int repair(Path original) throws IOException {
        Path copy = to.orElseGet(() -> original.resolveSibling(original.getFileName() + "-repaired"));
        String name = PrintableText.of(original.toString());
        List<ImageFiles.Repair> repairs = mend(original, copy);
        for (ImageFiles.Repair repair : repairs) {
            frame.print(name + ": " + (repair.isLoss() ? "lost: " : "")
                    + PrintableText.of(repair.description()) + "\n");
        }
        String copyName = PrintableText.of(copy.toString());
        try (ArenaImage image = ArenaImage.open(copy)) {
            boolean isSound = printProblems(image, copyName);
            AllocationSequence allocations = new AllocationSequence(image);
            allocations.forEach(_ -> {
                // This pass only counts the allocations.
            });
            frame.print(copyName + ": " + Counts.of(allocations.count(), "allocation") + ", "
                    + Counts.of(repairs.size(), "thing") + " mended\n");
            return ExitCodes.of(isSound && repairs.stream().noneMatch(ImageFiles.Repair::isLoss));
        }
    }

    private List<ImageFiles.Repair> mend(Path original, Path copy) throws IOException {
        try (Interruption interruption = new Interruption()) {
            return ImageFiles.repair(original, copy, count -> {
                interruption.check();
                frame.streams().progress().at("repairing", count, 0);
            });
        } catch (NoSuchFileException e) {
            if (e.getFile().equals(ImageFileSet.of(original).catalog().toString())) {
                throw ImageFileSet.noCatalog(original, e);
            }
            throw e;
        } catch (FileAlreadyExistsException e) {
            throw new IOException("a file of the copy exists: path=" + e.getFile() + "; pass another base with --to",
                    e);
        } catch (FileSystemException e) {
            throw e.getReason() == null ? e : new IOException(e.getReason() + ": path=" + e.getFile(), e);
        } catch (CancellationException e) {
            throw e;
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Prints what could not be mended.
    ///
    /// @return whether everything could be mended
    private boolean printProblems(ArenaImage image, String name) throws IOException {
        boolean isSound = true;
        try (Stream<ImageIntegrity.Problem> problems = image.integrity()
                .problems()
                .filter(problem -> !problem.isNote())) {
            for (Iterator<ImageIntegrity.Problem> each = problems.iterator(); each.hasNext(); isSound = false) {
                ImageIntegrity.Problem problem = each.next();
                String where = problem.allocation().map(allocation -> allocation.label() + ": ").orElse("");
                frame.print(name + ": not mended: " + PrintableText.of(where + problem.description()) + "\n");
            }
        }
        return isSound;
    }
}
