package dev.arenakit.tool.diff;

import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;

/// Prints the differences between two images: a line for each allocation, followed by the first differences in it.
final class DiffReport {
    private static final String INDENTATION = "    ";

    private final Streams streams;
    private final long limit;
    private long gone;
    private long added;
    private long changed;
    private long same;

    /// The heading of the current allocation.
    private String heading = "";
    private boolean hasHeading;
    private long details;
    private String unit = "";

    /// @param limit the largest number of details of each allocation
    DiffReport(Streams streams, long limit) {
        this.streams = streams;
        this.limit = limit;
    }

    /// Reports an allocation that only the first image has.
    void gone(String what) throws IOException {
        gone++;
        line(AnsiCodes.RED, "- " + what);
    }

    /// Reports an allocation that only the second image has.
    void added(String what) throws IOException {
        added++;
        line(AnsiCodes.GREEN, "+ " + what);
    }

    /// Begins an allocation that both images have.
    void begin(String what) {
        heading = what;
        hasHeading = false;
        details = 0;
    }

    /// Reports that the current allocation has another size or type.
    void property(String property, String before, String after) throws IOException {
        printHeading();
        detail(property + ": " + before, after);
    }

    /// Counts a detail of the current allocation.
    ///
    /// @param unit the kind of detail, for the number of those that are not printed
    /// @return whether to print the detail
    boolean wants(String unit) throws IOException {
        printHeading();
        this.unit = unit;
        return ++details <= limit;
    }

    /// Prints a detail.
    void detail(String before, String after) throws IOException {
        streams.print(INDENTATION + PrintableText.of(before + " -> " + after) + "\n");
    }

    /// Ends the current allocation or a part of it: prints the number of details that were left out.
    void endPart() throws IOException {
        long left = details - limit;
        if (left > 0) {
            streams.print(INDENTATION + "(" + ByteSizes.count(left, (limit == 0 ? "" : "more ") + unit) + ")\n");
        }
        details = 0;
    }

    /// Ends the current allocation.
    void end() {
        if (hasHeading) {
            changed++;
        } else {
            same++;
        }
    }

    /// Prints the sums.
    ///
    /// @param isComplete whether all could be compared
    /// @return whether anything differs
    boolean finish(boolean isComplete) throws IOException {
        boolean differs = gone + added + changed > 0;
        streams.print(differs
                ? "%s changed, %s gone, %s added, %s the same\n".formatted(ByteSizes.grouped(changed),
                        ByteSizes.grouped(gone), ByteSizes.grouped(added), ByteSizes.grouped(same))
                : "no difference in " + ByteSizes.count(same, "allocation")
                        + (isComplete ? "" : ", as far as they could be read") + "\n");
        return differs;
    }

    private void printHeading() throws IOException {
        if (!hasHeading) {
            hasHeading = true;
            line(AnsiCodes.YELLOW, "! " + heading);
        }
    }

    private void line(String colour, String text) throws IOException {
        streams.print(streams.styled(colour, PrintableText.of(text)) + "\n");
    }

    /// Whether an allocation exists in one image alone.
    boolean hasUnmatched() {
        return gone + added > 0;
    }
}
