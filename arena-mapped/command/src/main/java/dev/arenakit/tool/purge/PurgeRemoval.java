package dev.arenakit.tool.purge;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.purge.PurgeCandidates.Candidate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Removes images. If an image cannot be removed, this is reported, and the next image is removed.
final class PurgeRemoval {
    private static final String NOT_REMOVED = "not removed: ";

    private final Streams streams;
    private final PurgeReport report;

    PurgeRemoval(Streams streams, PurgeReport report) {
        this.streams = streams;
        this.report = report;
    }

    /// Removes images, and prints how much space this has freed.
    ///
    /// @param dryRun whether to print only what would be removed
    void remove(List<Candidate> candidates, boolean dryRun) throws IOException {
        OptionalLong freed = OptionalLong.of(0);
        long count = 0;
        for (Candidate candidate : candidates) {
            if (dryRun ? isRemovable(candidate) : remove(candidate)) {
                count++;
                freed = ByteSizes.sum(freed, candidate.stored());
                report.removed(candidate);
            }
        }
        report.finish(count, freed);
    }

    /// Whether all files of an image can be removed. The reasons of a refusal are reported.
    private boolean isRemovable(Candidate candidate) {
        ImageFileSet found = candidate.image();
        boolean isRemovable = true;
        try {
            List<Path> files = new ArrayList<>(List.of(found.catalog(), found.lock()));
            files.addAll(recorded(candidate));
            for (Path file : files) {
                isRemovable &= isTrusted(found, file);
            }
        } catch (IOException | UncheckedIOException e) {
            report.problem(found.base(), ErrorText.cause(e));
            return false;
        }
        Path directory = found.catalog().toAbsolutePath().resolveSibling("");
        if (!Files.isWritable(directory)) {
            report.problem(found.base(), NOT_REMOVED + directory + ": Permission denied");
            return false;
        }
        return isRemovable;
    }

    private boolean isTrusted(ImageFileSet image, Path file) throws IOException {
        try {
            FileTrust.check(file);
            return true;
        } catch (NoSuchFileException _) {
            return true;
        } catch (FileTrust.UntrustedException e) {
            report.problem(image.base(), NOT_REMOVED + e.getMessage());
            return false;
        }
    }

    /// The data files that are removed with an image, in the order in which it records them.
    private static Set<Path> recorded(Candidate candidate) throws IOException {
        ImageFileSet found = candidate.image();
        if (candidate.state().equals(UnfinishedFiles.STATE)) {
            return found.numbers().stream().map(found::file).collect(Collectors.toCollection(LinkedHashSet::new));
        }
        try (ArenaImage image = ArenaImage.open(found.base())) {
            return recorded(image);
        }
    }

    static Set<Path> recorded(ArenaImage image) throws IOException {
        try (Stream<Path> files = image.dataFiles()) {
            return files.collect(Collectors.toCollection(LinkedHashSet::new));
        }
    }

    /// The size on disk of the files that are removed with an image and still exist: the catalog, the lock file, and the
    /// recorded data files.
    static OptionalLong stored(DiskUsage.Meter meter, ImageFileSet found, Set<Path> recorded) {
        OptionalLong sum = meter.measureOthers(found).storedByteSize();
        for (Path file : recorded) {
            sum = ByteSizes.sum(sum, meter.measureIfThere(file).storedByteSize());
        }
        return sum;
    }

    /// Removes an image.
    ///
    /// @return whether the image does not exist any more
    private boolean remove(Candidate candidate) {
        ImageFileSet found = candidate.image();
        Set<Path> recorded;
        try {
            if (candidate.state().equals(UnfinishedFiles.STATE) && !UnfinishedFiles.areOf(found)) {
                report.problem(found.base(), "a process has opened it meanwhile");
                return false;
            }
            recorded = recorded(candidate);
        } catch (IOException | UncheckedIOException e) {
            report.problem(found.base(), ErrorText.cause(e));
            return false;
        }
        try {
            ImageFiles.delete(found.base());
        } catch (IllegalStateException e) {
            report.problem(found.base(), "a process has opened it meanwhile");
        } catch (IOException e) {
            report.problem(found.base(), NOT_REMOVED + e.getMessage());
            for (Throwable suppressed : e.getSuppressed()) {
                if (suppressed instanceof IOException) {
                    report.problem(found.base(), NOT_REMOVED + suppressed.getMessage());
                }
            }
        }
        for (long number : found.numbers()) {
            Path file = found.file(number);
            if (!recorded.contains(file) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                streams.report(file + ": not removed: its image does not record it");
            }
        }
        return !Files.exists(found.catalog(), LinkOption.NOFOLLOW_LINKS);
    }
}
