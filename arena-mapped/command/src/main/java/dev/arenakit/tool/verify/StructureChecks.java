package dev.arenakit.tool.verify;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Checks the structures of an image, such as maps, and reports their problems.
final class StructureChecks {
    private final Streams streams;
    private final ArenaImage image;
    private final Path base;
    private final VerifyReport report;
    private long problems;
    private long structures;
    private long entries;
    private boolean failed;

    StructureChecks(Streams streams, ArenaImage image, Path base, VerifyReport report) {
        this.streams = streams;
        this.image = image;
        this.base = base;
        this.report = report;
    }

    void run() throws IOException {
        new AllocationSequence(image).forEachLive(this::check);
    }

    private void check(Allocation allocation) throws IOException {
        try {
            Optional<ImageEntries> found = image.entries(allocation);
            if (found.isPresent()) {
                structures++;
                try (Task _ = streams.progress().start("checking " + allocation.label(), "bytes")) {
                    entries += found.get().check(problem -> report(allocation, problem));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (LayoutParseException | NoSuchFileException e) {
            // An unreadable type or a missing file is a problem of the image, and was printed as such.
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            failed = true;
            streams.report(base + ": " + allocation.label(), e);
        }
    }

    private void report(Allocation allocation, String problem) {
        try {
            problems++;
            report.problem(base, new ImageIntegrity.Problem(problem, Optional.of(allocation), false));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long problems() {
        return problems;
    }

    /// The number of structures.
    long count() {
        return structures;
    }

    /// The number of entries of all structures.
    long entries() {
        return entries;
    }

    /// Whether a file could not be read.
    boolean hasFailed() {
        return failed;
    }
}
