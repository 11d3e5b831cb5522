package dev.arenakit.tool.copy;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.ByteSizes;
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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `arena copy`.
@Command(name = "copy",
        description = {"Copies an image: its catalog with types and seals, and its data files with their holes.",
                "A process may have the image open meanwhile. All allocations in the catalog of the copy are in its data"
                        + " files. What is stored during the copy may be in it or not, even in part. The copy has no"
                        + " owner, and only you may read it.",
                "If the owner has died, copy on the same machine, before it is restarted: then the copy has all rows,"
                        + " maps and trees, wherever it is moved. Files that cp or tar has copied have not.",
                "If the copy fails or is interrupted, its files are removed."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:the image was copied", " 1:the image could not be copied", " 2:wrong command line"},
        footer = {"", "Examples:",
                "  arena copy /var/prices /backup         copies to /backup/prices",
                "  arena copy /var/prices /backup/monday  copies to another name"})
public final class CopyCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BASE", description = "the base of an image that has a catalog")
    private Path base = Path.of("");

    @Parameters(index = "1", paramLabel = "TO",
            description = "the base of the copy, whose files must not exist; or a directory, in which the copy gets the"
                    + " name of the image")
    private Path to = Path.of("");

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        return frame.run(base, () -> {
            copy();
            return ExitCodes.OK;
        });
    }

    private void copy() throws IOException {
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            Path copy = Files.isDirectory(to) ? to.resolve(String.valueOf(image.base().getFileName())) : to;
            long[] byteCount = {0};
            try (Interruption interruption = new Interruption()) {
                long stored = storedByteSize(image);
                image.copyTo(copy, count -> {
                    interruption.check();
                    frame.streams().progress().at("copying", count, stored);
                    byteCount[0] = count;
                });
            } catch (FileAlreadyExistsException e) {
                throw new IOException("a file of the copy exists: path=" + e.getFile() + "; choose another base", e);
            } catch (NoSuchFileException e) {
                throw new IOException(ImageFiles.baseOf(Path.of(e.getFile())).equals(ImageFiles.baseOf(image.file(0)))
                        ? "data file is missing: path=" + e.getFile() + "; arena repair makes a copy without it"
                        : "no such directory: path=" + e.getFile(), e);
            } catch (FileSystemException e) {
                throw e.getReason() == null ? e : new IOException(e.getReason() + ": path=" + e.getFile(), e);
            }
            print(copy, byteCount[0]);
        }
    }

    /// Returns the number of bytes to copy, or 0 if it is unknown: data files need not exist.
    private static long storedByteSize(ArenaImage image) throws IOException {
        long sum = 0;
        for (Path path : image.dataFiles().toList()) {
            try (SparseFile file = SparseFile.open(path)) {
                sum += file.storedByteSize().orElse(0);
            } catch (IOException e) {
                return 0;
            }
        }
        return sum;
    }

    private void print(Path copy, long byteCount) throws IOException {
        try (ArenaImage copied = ArenaImage.open(copy)) {
            AllocationSequence allocations = new AllocationSequence(copied);
            long[] byteSize = {0};
            allocations.forEach(allocation -> byteSize[0] = ByteSizes.sum(byteSize[0], allocation.byteSize()));
            frame.print(PrintableText.of(copy.toString()) + ": copied "
                    + Counts.of(allocations.count(), "allocation")
                    + " of " + ByteSizes.format(byteSize[0]) + ", " + ByteSizes.format(byteCount)
                    + " written\n");
        }
    }
}
