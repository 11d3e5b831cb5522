package dev.arenakit.tool.purge;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Durations;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.purge.PurgeCandidates.Candidate;
import java.io.IOException;
import java.util.OptionalLong;

/// Prints the images that are removed, or that would be removed without `--dry-run`.
interface PurgeReport {
    /// Prints an image that is removed.
    ///
    /// @param freed the size on disk of its files
    void removed(Candidate candidate, OptionalLong freed) throws IOException;

    /// Prints the sums.
    ///
    /// @param count the number of images that are removed
    void finish(long count, OptionalLong freed) throws IOException;

    /// Prints that there is no image to remove.
    void nothing() throws IOException;

    /// Lines for people.
    ///
    /// @param isDryRun whether nothing is removed
    record Text(Streams streams, boolean isDryRun) implements PurgeReport {
        @Override
        public void removed(Candidate candidate, OptionalLong freed) throws IOException {
            streams.print((isDryRun ? "would remove " : "removed ")
                    + PrintableText.of(candidate.image().base().toString()) + ": "
                    + ByteSizes.format(freed) + " on disk; " + candidate.state()
                    + (candidate.age().isNegative()
                            ? ", changed in the future, at " + candidate.lastChange()
                            : ", unchanged for " + Durations.format(candidate.age()))
                    + "\n");
        }

        @Override
        public void finish(long count, OptionalLong freed) throws IOException {
            streams.print((isDryRun ? "would free " : "freed ") + ByteSizes.format(freed) + " on disk in "
                    + Counts.of(count, "image") + "\n");
        }

        @Override
        public void nothing() throws IOException {
            streams.print("nothing to remove\n");
        }
    }

    /// JSON for programs.
    ///
    /// @param isDryRun whether nothing is removed
    record Json(JsonLines lines, boolean isDryRun) implements PurgeReport {
        @Override
        public void removed(Candidate candidate, OptionalLong freed) throws IOException {
            lines.write("image", json -> {
                ImageFileSet.writeJson(json, candidate.image().base());
                json.writeBooleanProperty("removed", !isDryRun);
                JsonLines.number(json, "onDisk", freed);
                json.writeStringProperty("state", candidate.state());
                json.writeStringProperty("changed", candidate.lastChange().toString());
            });
        }

        @Override
        public void finish(long count, OptionalLong freed) throws IOException {
            lines.write("summary", json -> {
                json.writeBooleanProperty("removed", !isDryRun);
                json.writeNumberProperty("images", count);
                JsonLines.number(json, "onDisk", freed);
            });
        }

        @Override
        public void nothing() throws IOException {
            finish(0, OptionalLong.of(0));
        }
    }
}
