package dev.arenakit.tool.verify;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.ImageIntegrity.DamagedRange;
import dev.arenakit.mapped.Seal;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.UnknownHolesWarning;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Compares the live allocations of an image with their seals, and reports the ranges that differ.
final class SealComparison {
    private final Streams streams;
    private final ArenaImage image;
    private final Path base;
    private final VerifyReport report;
    private final UnknownHolesWarning warning;
    private long compared;
    private long unsealed;
    private long damaged;
    private boolean failed;

    SealComparison(Streams streams, ArenaImage image, Path base, VerifyReport report) {
        this.streams = streams;
        this.image = image;
        this.base = base;
        this.report = report;
        warning = new UnknownHolesWarning(streams, "holes are read as zeros, which takes long");
    }

    void run() throws IOException {
        new AllocationSequence(image).forEachLive(allocation -> {
            Optional<Seal> seal = image.integrity().seal(allocation);
            if (seal.isEmpty()) {
                unsealed++;
                return;
            }
            compare(allocation, seal.get());
        });
    }

    private void compare(Allocation allocation, Seal seal) throws IOException {
        try (Task _ = streams.progress().start("comparing " + allocation.label() + " with its seal", "bytes")) {
            if (allocation.file() >= 0) {
                try (SparseFile file = SparseFile.open(image.file(allocation.file()))) {
                    warning.check(file);
                }
            }
            for (DamagedRange range : image.integrity().damage(allocation)) {
                damaged++;
                report.damage(image, base, allocation, range, seal);
            }
            compared++;
            if (seal.byteSize() < allocation.byteSize()) {
                report.problem(base, new ImageIntegrity.Problem("Bytes were added after the seal, and are not compared:"
                        + " byteSize=" + (allocation.byteSize() - seal.byteSize()) + ", sealed=" + seal.time(),
                        Optional.of(allocation), true));
            }
        } catch (Output.Failure e) {
            throw e;
        } catch (NoSuchFileException e) {
            // A missing file is a problem of the image, and was printed as such.
        } catch (IOException e) {
            failed = true;
            streams.report(base + ": " + allocation.label(), e);
        }
    }

    /// Whether a file could not be read.
    boolean hasFailed() {
        return failed;
    }

    /// The results for the image.
    ///
    /// @param problems the number of problems of the catalog
    /// @param hasData  whether the contents were read
    VerifyReport.Sums sums(long problems, boolean hasData, StructureChecks structures) {
        return new VerifyReport.Sums(problems + damaged, hasData, compared, unsealed, structures.count(),
                structures.entries());
    }
}
