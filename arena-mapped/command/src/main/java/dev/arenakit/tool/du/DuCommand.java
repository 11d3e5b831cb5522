package dev.arenakit.tool.du;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageDirectory;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena du`.
@Command(name = "du",
        description = {"Prints the size of images on disk, and how much of each allocation was written.",
                "The files of arenas are sparse: pages that were never written take no space. Freed memory is counted"
                        + " as long as it takes space."},
        footerHeading = "%nColumns:%n",
        footer = {"  SIZE      the size, holes included",
                "  ON DISK   the space that the file system has allocated for the files of an",
                "            image: its data files, its catalog and its lock file",
                "  WRITTEN   the size of the pages of an allocation that were written",
                "  EXTENTS   the number of ranges of data between the holes",
                "  bars      show the size on disk, or the written size",
                "  ?         the file system does not report the value",
                "",
                "Examples:",
                "  arena du                measures the images in this directory",
                "  arena du /var/prices    measures the allocations of one image"})
public final class DuCommand implements Callable<Integer> {
    private final Streams streams;

    @Option(names = "--json", description = "print JSON, one object per line")
    private boolean json;

    @Parameters(paramLabel = "DIR|BASE", arity = "0..1",
            description = "a directory, or the base of an image; the default is the current directory")
    private Path target = Path.of("");

    @Mixin
    private final CommandFrame frame;

    public DuCommand(Streams streams) {
        frame = new CommandFrame(streams);
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        return frame.run(target, () -> ExitCodes.of(print()));
    }

    private boolean print() throws IOException {
        DuForm form = json ? new DuJson(streams) : new DuText(streams);
        if (Files.isDirectory(target)) {
            ImageDirectory directory = ImageDirectory.of(target);
            boolean isComplete = directory.reportUnnamed(streams);
            if (!directory.images().isEmpty()) {
                return form.printImages(directory.images()) && isComplete;
            }
            if (isComplete) {
                streams.report("no image in directory " + target.toAbsolutePath());
            }
            return false;
        }
        ImageFileSet found = ImageFileSet.of(ImageFileSet.baseOf(target));
        try (ArenaImage image = ImageFileSet.openImage(target)) {
            return form.printImage(image, found);
        }
    }
}
