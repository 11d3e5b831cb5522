package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageOwner;
import dev.arenakit.tool.Progress.Task;
import dev.arenakit.tool.Table.Column;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/// Removes images. One that cannot be removed is reported, and the others go.
final class Purge {
    /// An image that may go.
    ///
    /// @param image  its files by their names
    /// @param state  `closed` or `died`
    /// @param age    since when nobody has changed it
    /// @param stored what its recorded files take on disk
    record Candidate(FoundImage image, String state, Duration age, OptionalLong stored) {}

    private final Streams streams;
    private final Duration age;
    private final DiskUses uses;
    private boolean failed;

    /// @param age of what is removed, at least
    Purge(Streams streams, Duration age) {
        this.streams = streams;
        this.age = age;
        uses = new DiskUses(streams);
    }

    /// Whether something could not be read or removed.
    boolean hasFailed() {
        return failed || uses.hasFailed();
    }

    void fail(String what, IOException e) {
        failed = true;
        streams.complain(what, e);
    }

    /// Looks at an image.
    ///
    /// @param isNamed whether the user has named it, and is told why it stays
    /// @return the image where it may go
    Optional<Candidate> consider(FoundImage found, boolean isNamed) {
        try (ArenaImage image = ArenaImage.open(found.base())) {
            ImageState state = ImageState.of(image);
            if (image.ownerIsAlive()) {
                if (isNamed) {
                    fail(found.base().toString(), new IOException("process " + pid(state) + " is at work on it"));
                }
                return Optional.empty();
            }
            Duration unchanged = Duration.between(lastChange(found, image, state), Instant.now());
            return unchanged.compareTo(age) < 0
                    ? Optional.empty()
                    : Optional.of(new Candidate(found, state.word(), unchanged, stored(found, image)));
        } catch (IOException | UncheckedIOException e) {
            fail(found.catalog().toString(), Streams.cause(e));
            return Optional.empty();
        }
    }

    private static String pid(ImageState state) {
        return state.owners().isEmpty() ? "unknown" : Long.toString(state.owners().getLast().pid());
    }

    private static Instant lastChange(FoundImage found, ArenaImage image, ImageState state) throws IOException {
        Instant last = Files.getLastModifiedTime(found.catalog()).toInstant();
        for (ImageOwner owner : state.owners()) {
            last = later(last, owner.opened());
        }
        try (Stream<Path> files = image.dataFiles()) {
            for (Iterator<Path> each = files.iterator(); each.hasNext();) {
                try {
                    last = later(last,
                            Files.getLastModifiedTime(each.next(), LinkOption.NOFOLLOW_LINKS).toInstant());
                } catch (NoSuchFileException e) {
                    // What is not there does not make it younger.
                }
            }
        }
        return last;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /// What the files of an image take that are there.
    private OptionalLong stored(FoundImage found, ArenaImage image) throws IOException {
        OptionalLong sum = stored(found.catalog());
        try (Stream<Path> files = image.dataFiles()) {
            for (Iterator<Path> each = files.iterator(); each.hasNext();) {
                sum = ByteSizes.sum(sum, stored(each.next()));
            }
        }
        return sum;
    }

    private OptionalLong stored(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? uses.of(file).orElse(DiskUse.NONE).storedByteSize()
                : OptionalLong.of(0);
    }

    /// Prints what may go.
    void list(List<Candidate> candidates) throws IOException {
        Table table = new Table(Column.text("NAME"), Column.number("ON DISK"), Column.text("STATE"),
                Column.number("AGE"));
        table.print(streams, rows -> {
            for (Candidate candidate : candidates) {
                rows.row(Streams.printable(candidate.image.base().toString()), ByteSizes.format(candidate.stored),
                        candidate.state, Durations.format(candidate.age));
            }
        });
    }

    /// Removes images and says what that has freed.
    ///
    /// @param dryRun whether it only says so
    void remove(List<Candidate> candidates, boolean dryRun) throws IOException {
        OptionalLong freed = OptionalLong.of(0);
        long count = 0;
        try (Task task = streams.progress().start("removing", "images")) {
            for (Candidate candidate : candidates) {
                OptionalLong gone = dryRun ? candidate.stored : remove(candidate);
                freed = ByteSizes.sum(freed, gone);
                boolean isGone = dryRun || !Files.exists(candidate.image.catalog(), LinkOption.NOFOLLOW_LINKS);
                count += isGone ? 1 : 0;
                task.at(count);
                if (isGone) {
                    streams.print((dryRun ? "would remove " : "removed ")
                            + Streams.printable(candidate.image.base().toString()) + ": "
                            + ByteSizes.format(gone) + " on disk; " + candidate.state + ", unchanged for "
                            + Durations.format(candidate.age) + "\n");
                }
            }
        }
        streams.print((dryRun ? "would free " : "freed ") + ByteSizes.format(freed) + " on disk in "
                + ByteSizes.count(count, "image") + "\n");
    }

    /// Removes an image.
    ///
    /// @return what that has freed
    private OptionalLong remove(Candidate candidate) {
        FoundImage found = candidate.image;
        Set<Path> recorded = new HashSet<>();
        OptionalLong before = OptionalLong.of(0);
        try (ArenaImage image = ArenaImage.open(found.base()); Stream<Path> files = image.dataFiles()) {
            before = stored(found, image);
            files.forEach(recorded::add);
        } catch (IOException | UncheckedIOException e) {
            fail(found.base().toString(), Streams.cause(e));
            return OptionalLong.of(0);
        }
        try {
            ArenaImage.delete(found.base());
        } catch (IllegalStateException e) {
            fail(found.base().toString(), new IOException("a process has opened it meanwhile", e));
        } catch (IOException e) {
            failed = true;
            for (IOException each : all(e)) {
                streams.complain(found.base() + ": left: " + each.getMessage());
            }
        }
        for (long number : found.numbers()) {
            Path file = found.file(number);
            if (!recorded.contains(file) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                streams.complain(file + ": left: its image does not record it");
            }
        }
        return minus(before, left(found, recorded));
    }

    /// What an image still takes.
    private OptionalLong left(FoundImage found, Set<Path> recorded) {
        OptionalLong sum = stored(found.catalog());
        for (Path file : recorded) {
            sum = ByteSizes.sum(sum, stored(file));
        }
        return sum;
    }

    private static OptionalLong minus(OptionalLong before, OptionalLong after) {
        return before.isPresent() && after.isPresent()
                ? OptionalLong.of(Math.max(0, before.getAsLong() - after.getAsLong()))
                : OptionalLong.empty();
    }

    private static List<IOException> all(IOException e) {
        List<IOException> all = new ArrayList<>();
        all.add(e);
        for (Throwable suppressed : e.getSuppressed()) {
            if (suppressed instanceof IOException io) {
                all.add(io);
            }
        }
        return all;
    }
}
