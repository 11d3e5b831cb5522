package dev.arenakit.tool.purge;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.mapped.internal.files.EffectiveUser;
import dev.arenakit.mapped.internal.locks.ImageLock;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageDirectory;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Finds the images that may be removed. Images that cannot be read are reported.
final class PurgeCandidates {
    /// An image that may be removed.
    ///
    /// @param image      the files of the image
    /// @param state      `closed`, `died` or `unfinished`
    /// @param lastChange the time of the last change
    /// @param age        the time since then; negative if a clock was wrong
    /// @param stored     the size on disk of the files that would be removed
    record Candidate(ImageFileSet image, String state, Instant lastChange, Duration age, OptionalLong stored) {}

    private final PurgeReport report;
    private final DiskUsage.Meter meter;
    private final Duration minAge;
    private final List<Candidate> all = new ArrayList<>();

    /// @param minAge the least age of candidates
    PurgeCandidates(PurgeReport report, DiskUsage.Meter meter, Duration minAge) {
        this.report = report;
        this.meter = meter;
        this.minAge = minAge;
    }

    /// The candidates that were found.
    List<Candidate> all() {
        return Collections.unmodifiableList(all);
    }

    /// Finds the candidates in a directory, or one image.
    void find(Path target) throws IOException {
        for (ImageFileSet image : images(target)) {
            candidate(image, !Files.isDirectory(target)).ifPresent(all::add);
        }
    }

    private List<ImageFileSet> images(Path target) {
        try {
            if (Files.isDirectory(target)) {
                ImageDirectory directory = ImageDirectory.of(target);
                directory.unnamed().forEach(catalog -> report.problem(catalog, ImageDirectory.NO_NAME));
                return directory.images().stream().filter(ImageFileSet::hasCatalog).toList();
            }
            ImageFileSet image = ImageFileSet.of(ImageFileSet.baseOf(target));
            if (image.hasCatalog()) {
                return List.of(image);
            }
            report.problem(target, image.isEmpty()
                    ? "no such image"
                    : "no catalog, only data files, which may belong to something else");
        } catch (IOException | UncheckedIOException e) {
            report.problem(target, ErrorText.cause(e));
        }
        return List.of();
    }

    /// @param isNamed whether the user has named this image; the reason is then reported if it is not a candidate
    private Optional<Candidate> candidate(ImageFileSet found, boolean isNamed) {
        try {
            // Ask for the owner first: another user may have made a catalog that takes long to read.
            Optional<String> foreign = foreignOwner(found);
            if (foreign.isPresent()) {
                if (isNamed) {
                    report.problem(found.base(), foreign.get());
                }
                return Optional.empty();
            }
            return ownCandidate(found, isNamed);
        } catch (IOException | UncheckedIOException e) {
            report.problem(found.catalog(), ErrorText.cause(e));
            return Optional.empty();
        }
    }

    private Optional<Candidate> ownCandidate(ImageFileSet found, boolean isNamed) throws IOException {
        if (UnfinishedFiles.areOf(found)) {
            return isFree(found, "unknown", isNamed)
                    ? candidate(found, UnfinishedFiles.STATE, Files.getLastModifiedTime(found.catalog()).toInstant(),
                            meter.onDisk(found))
                    : Optional.empty();
        }
        try (ArenaImage image = ArenaImage.open(found.base())) {
            ImageState state = ImageState.of(image);
            Set<Path> recorded = PurgeRemoval.recorded(image);
            return isFree(found, pid(state), isNamed)
                    ? candidate(found, state.word(), lastChange(found, recorded, state),
                            PurgeRemoval.stored(meter, found, recorded))
                    : Optional.empty();
        }
    }

    private Optional<Candidate> candidate(ImageFileSet found, String state, Instant lastChange, OptionalLong stored) {
        Duration age = Duration.between(lastChange, Instant.now());
        return minAge.isPositive() && age.compareTo(minAge) < 0
                ? Optional.empty()
                : Optional.of(new Candidate(found, state, lastChange, age, stored));
    }

    /// The reason why this user must not remove the image.
    private static Optional<String> foreignOwner(ImageFileSet found) throws IOException {
        return EffectiveUser.owns(found.catalog())
                ? Optional.empty()
                : Optional.of("it belongs to another user: "
                        + Files.getOwner(found.catalog(), LinkOption.NOFOLLOW_LINKS).getName());
    }

    /// Whether no process has an image open.
    private boolean isFree(ImageFileSet found, String pid, boolean isNamed) throws IOException {
        ImageLock.Holder holder = ImageLock.holderOf(found.base());
        if (holder != ImageLock.Holder.NONE && isNamed) {
            report.problem(found.base(), holder == ImageLock.Holder.PROCESS
                    ? "process " + pid + " has it open"
                    : "a process may have it open: the file system has no locks; remove its files by hand");
        }
        return holder == ImageLock.Holder.NONE;
    }

    private static String pid(ImageState state) {
        return state.owners().isEmpty() ? "unknown" : Long.toString(state.owners().getLast().pid());
    }

    private static Instant lastChange(ImageFileSet found, Set<Path> recorded, ImageState state) throws IOException {
        Instant last = Files.getLastModifiedTime(found.catalog()).toInstant();
        for (OwnerRecord owner : state.owners()) {
            last = later(last, owner.opened());
        }
        for (Path file : recorded) {
            try {
                last = later(last, Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant());
            } catch (NoSuchFileException e) {
                // A missing file does not change the age.
            }
        }
        return last;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
