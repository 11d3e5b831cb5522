package dev.arenakit.tool.verify;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.ImageIntegrity.DamagedRange;
import dev.arenakit.mapped.Seal;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.UnknownHolesWarning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Checks the live allocations of an image: the entries of structures, such as maps, and the contents of sealed
/// allocations. An allocation that cannot be read is reported, and the next allocation follows.
final class AllocationChecks {
    private final Streams streams;
    private final ArenaImage image;
    private final Path base;
    private final VerifyReport report;
    private final UnknownHolesWarning warning;
    private long problems;
    private long structures;
    private long entries;
    private long compared;
    private long unsealed;
    /// The number of bytes of all live allocations, and how many of them were compared.
    private long bytes;
    private long comparedBytes;
    private boolean failed;

    AllocationChecks(Streams streams, ArenaImage image, Path base, VerifyReport report) {
        this.streams = streams;
        this.image = image;
        this.base = base;
        this.report = report;
        warning = new UnknownHolesWarning(streams, "holes are read as zeros, which takes long");
    }

    /// Checks the allocations.
    ///
    /// @param hasData whether to read the contents of sealed allocations
    /// @param known   the number of problems of the catalog
    VerifyReport.Sums run(boolean hasData, long known) throws IOException {
        AllocationSequence allocations = new AllocationSequence(image);
        allocations.forEachLive(allocation -> check(allocation, false));
        if (hasData) {
            allocations.forEachLive(allocation -> check(allocation, true));
        }
        return new VerifyReport.Sums(known + problems, hasData, compared, unsealed, structures, entries);
    }

    /// Whether an allocation could not be read.
    boolean hasFailed() {
        return failed;
    }

    private void check(Allocation allocation, boolean isSeal) throws IOException {
        try {
            if (isSeal) {
                streams.progress().at("comparing", comparedBytes, bytes);
                comparedBytes = ByteSizes.sum(comparedBytes, allocation.byteSize());
                compare(allocation);
            } else {
                streams.progress().at("verifying", bytes, 0);
                bytes = ByteSizes.sum(bytes, allocation.byteSize());
                checkEntries(allocation);
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

    private void checkEntries(Allocation allocation) throws IOException {
        Optional<ImageEntries> found = image.entries(allocation);
        if (found.isPresent()) {
            structures++;
            entries += found.get().check(problem -> report(allocation, problem));
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

    /// Compares an allocation with its seal, and reports the ranges that differ.
    private void compare(Allocation allocation) throws IOException {
        Optional<Seal> seal = image.integrity().seal(allocation);
        if (seal.isEmpty()) {
            unsealed++;
            return;
        }
        if (allocation.file() >= 0) {
            try (SparseFile file = SparseFile.open(image.file(allocation.file()))) {
                warning.check(file);
            }
        }
        for (DamagedRange range : image.integrity().damage(allocation)) {
            problems++;
            report.damage(image, base, allocation, range, seal.get());
        }
        compared++;
        if (seal.get().byteSize() < allocation.byteSize()) {
            report.problem(base, new ImageIntegrity.Problem("Bytes were added after the seal, and are not compared:"
                    + " byteSize=" + (allocation.byteSize() - seal.get().byteSize()) + ", sealed="
                    + seal.get().time(), Optional.of(allocation), true));
        }
    }
}
