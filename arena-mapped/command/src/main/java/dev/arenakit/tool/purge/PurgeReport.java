package dev.arenakit.tool.purge;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.purge.PurgeCandidates.Candidate;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/// Prints the images that are removed, or that would be removed without `--dry-run`, and the problems.
final class PurgeReport {
    private final Streams streams;
    private final Optional<JsonLines> lines;
    private final boolean isDryRun;
    private boolean failed;

    /// @param isJson   whether to print JSON for programs, and not lines for people
    /// @param isDryRun whether nothing is removed
    PurgeReport(Streams streams, boolean isJson, boolean isDryRun) {
        this.streams = streams;
        lines = isJson ? Optional.of(new JsonLines(streams, "purge")) : Optional.empty();
        this.isDryRun = isDryRun;
    }

    /// Whether an image could not be read or removed.
    boolean hasFailed() {
        return failed;
    }

    void problem(Object subject, IOException e) {
        problem(subject, ErrorText.of(e));
    }

    void problem(Object subject, String reason) {
        failed = true;
        streams.report(subject + ": " + reason);
    }

    /// Prints an image that is removed.
    void removed(Candidate candidate) throws IOException {
        if (lines.isPresent()) {
            lines.get().write("image", json -> {
                ImageFileSet.writeJson(json, candidate.image().base());
                json.writeBooleanProperty("removed", !isDryRun);
                JsonLines.number(json, "onDisk", candidate.stored());
                json.writeStringProperty("state", candidate.state());
                json.writeStringProperty("changed", candidate.lastChange().toString());
            });
            return;
        }
        streams.print((isDryRun ? "would remove " : "removed ")
                + PrintableText.of(candidate.image().base().toString()) + ": "
                + ByteSizes.format(candidate.stored()) + " on disk; " + candidate.state() + ", unchanged for "
                + Times.format(candidate.age()) + "\n");
    }

    /// Prints the sums.
    ///
    /// @param count the number of images that are removed
    void finish(long count, OptionalLong freed) throws IOException {
        if (lines.isPresent()) {
            lines.get().write("summary", json -> {
                json.writeBooleanProperty("removed", !isDryRun);
                json.writeNumberProperty("images", count);
                JsonLines.number(json, "onDisk", freed);
            });
            return;
        }
        streams.print((isDryRun ? "would free " : "freed ") + ByteSizes.format(freed) + " on disk in "
                + Counts.of(count, "image") + "\n");
    }

    /// Prints that there is no image to remove.
    void nothing() throws IOException {
        if (lines.isPresent()) {
            finish(0, OptionalLong.of(0));
        } else {
            streams.print("nothing to remove\n");
        }
    }
}
