package dev.arenakit.layout;

import java.io.Serial;

/// A text that is no layout: where, what was expected there, and what was found instead.
public final class LayoutParseException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// The line, from 1.
    private final int line;
    /// The column, from 1.
    private final int column;
    /// What would have been right.
    private final String expected;
    /// What stands there.
    private final String found;

    LayoutParseException(int line, int column, String expected, String found) {
        super("Text is no layout: line=" + line + ", column=" + column + ", expected=" + expected + ", found=" + found);
        this.line = line;
        this.column = column;
        this.expected = expected;
        this.found = found;
    }

    /// {@return the line, counted from 1}
    public int line() {
        return line;
    }

    /// {@return the column, counted from 1 in characters}
    public int column() {
        return column;
    }

    /// {@return what would have been right at that place}
    public String expected() {
        return expected;
    }

    /// {@return what stands at that place, or what is wrong with it}
    public String found() {
        return found;
    }
}
