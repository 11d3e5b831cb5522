package dev.arenakit.tool.importing;

/// The exception for a row that cannot be imported.
final class ImportException extends Exception {
    private static final long serialVersionUID = 1L;

    private ImportException(String message) {
        super(message);
    }

    /// Makes the exception for a row that is wrong as a whole.
    static ImportException row(String problem) {
        return new ImportException(problem);
    }

    /// Makes the exception for a value.
    ///
    /// @param path    the path of the field, or empty for the struct itself
    /// @param problem the text after the value in the message, which says what is expected
    static ImportException value(String path, String value, String problem) {
        int shown = 60;
        String text = value.length() <= shown ? value : value.substring(0, shown) + "...";
        return new ImportException((path.isEmpty() ? "" : "field " + path + ": ") + "'" + text + "' " + problem);
    }

    String problem() {
        return String.valueOf(getMessage());
    }
}
