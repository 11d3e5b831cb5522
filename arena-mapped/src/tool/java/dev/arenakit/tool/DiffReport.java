package dev.arenakit.tool;

import java.io.IOException;

/// Prints what differs between two images: a line for each allocation, under which there are some of what differs in it.
final class DiffReport {
    private static final String GONE = "\u001b[31m";
    private static final String ADDED = "\u001b[32m";
    private static final String CHANGED = "\u001b[33m";
    private static final String PLAIN = "\u001b[0m";
    private static final String INDENTATION = "    ";

    private final Streams streams;
    private final long limit;
    private long gone;
    private long added;
    private long changed;
    private long same;

    /// Of the allocation that is compared.
    private String heading = "";
    private boolean hasHeading;
    private long details;
    private String unit = "";

    /// @param limit how many details are shown of each allocation
    DiffReport(Streams streams, long limit) {
        this.streams = streams;
        this.limit = limit;
    }

    /// Says that only the first image has an allocation.
    void gone(String what) throws IOException {
        gone++;
        line(GONE, "- " + what);
    }

    /// Says that only the second image has an allocation.
    void added(String what) throws IOException {
        added++;
        line(ADDED, "+ " + what);
    }

    /// Begins with an allocation that both have.
    void begin(String what) {
        heading = what;
        hasHeading = false;
        details = 0;
    }

    /// Says that it is of another size or type.
    void other(String property, String before, String after) throws IOException {
        printHeading();
        detail(property + ": " + before, after);
    }

    /// Counts a detail of it.
    ///
    /// @param unit what it is
    /// @return whether it is to be told
    boolean wants(String unit) throws IOException {
        printHeading();
        this.unit = unit;
        return ++details <= limit;
    }

    /// Tells a detail.
    void detail(String before, String after) throws IOException {
        streams.print(INDENTATION + Streams.printable(before + " -> " + after) + "\n");
    }

    /// Comes to the end of it, or of a part of it.
    void endPart() throws IOException {
        long left = details - limit;
        if (left > 0) {
            streams.print(INDENTATION + "(" + ByteSizes.count(left, (limit == 0 ? "" : "more ") + unit) + ")\n");
        }
        details = 0;
    }

    /// Comes to its end.
    void end() {
        if (hasHeading) {
            changed++;
        } else {
            same++;
        }
    }

    /// Prints the sums.
    ///
    /// @param isWhole whether all could be compared
    /// @return whether anything differs
    boolean finish(boolean isWhole) throws IOException {
        boolean differs = gone + added + changed > 0;
        streams.print(differs
                ? "%s changed, %s gone, %s added, %s the same\n".formatted(ByteSizes.grouped(changed),
                        ByteSizes.grouped(gone), ByteSizes.grouped(added), ByteSizes.grouped(same))
                : "no difference in " + ByteSizes.count(same, "allocation")
                        + (isWhole ? "" : ", as far as they could be read") + "\n");
        return differs;
    }

    private void printHeading() throws IOException {
        if (!hasHeading) {
            hasHeading = true;
            line(CHANGED, "! " + heading);
        }
    }

    private void line(String colour, String text) throws IOException {
        String printable = Streams.printable(text);
        streams.print((streams.ansi().enabled() ? colour + printable + PLAIN : printable) + "\n");
    }

    /// Whether an allocation has been found in one image alone.
    boolean hasSingles() {
        return gone + added > 0;
    }
}
