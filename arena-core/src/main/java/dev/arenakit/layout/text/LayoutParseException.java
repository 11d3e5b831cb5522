package dev.arenakit.layout.text;

import java.io.Serial;

/// Thrown when a text is not a valid layout. The exception contains the position in the text, what was expected there,
/// and what was found.
public final class LayoutParseException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// The line, from 1.
    private final int line;
    /// The column, from 1.
    private final int column;
    /// What is valid at this position.
    private final String expected;
    /// What the text contains instead, or what is wrong with it.
    private final String found;

    /// Creates the exception.
    ///
    /// @param line     the line, counted from 1
    /// @param column   the column, counted in characters from 1
    /// @param expected what is valid at this position
    /// @param found    what the text contains instead, or what is wrong with it
    public LayoutParseException(int line, int column, String expected, String found) {
        super("Text is not a layout: line=" + line + ", column=" + column + ", expected=" + expected + ", found="
                + found);
        this.line = line;
        this.column = column;
        this.expected = expected;
        this.found = found;
    }

    /// {@return the line, counted from 1}
    public int line() {
        return line;
    }

    /// {@return the column, counted in characters from 1}
    public int column() {
        return column;
    }

    /// {@return a description of what is valid at this position}
    public String expected() {
        return expected;
    }

    /// {@return what was found at this position, or what is wrong with it}
    public String found() {
        return found;
    }
}
