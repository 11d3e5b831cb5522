package dev.arenakit.tool.importing;

import java.util.List;

/// The exception for a row that cannot be imported.
final class ImportException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_VALUE = 60;
    private static final int MOST_NAMES = 10;

    /// Makes the exception for a row that is wrong as a whole.
    ImportException(String problem) {
        super(problem);
    }

    /// Makes the exception for a value.
    ///
    /// @param path    the path of the field, or empty for the struct itself
    /// @param problem the text after the value in the message, which says what is expected
    static ImportException value(String path, String value, String problem) {
        String text = value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE) + "...";
        return new ImportException((path.isEmpty() ? "" : "field " + path + ": ") + "'" + text + "' " + problem);
    }

    /// The first names of a list, for a message.
    static String listed(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
                + (names.size() > MOST_NAMES ? " ..." : "");
    }
}
