package dev.arenakit.tool.where;

/// The exception for a predicate that cannot be parsed, or that does not apply to a type.
public final class WhereException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int column;

    /// @param column the position of the error in the text, from 0
    WhereException(int column, String problem) {
        super("column " + (column + 1) + ": " + problem);
        this.column = column;
    }

    /// The position of the error in the text, from 0.
    int column() {
        return column;
    }

    /// The error and its position, for the user.
    public String problem() {
        return String.valueOf(getMessage());
    }
}
