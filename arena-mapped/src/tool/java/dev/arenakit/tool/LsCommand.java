package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `arena ls`.
@Command(name = "ls", versionProvider = Main.Version.class, mixinStandardHelpOptions = true,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Lists images, or the allocations of one.",
                "An image is what an arena has left, or is still writing, in the files BASE-0, BASE-1"
                        + " and so on, with a catalog of them, BASE.catalog."},
        footerHeading = "%nColumns:%n",
        footer = {"  NAME      of an allocation its name, or #7 for number 7 that has none",
                "  TYPE      the struct that stands in it, and how many of them",
                "  SIZE      what is allocated; of files, how far they reach",
                "  ON DISK   what the file system has set aside, holes left out",
                "  STATE     of an image: open = its owner is at work, closed = its owner has",
                "            closed it, died = it has not and is gone, or no catalog;",
                "            of an allocation: live, freed, or what its file lacks",
                "  OWNER     the process that had it last, and when that started",
                "  MADE      when an allocation was made, THREAD by which thread of Java",
                "  ?         the system does not tell",
                "",
                "Examples:",
                "  arena ls                the images in this directory",
                "  arena ls /var/prices    those in another, or one of base /var/prices"})
final class LsCommand implements Callable<Integer> {
    private final Streams streams;

    @Parameters(paramLabel = "DIR|BASE", arity = "0..1",
            description = "a directory, or the base of an image; the current directory where there is none")
    private Path target = Path.of("");

    LsCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        try {
            if (Files.isDirectory(target)) {
                return listDirectory();
            }
            FoundImage image = FoundImage.of(FoundImage.baseOf(target));
            if (image.isEmpty()) {
                streams.complain("no directory " + target + " and no image " + target + ", of files " + target
                        + ".catalog, " + target + "-0, " + target + "-1 ...");
                return ExitCode.SOFTWARE;
            }
            return listImage(image);
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            streams.complain(target.toString(), e);
            return ExitCode.SOFTWARE;
        }
    }

    private int listDirectory() throws IOException {
        Collection<FoundImage> images = FoundImage.in(target);
        if (images.isEmpty()) {
            streams.complain("no image in directory " + target.toAbsolutePath());
            return ExitCode.SOFTWARE;
        }
        return new ImageTable(streams).print(images) ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private int listImage(FoundImage found) throws IOException {
        if (!found.hasCatalog()) {
            return new FileTable(streams).print(found) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
        try (ArenaImage image = Images.open(found.base())) {
            return new AllocationTable(streams).print(image, found) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }
}
