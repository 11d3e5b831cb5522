package dev.arenakit.tool.ls;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.image.DamagedRecordsWarning;
import dev.arenakit.tool.image.ImageDirectory;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena ls`.
@Command(name = "ls",
        description = {"Lists the images in a directory, or the allocations of an image.",
                "An image consists of the files that an arena has written or is writing: BASE-0, BASE-1 and so on, and"
                        + " BASE.catalog, which describes them."},
        footerHeading = "%nColumns:%n",
        footer = {"  NAME      the name of an image or an allocation, or #7 for allocation",
                "            number 7 without a name",
                "  TYPE      the struct in the allocation, and the number of structs; of a map",
                "            or a tree, its kind and the number of its entries; 5 of 9, 2 forced",
                "            = 5 structs were stored in memory for 9, and 2 of them were forced",
                "            before the machine failed, or the image was moved without arena copy",
                "  SIZE      the size of live allocations; of files, the size with holes",
                "  ON DISK   the space that the file system has allocated for the files of an",
                "            image: its data files, its catalog and its lock file",
                "  WRITTEN   the size of the pages of an allocation that were written",
                "  STATE     of an image: open = its owner is running, closed = its owner has",
                "            closed it, died = its owner has ended without closing it,",
                "            unknown = its owner may be running, since the file system has no",
                "            locks, no catalog = only data files are left;",
                "            of an allocation: live, freed, or what is wrong with its file;",
                "            incomplete = a map that was open when the machine failed, or when",
                "            the image was moved without arena copy,",
                "            damaged = a map or a tree that is damaged",
                "  OWNER     the last process that had the image open, and its start time",
                "  MADE      the time of the allocation, THREAD the Java thread that made it",
                "  EXTENTS   the number of ranges of data between the holes",
                "  ?         the file system does not report the value",
                "",
                "Examples:",
                "  arena ls                lists the images in this directory",
                "  arena ls /var/prices    lists another directory, or the image of this base",
                "  arena ls --sort disk    begins with the largest image"})
public final class LsCommand implements Callable<Integer> {
    @Option(names = "--json", description = "print JSON, one object per line")
    private boolean json;

    @Option(names = "--sort", paramLabel = "COLUMN",
            description = "sort by a column: ${COMPLETION-CANDIDATES}; disk is ON DISK or WRITTEN")
    private Optional<LsOrder> order = Optional.empty();

    @Parameters(paramLabel = "DIR|BASE", arity = "0..1",
            description = "a directory, or the base of an image; the default is the current directory")
    private Path target = Path.of("");

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        return frame.run(target, () -> ExitCodes.of(list()));
    }

    private boolean list() throws IOException {
        LsForm form = json ? new LsJson(frame.streams(), order) : new LsText(frame.streams(), order);
        if (Files.isDirectory(target)) {
            ImageDirectory directory = ImageDirectory.of(target);
            boolean isComplete = directory.reportUnnamed(frame.streams());
            if (!directory.images().isEmpty()) {
                return form.printImages(directory.images()) && isComplete;
            }
            if (isComplete) {
                frame.report("no image in directory " + target.toAbsolutePath());
            }
            return false;
        }
        ImageFileSet found = ImageFileSet.of(ImageFileSet.baseOf(target));
        if (found.isEmpty() && Files.isRegularFile(target) && ImageFiles.numberOf(target).isPresent()) {
            frame.report(target + " is a data file of an image (try arena ls "
                    + ImageFiles.baseOf(target).orElse(target) + ", or arena hexdump " + target + ")");
            return false;
        }
        if (found.isEmpty() && RingState.isRing(target)) {
            frame.report(target + " is a ring (try arena show " + target + ")");
            return false;
        }
        if (found.isEmpty()) {
            frame.report(target + " is neither a directory nor the base of an image (" + found.catalog() + ", "
                    + found.file(0) + ", " + found.file(1) + " ...)");
            return false;
        }
        try (ArenaImage image = ImageFileSet.openImage(found.base())) {
            boolean isPrinted = form.printImage(image, found);
            return !DamagedRecordsWarning.report(frame.streams(), image, found.base()) && isPrinted;
        }
    }
}
