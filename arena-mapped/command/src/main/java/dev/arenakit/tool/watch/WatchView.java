package dev.arenakit.tool.watch;

import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import java.io.IOException;

/// Shows the figures of an image.
interface WatchView {
    /// The number of top allocations that are shown.
    int topCount();

    /// Shows figures.
    ///
    /// @param before the previous figures; the first time, the same figures
    void show(WatchFigures now, WatchFigures before) throws IOException;

    /// Shows why there are no further figures.
    void end(WatchFigures last, End end) throws IOException;

    /// A change per second, with its sign: `+1.5 MiB/s`.
    static String perSecond(double byteSize) {
        return sign(byteSize) + ByteSizes.format(Math.round(Math.abs(byteSize))) + "/s";
    }

    /// A change of a number per second, with its sign: `+12/s`.
    static String countPerSecond(double count) {
        return sign(count) + Counts.grouped(Math.round(Math.abs(count))) + "/s";
    }

    /// The size on disk, or `?` if it is unknown.
    static String stored(WatchFigures figures) {
        return figures.stored() < 0 ? "?" : ByteSizes.format(figures.stored());
    }

    private static String sign(double number) {
        return number < 0 ? "-" : "+";
    }

    /// The reason why there are no further figures of an image.
    enum End {
        /// The owner has closed the image.
        CLOSED("closed", "ended: process %d has closed the image"),
        /// The owner has ended without closing the image.
        DIED("died", "ended: process %d has died without closing the image"),
        /// The files of the image do not exist any more.
        DELETED("deleted", "ended: the image of process %d has been deleted"),
        /// The command was interrupted, and the owner is running.
        INTERRUPTED("interrupted", "interrupted");

        /// The word for programs.
        final String word;
        private final String text;

        End(String word, String text) {
            this.word = word;
            this.text = text;
        }

        /// The text for people.
        String describe(WatchFigures last) {
            return text.formatted(last.pid());
        }
    }
}
