package dev.arenakit.tool.importing;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.structs.StructColumns;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Imports a table with a header, as `arena export --csv` prints it. The columns may have any order. Fields without a
/// column are zero.
final class CsvImport implements ImportCommand.Source {
    private static final String INDEX = "index";
    private static final String RANGE = "..";
    /// Fields of this size fit into a small heap, even while they are assembled.
    private static final int LARGEST_FIELD = 1 << 22;
    private static final int LARGEST_ROW = 1 << 23;

    private final Row row = new Row();
    private final Iterator<List<@Nullable String>> rows;
    private final StructType type;
    private final ImportTarget target;
    private final byte[] struct;
    private final List<Column> columns = new ArrayList<>();
    private boolean hasHeader;
    /// Whether the first column is the index.
    private boolean hasIndex;
    /// Whether the rest of the input cannot be read.
    private boolean isBroken;

    CsvImport(Reader reader, StructType type, ImportTarget target) {
        rows = CsvReader.builder()
                .allowUnclosedQuote(false)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(LARGEST_FIELD)
                .skipEmptyLines(false)
                .build(row, reader)
                .iterator();
        this.type = type;
        this.target = target;
        struct = new byte[Math.toIntExact(type.byteSize())];
    }

    private record Column(String path, MemoryType type, int byteOffset) {}

    /// Collects the fields of a row, in one list for all rows. A field without a value, which has no quotation marks
    /// either, is null.
    private static final class Row extends AbstractBaseCsvCallbackHandler<List<@Nullable String>> {
        private final List<@Nullable String> fields = new ArrayList<>();
        private long size;

        long line() {
            return getStartingLineNumber();
        }

        @Override
        protected void handleBegin(long line) {
            fields.clear();
            size = 0;
        }

        @Override
        protected void handleField(int index, char[] buffer, int from, int length, boolean isQuoted) {
            size += length + 1;
            if (size > LARGEST_ROW) {
                throw new CsvParseException("a row of more than " + LARGEST_ROW + " characters");
            }
            fields.add(length > 0 || isQuoted ? new String(buffer, from, length) : null);
        }

        @Override
        protected void handleEmpty() {
            fields.add(null);
        }

        @Override
        protected List<@Nullable String> buildRecord() {
            return fields;
        }
    }

    @Override
    public long line() {
        return row.line();
    }

    @Override
    public boolean next() throws IOException, ImportException {
        boolean isHeader = !hasHeader;
        hasHeader = true;
        List<@Nullable String> fields;
        try {
            if (isBroken || !rows.hasNext()) {
                if (isHeader) {
                    throw new ImportException("there is no header: the first line has the names of the fields");
                }
                return false;
            }
            fields = rows.next();
        } catch (CsvParseException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            isBroken = true;
            throw new ImportException("no CSV: " + reason(e));
        }
        if (isHeader) {
            isBroken = true;
            readHeader(fields);
            isBroken = false;
        } else if (fields.size() > 1 || fields.getFirst() != null || (columns.size() == 1 && !hasIndex)) {
            // An empty line of a table of several columns is no row.
            readRow(fields);
        }
        return true;
    }

    /// The message without the parser's settings, which the user cannot change.
    private static String reason(CsvParseException e) {
        String message = String.valueOf(e.getMessage());
        String problem = message.startsWith("The maximum buffer size")
                ? "a field of more than " + LARGEST_FIELD + " characters"
                : message.replaceFirst(" \\(record starting at line \\d+\\)$", "");
        return problem + "; close quotation marks, and double those within a field";
    }

    private void readHeader(List<@Nullable String> header) throws ImportException {
        if (new StructColumns().count(type) > StructColumns.MAX) {
            throw new ImportException("the type has too many fields for a table: import JSON");
        }
        Map<String, Column> known = new LinkedHashMap<>();
        StructColumns.forEach(type,
                (path, leaf, byteOffset) -> known.put(path, new Column(path, leaf, (int) byteOffset)));
        List<String> paths = List.copyOf(known.keySet());
        // If the table has no index, a field may have the name of the index column.
        hasIndex = INDEX.equals(header.getFirst())
                && (!known.containsKey(INDEX) || Collections.frequency(header, INDEX) > 1);
        for (String field : header.subList(hasIndex ? 1 : 0, header.size())) {
            String name = Objects.requireNonNullElse(field, "");
            Column column = known.remove(name);
            if (column == null) {
                throw ImportException.value("", name, paths.contains(name)
                        ? "is the name of two columns"
                        : "is no field of the type, whose fields are " + ImportException.listed(paths));
            }
            columns.add(column);
        }
    }

    private void readRow(List<@Nullable String> fields) throws IOException, ImportException {
        int first = hasIndex ? 1 : 0;
        if (fields.size() != columns.size() + first) {
            throw new ImportException(Counts.of(fields.size(), "field") + ", but the header has "
                    + (columns.size() + first));
        }
        long index = target.rows;
        if (hasIndex) {
            String text = Objects.requireNonNullElse(fields.getFirst(), "");
            int range = text.indexOf(RANGE);
            if (range >= 0) {
                zeros(fields, text, range);
                return;
            }
            index = ValueParser.index(INDEX, text);
        }
        Arrays.fill(struct, (byte) 0);
        for (int i = 0; i < columns.size(); i++) {
            String field = fields.get(i + first);
            if (field != null) {
                Column column = columns.get(i);
                ValueParser.store(column.path, column.type, field, struct, column.byteOffset);
            }
        }
        target.add(index, struct);
    }

    private void zeros(List<@Nullable String> fields, String text, int range) throws ImportException {
        long from = ValueParser.index(INDEX, text.substring(0, range));
        long to = ValueParser.index(INDEX, text.substring(range + RANGE.length()));
        if (to < from || fields.stream().skip(1).anyMatch(Objects::nonNull)) {
            throw ImportException.value(INDEX, text,
                    "is a range of zeros: its end is not before its start, and the other fields are empty");
        }
        target.addZeros(from, to - from + 1);
    }
}
