package dev.arenakit.tool.importing;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.structs.StructColumns;
import java.io.IOException;
import java.io.Reader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Imports a table with a header, as `arena export --csv` prints it. The columns may have any order. Fields without a
/// column are zero, and so are empty fields, except that a text with spaces at its end is spaces.
final class CsvImport implements ImportCommand.Source {
    private static final String INDEX = "index";
    private static final String RANGE = "..";
    /// Fields of this size fit into a small heap, even while they are assembled.
    private static final int LARGEST_FIELD = 1 << 22;
    private static final int LARGEST_ROW = 1 << 23;

    private final Iterator<CsvRecord> rows;
    private final ImportTarget target;
    /// The struct whose fields are all empty. The members of a union that are not empty overwrite its spaces.
    private final MemorySegment empty;
    private final List<Column> columns = new ArrayList<>();
    /// The number of columns before those of the fields: 1 if the first column is the index.
    private final int first;
    private long line = 1;

    private record Column(String path, MemoryType type, long byteOffset) {}

    /// Reads the header.
    CsvImport(Reader reader, StructType type, ImportTarget target) throws IOException, ImportException {
        this.target = target;
        empty = MemorySegment.ofArray(new byte[Math.toIntExact(type.byteSize())]);
        rows = CsvReader.builder()
                .allowUnclosedQuote(false)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(LARGEST_FIELD)
                .skipEmptyLines(false)
                .build(CsvRecordHandler.of(limits -> limits.maxFields(StructColumns.MAX + 1)
                        .maxFieldSize(LARGEST_FIELD)
                        .maxRecordSize(LARGEST_ROW)), reader)
                .iterator();
        List<String> header = nextRow();
        if (header.isEmpty()) {
            throw new ImportException("there is no header: the first line has the names of the fields");
        }
        if (new StructColumns().count(type) > StructColumns.MAX) {
            throw new ImportException("the type has too many fields for a table: import JSON");
        }
        Map<String, Column> known = new LinkedHashMap<>();
        StructColumns.forEach(type,
                (path, leaf, byteOffset) -> known.put(path, new Column(path, leaf, byteOffset)));
        List<String> paths = List.copyOf(known.keySet());
        // If the table has no index, a field may have the name of the index column.
        boolean hasIndex = header.getFirst().equals(INDEX)
                && (!known.containsKey(INDEX) || Collections.frequency(header, INDEX) > 1);
        first = hasIndex ? 1 : 0;
        for (String name : header.subList(first, header.size())) {
            Column column = known.remove(name);
            if (column == null) {
                throw ImportException.value("", name, paths.contains(name)
                        ? "is the name of two columns"
                        : "is no field of the type, whose fields are " + ImportException.listed(paths));
            }
            columns.add(column);
            if (column.type instanceof StringType text && text.padding() == StringType.Padding.SPACE) {
                ValueParser.store(name, text, "", empty, column.byteOffset);
            }
        }
    }

    @Override
    public long line() {
        return line;
    }

    /// Returns the fields of the next row, or an empty list at the end.
    private List<String> nextRow() throws IOException {
        try {
            if (!rows.hasNext()) {
                return List.of();
            }
            CsvRecord row = rows.next();
            line = row.getStartingLineNumber();
            return row.getFields();
        } catch (CsvParseException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            String message = "no CSV: " + e.getMessage();
            throw new IOException(message.contains("quot")
                    ? message + "; close quotation marks, and double those within a field"
                    : message, e);
        }
    }

    @Override
    public boolean next() throws IOException, ImportException {
        List<String> fields = nextRow();
        // An empty line of a table of several columns is no row.
        boolean isEmptyLine = fields.equals(List.of("")) && (first == 1 || columns.size() > 1);
        if (!fields.isEmpty() && !isEmptyLine) {
            readRow(fields);
        }
        return !fields.isEmpty();
    }

    private void readRow(List<String> fields) throws IOException, ImportException {
        if (fields.size() != columns.size() + first) {
            throw new ImportException(Counts.of(fields.size(), "field") + ", but the header has "
                    + (columns.size() + first));
        }
        long index = target.rows;
        if (first == 1) {
            String text = fields.getFirst();
            int range = text.indexOf(RANGE);
            if (range >= 0) {
                zeros(fields, text, range);
                return;
            }
            index = ValueParser.index(INDEX, text);
        }
        target.struct.copyFrom(empty);
        for (int i = 0; i < columns.size(); i++) {
            String field = fields.get(i + first);
            Column column = columns.get(i);
            if (!field.isEmpty()) {
                ValueParser.store(column.path, column.type, field, target.struct, column.byteOffset);
            }
        }
        target.add(index);
    }

    private void zeros(List<String> fields, String text, int range) throws ImportException {
        long from = ValueParser.index(INDEX, text.substring(0, range));
        long to = ValueParser.index(INDEX, text.substring(range + RANGE.length()));
        if (to < from || !fields.stream().skip(1).allMatch(String::isEmpty)) {
            throw ImportException.value(INDEX, text,
                    "is a range of zeros: its end is not before its start, and the other fields are empty");
        }
        target.addZeros(from, to - from + 1);
    }
}
