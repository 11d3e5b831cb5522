package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.importing.CsvReader.Field;
import dev.arenakit.tool.structs.StructColumns;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Imports a table with a header, as `arena export --csv` prints it. The columns may have any order. Fields without a
/// column are zero.
final class CsvImport {
    private static final String INDEX = "index";
    private static final String RANGE = "..";

    private final CsvReader csv;
    private final ImportTarget target;
    private final ImportErrors errors;
    private final byte[] struct;
    private final List<Column> columns = new ArrayList<>();
    /// Whether the first column is the index.
    private boolean hasIndex;

    CsvImport(Reader reader, StructType type, ImportTarget target, ImportErrors errors) {
        csv = new CsvReader(reader);
        this.target = target;
        this.errors = errors;
        struct = new byte[Math.toIntExact(type.byteSize())];
    }

    private record Column(String path, MemoryType type, int byteOffset) {}

    void run(StructType type) throws IOException {
        try {
            readHeader(type);
        } catch (ImportException e) {
            errors.add(csv.line(), e);
            return;
        }
        while (errors.mayContinue()) {
            try {
                List<Field> fields = csv.read();
                if (fields == null) {
                    return;
                }
                row(fields);
            } catch (ImportException e) {
                errors.add(csv.line(), e);
            }
            errors.progress(csv.line());
        }
    }

    private void readHeader(StructType type) throws IOException, ImportException {
        List<Field> header = csv.read();
        if (header == null) {
            throw ImportException.row("there is no header: the first line has the names of the fields");
        }
        if (new StructColumns().count(type) > StructColumns.MAX) {
            throw ImportException.row("the type has too many fields for a table: import JSON");
        }
        Map<String, Column> known = new HashMap<>();
        List<String> paths = new ArrayList<>();
        StructColumns.forEach(type, (path, leaf, byteOffset) -> {
            known.put(path, new Column(path, leaf, (int) byteOffset));
            paths.add(path);
        });
        // If the table has no index, a field may have the name of the index column.
        hasIndex = header.getFirst().text().equals(INDEX)
                && (!known.containsKey(INDEX)
                        || header.stream().filter(field -> field.text().equals(INDEX)).count() > 1);
        for (Field field : header.subList(hasIndex ? 1 : 0, header.size())) {
            Column column = known.remove(field.text());
            if (column == null) {
                throw ImportException.value("", field.text(), paths.contains(field.text())
                        ? "is the name of two columns"
                        : "is no field of the type, whose fields are " + shortened(paths));
            }
            columns.add(column);
        }
    }

    private static String shortened(List<String> paths) {
        int shown = 10;
        return String.join(", ", paths.subList(0, Math.min(shown, paths.size())))
                + (paths.size() > shown ? " ..." : "");
    }

    private void row(List<Field> fields) throws IOException, ImportException {
        if (fields.size() == 1 && !fields.getFirst().hasValue() && (hasIndex || columns.size() > 1)) {
            // An empty line is no row.
            return;
        }
        int first = hasIndex ? 1 : 0;
        if (fields.size() != columns.size() + first) {
            throw ImportException.row(Counts.of(fields.size(), "field") + ", but the header has "
                    + (columns.size() + first));
        }
        long index = target.rows();
        if (hasIndex) {
            String text = fields.getFirst().text();
            int range = text.indexOf(RANGE);
            if (range >= 0) {
                zeros(fields, text, range);
                return;
            }
            index = index(text, text);
        }
        Arrays.fill(struct, (byte) 0);
        for (int i = 0; i < columns.size(); i++) {
            Field field = fields.get(i + first);
            if (field.hasValue()) {
                Column column = columns.get(i);
                ValueParser.store(column.path, column.type, field.text(), struct, column.byteOffset);
            }
        }
        target.check(index, 1);
        target.add(index, struct);
    }

    private void zeros(List<Field> fields, String text, int range) throws ImportException {
        long from = index(text, text.substring(0, range));
        long to = index(text, text.substring(range + RANGE.length()));
        if (to < from || fields.subList(1, fields.size()).stream().anyMatch(Field::hasValue)) {
            throw ImportException.value(INDEX, text,
                    "is a range of zeros: its end is not before its start, and the other"
                            + " fields are empty");
        }
        target.check(from, to - from + 1);
        target.addZeros(from, to - from + 1);
    }

    private static long index(String field, String text) throws ImportException {
        try {
            long index = Long.parseLong(text);
            if (index >= 0) {
                return index;
            }
        } catch (NumberFormatException e) {
            // The error is reported below.
        }
        throw ImportException.value(INDEX, field, "is no index: write a number from 0, or a range of zeros as 8..15");
    }
}
