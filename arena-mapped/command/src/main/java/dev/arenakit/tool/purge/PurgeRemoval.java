package dev.arenakit.tool.purge;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.purge.PurgeCandidates.Candidate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/// Removes images. If an image cannot be removed, this is reported, and the next image is removed.
final class PurgeRemoval {
    private final Streams streams;
    private final PurgeReport report;
    private final PurgeErrors errors;
    private final DiskUsage.Meter meter;

    PurgeRemoval(Streams streams, PurgeReport report, PurgeErrors errors, DiskUsage.Meter meter) {
        this.streams = streams;
        this.report = report;
        this.errors = errors;
        this.meter = meter;
    }

    /// Removes images, and prints how much space this has freed.
    ///
    /// @param dryRun whether to print only what would be removed
    void remove(List<Candidate> candidates, boolean dryRun) throws IOException {
        OptionalLong freed = OptionalLong.of(0);
        long count = 0;
        try (Task task = streams.progress().start("removing", "images")) {
            for (Candidate candidate : candidates) {
                OptionalLong gone = dryRun ? candidate.stored() : remove(candidate);
                freed = ByteSizes.sum(freed, gone);
                boolean isGone = dryRun || !Files.exists(candidate.image().catalog(), LinkOption.NOFOLLOW_LINKS);
                count += isGone ? 1 : 0;
                task.at(count);
                if (isGone) {
                    report.removed(candidate, gone);
                }
            }
        }
        report.finish(count, freed);
    }

    /// The size on disk of the files that are removed with an image: the catalog, the lock file, and the recorded data
    /// files.
    static OptionalLong stored(DiskUsage.Meter meter, ImageFileSet found, ArenaImage image) throws IOException {
        OptionalLong sum = meter.measureOthers(found).storedByteSize();
        try (Stream<Path> files = image.dataFiles()) {
            for (Iterator<Path> each = files.iterator(); each.hasNext();) {
                sum = ByteSizes.sum(sum, meter.measureIfThere(each.next()).storedByteSize());
            }
        }
        return sum;
    }

    /// Removes an image.
    ///
    /// @return the freed space on disk
    private OptionalLong remove(Candidate candidate) throws IOException {
        ImageFileSet found = candidate.image();
        Set<Path> recorded = new HashSet<>();
        OptionalLong before = OptionalLong.of(0);
        if (candidate.state().equals(UnfinishedFiles.STATE)) {
            if (!UnfinishedFiles.areOf(found)) {
                errors.report(found.base(), "a process has opened it meanwhile");
                return OptionalLong.of(0);
            }
            found.numbers().forEach(number -> recorded.add(found.file(number)));
            before = meter.onDisk(found);
        } else {
            try (ArenaImage image = ArenaImage.open(found.base()); Stream<Path> files = image.dataFiles()) {
                before = stored(meter, found, image);
                files.forEach(recorded::add);
            } catch (IOException | UncheckedIOException e) {
                errors.report(found.base(), ErrorText.cause(e));
                return OptionalLong.of(0);
            }
        }
        try {
            ArenaImage.delete(found.base());
        } catch (IllegalStateException e) {
            errors.report(found.base(), "a process has opened it meanwhile");
        } catch (IOException e) {
            errors.report(found.base(), "not removed: " + e.getMessage());
            for (Throwable suppressed : e.getSuppressed()) {
                if (suppressed instanceof IOException) {
                    errors.report(found.base(), "not removed: " + suppressed.getMessage());
                }
            }
        }
        for (long number : found.numbers()) {
            Path file = found.file(number);
            if (!recorded.contains(file) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                streams.report(file + ": not removed: its image does not record it");
            }
        }
        return minus(before, remaining(found, recorded));
    }

    /// The size on disk of the files that still exist.
    private OptionalLong remaining(ImageFileSet found, Set<Path> recorded) {
        OptionalLong sum = meter.measureOthers(found).storedByteSize();
        for (Path file : recorded) {
            sum = ByteSizes.sum(sum, meter.measureIfThere(file).storedByteSize());
        }
        return sum;
    }

    private static OptionalLong minus(OptionalLong before, OptionalLong after) {
        return before.isPresent() && after.isPresent()
                ? OptionalLong.of(Math.max(0, before.getAsLong() - after.getAsLong()))
                : OptionalLong.empty();
    }
}
