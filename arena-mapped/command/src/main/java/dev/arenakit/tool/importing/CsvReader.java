package dev.arenakit.tool.importing;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads records of comma-separated values (RFC 4180). Records end with a line feed or with a carriage return and a
/// line feed.
final class CsvReader {
    /// Fields of this size fit into a small heap, even while they are assembled.
    private static final int LARGEST_FIELD = 1 << 22;
    private static final int LARGEST_RECORD = 1 << 23;

    private final Reader reader;
    private int next = -2;
    private long line = 1;
    private long recordLine = 1;

    CsvReader(Reader reader) {
        this.reader = reader;
    }

    /// A field.
    ///
    /// @param isQuoted whether the field has quotation marks; an empty field without them has no value
    record Field(String text, boolean isQuoted) {
        boolean hasValue() {
            return isQuoted || !text.isEmpty();
        }
    }

    /// The line in which the last record begins, from 1.
    long line() {
        return recordLine;
    }

    /// Reads a record, or returns null at the end.
    @Nullable
    List<Field> read() throws IOException, ImportException {
        if (next == -2) {
            next = reader.read();
        }
        recordLine = line;
        if (next < 0) {
            return null;
        }
        List<Field> fields = new ArrayList<>();
        long size = 0;
        while (true) {
            Field field = next == '"' ? quoted() : plain();
            fields.add(field);
            size += field.text.length() + 1;
            if (size > LARGEST_RECORD) {
                throw tooLong("row", LARGEST_RECORD);
            }
            if (next != ',') {
                break;
            }
            next = reader.read();
        }
        boolean isReturn = next == '\r';
        if (isReturn) {
            next = reader.read();
        }
        if (next == '\n') {
            line++;
            next = reader.read();
        } else if (next >= 0 && isReturn) {
            // Reading ends here, since each further row would have the same error.
            next = -1;
            throw ImportException.row("a carriage return without a line feed: convert the ends of the lines");
        } else if (next >= 0) {
            throw ImportException.row("a field with quotation marks ends before its comma: double the marks within it");
        }
        return fields;
    }

    /// Reading ends here, since the rest of the file begins within a field.
    private ImportException tooLong(String what, int largest) {
        next = -1;
        return ImportException
                .row("a " + what + " of more than " + largest + " characters: is a quotation mark missing?");
    }

    private Field plain() throws IOException, ImportException {
        StringBuilder text = new StringBuilder();
        while (next >= 0 && next != ',' && next != '\n' && next != '\r') {
            append(text);
        }
        return new Field(text.toString(), false);
    }

    private Field quoted() throws IOException, ImportException {
        StringBuilder text = new StringBuilder();
        next = reader.read();
        while (true) {
            if (next == '"') {
                next = reader.read();
                if (next != '"') {
                    return new Field(text.toString(), true);
                }
            } else if (next < 0) {
                throw ImportException.row("the file ends within quotation marks");
            } else if (next == '\n') {
                line++;
            }
            append(text);
        }
    }

    private void append(StringBuilder text) throws IOException, ImportException {
        text.append((char) next);
        if (text.length() > LARGEST_FIELD) {
            throw tooLong("field", LARGEST_FIELD);
        }
        next = reader.read();
    }
}
