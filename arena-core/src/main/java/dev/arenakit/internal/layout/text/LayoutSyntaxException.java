package dev.arenakit.internal.layout.text;

import java.io.Serial;

/// Thrown inside the parser when a text is not a layout, with the position and the reason. Users get the public
/// exception, which has the same contents.
public final class LayoutSyntaxException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;
    private final String expected;
    private final String found;

    LayoutSyntaxException(int line, int column, String expected, String found) {
        super("line=" + line + ", column=" + column + ", expected=" + expected + ", found=" + found);
        this.line = line;
        this.column = column;
        this.expected = expected;
        this.found = found;
    }

    /// The line, counted from 1.
    public int line() {
        return line;
    }

    /// The column, counted in characters from 1.
    public int column() {
        return column;
    }

    /// What is valid at this position.
    public String expected() {
        return expected;
    }

    /// What the text contains at this position, or what is wrong with it.
    public String found() {
        return found;
    }
}
