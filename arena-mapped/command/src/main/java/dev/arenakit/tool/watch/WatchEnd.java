package dev.arenakit.tool.watch;

/// The reason why there are no further figures of an image.
enum WatchEnd {
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

    WatchEnd(String word, String text) {
        this.word = word;
        this.text = text;
    }

    /// The text for people.
    String describe(WatchFigures last) {
        return text.formatted(last.pid());
    }
}
