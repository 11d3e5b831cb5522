package dev.arenakit.tool.verify;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.DamagedRange;
import dev.arenakit.mapped.Seal;
import dev.arenakit.mapped.SparseFile;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.UnknownHolesWarning;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/// Compares the live allocations of an image with their seals, and prints the ranges that differ.
final class SealComparison {
    private final Streams streams;
    private final ArenaImage image;
    private final String name;
    private final UnknownHolesWarning warning;
    private final Times times = new Times();
    private long sealed;
    private long unsealed;
    private long damaged;
    private boolean failed;

    /// @param name the name of the image, safe for terminals
    SealComparison(Streams streams, ArenaImage image, String name) {
        this.streams = streams;
        this.image = image;
        this.name = name;
        warning = new UnknownHolesWarning(streams, "holes are read as zeros, which takes long");
    }

    void run() throws IOException {
        new AllocationSequence(image).forEachLive(allocation -> {
            Optional<Seal> seal = image.seal(allocation);
            if (seal.isEmpty()) {
                unsealed++;
                return;
            }
            sealed++;
            compare(allocation, seal.get());
        });
    }

    private void compare(Allocation allocation, Seal seal) throws IOException {
        String label = name + ": " + PrintableText.of(allocation.label());
        try (Task _ = streams.progress().start("comparing " + allocation.label() + " with its seal", "bytes")) {
            if (allocation.file() >= 0) {
                try (SparseFile file = SparseFile.open(image.file(allocation.file()))) {
                    warning.check(file);
                }
            }
            String time = times.format(seal.time());
            for (DamagedRange range : image.damage(allocation)) {
                damaged++;
                streams.print(label + ": bytes 0x" + Long.toHexString(range.byteOffset()) + "..0x"
                        + Long.toHexString(range.end() - 1) + " differ from the seal of " + time
                        + structs(allocation, range) + "\n");
            }
            if (seal.byteSize() < allocation.byteSize()) {
                streams.print(label + ": note: " + ByteSizes.format(allocation.byteSize() - seal.byteSize())
                        + " were added after the seal of " + time + ", and are not compared\n");
            }
        } catch (Output.Failure e) {
            throw e;
        } catch (NoSuchFileException e) {
            // A missing file is one of the problems of the image, and was printed.
        } catch (IOException e) {
            failed = true;
            streams.report(label, e);
        }
    }

    private String structs(Allocation allocation, DamagedRange range) {
        try {
            return image.type(allocation)
                    .filter(type -> type.byteSize() > 0)
                    .map(type -> "; structs [" + range.byteOffset() / type.byteSize() + ".."
                            + (range.end() - 1) / type.byteSize() + "]")
                    .orElse("");
        } catch (LayoutParseException e) {
            // This is one of the problems of the image, and was printed.
            return "";
        }
    }

    /// The number of ranges that differ.
    long damaged() {
        return damaged;
    }

    /// Whether a file could not be read.
    boolean hasFailed() {
        return failed;
    }

    /// The number of allocations that were compared, for use at the end of a line.
    String summary() {
        return "; compared " + ByteSizes.count(sealed, "sealed allocation") + (unsealed > 0
                ? ", " + ByteSizes.grouped(unsealed) + " not sealed"
                : "");
    }
}
