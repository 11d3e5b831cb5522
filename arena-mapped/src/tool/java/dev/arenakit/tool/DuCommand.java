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

/// `arena du`.
@Command(name = "du", versionProvider = Main.Version.class, mixinStandardHelpOptions = true,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Tells what images and allocations take on disk.",
                "Files of arenas are sparse: what was never written takes no room. Memory that has been freed is counted as long as"
                        + " it takes some."},
        footerHeading = "%nColumns:%n",
        footer = {"  SIZE      how far it reaches, holes included",
                "  ON DISK   what is in it: pages that were written. In the total, what the",
                "            file system has set aside for the files",
                "  EXTENTS   the number of stretches of data between the holes",
                "  a bar     what is on disk, the longest for the most",
                "  ?         the system does not tell",
                "",
                "Examples:",
                "  arena du                the images in this directory",
                "  arena du /var/prices    the allocations of one image"})
final class DuCommand implements Callable<Integer> {
    private final Streams streams;

    @Parameters(paramLabel = "DIR|BASE", arity = "0..1",
            description = "a directory, or the base of an image; the current directory where there is none")
    private Path target = Path.of("");

    DuCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        try {
            return print() ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            streams.complain(target.toString(), e);
            return ExitCode.SOFTWARE;
        }
    }

    private boolean print() throws IOException {
        if (Files.isDirectory(target)) {
            Collection<FoundImage> images = FoundImage.in(target);
            if (images.isEmpty()) {
                streams.complain("no image in directory " + target.toAbsolutePath());
                return false;
            }
            return new UseOfImages(streams).print(images);
        }
        FoundImage found = FoundImage.of(FoundImage.baseOf(target));
        try (ArenaImage image = Images.open(target)) {
            return new UseOfAllocations(streams).print(image, found);
        }
    }
}
