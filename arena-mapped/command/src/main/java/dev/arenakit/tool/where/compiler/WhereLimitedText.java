package dev.arenakit.tool.where.compiler;

/// A text that can be read a limited number of times. A regular expression such as `(x|x)+y` backtracks. It could read
/// a text of a hundred characters for longer than anybody waits.
final class WhereLimitedText implements CharSequence {
    /// An expression that does not backtrack reads each character a few times.
    private static final long STEPS = 10_000_000;
    private static final long STEPS_PER_CHARACTER = 100;

    private final String text;
    private long left;

    WhereLimitedText(String text) {
        this.text = text;
        left = STEPS + STEPS_PER_CHARACTER * text.length();
    }

    @Override
    public char charAt(int index) {
        if (--left < 0) {
            throw new TooManyException();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }

    /// Ends a search. This exception has no stack trace.
    static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyException() {
            super("Too many steps", null, false, false);
        }
    }
}
