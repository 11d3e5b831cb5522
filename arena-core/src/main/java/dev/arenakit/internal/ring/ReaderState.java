package dev.arenakit.internal.ring;

/// The position of the reader, and whether it is inside of a poll.
///
/// The words are in the middle of an array, because producers in other threads read objects whose cache lines the
/// reader would change otherwise with each poll.
final class ReaderState {
    private static final int POSITION = 16;
    private static final int IS_POLLING = 17;
    private static final int LENGTH = 34;

    private final long[] words = new long[LENGTH];

    /// @throws IllegalStateException if a poll is running
    void begin(long position) {
        if (words[IS_POLLING] != 0) {
            throw new IllegalStateException("A poll of this ring is running: a handler must not poll its own ring, and "
                    + "a ring has one reader");
        }
        words[IS_POLLING] = 1;
        words[POSITION] = position;
    }

    void end() {
        words[IS_POLLING] = 0;
    }

    long position() {
        return words[POSITION];
    }

    void moveTo(long position) {
        words[POSITION] = position;
    }
}
