package dev.arenakit.tool.importing;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.structs.StructColumns;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;

/// Imports a table with a header, as `arena export --csv` prints it. The columns may have any order. Fields without a
/// column are zero, and so are empty fields, except that a text with spaces at its end is spaces.
final class CsvImport implements ImportCommand.Source {
    private static final String INDEX = "index";
    private static final String RANGE = "..";
    /// Fields of this size fit into a small heap, even while they are assembled.
    private static final int LARGEST_FIELD = 1 << 22;

    private final Iterator<CsvRecord> rows;
    private final ImportTarget target;
    private final List<ImportField> columns = new ArrayList<>();
    /// The number of columns before those of the fields: 1 if the first column is the index.
    private final int first;
    private long line = 1;

    /// Reads the header.
    CsvImport(Reader reader, ImportTarget target) throws IOException {
        this.target = target;
        rows = CsvReader.builder()
                .allowUnclosedQuote(false)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(LARGEST_FIELD)
                .skipEmptyLines(false)
                .build(CsvRecordHandler.of(limits -> limits.maxFields(StructColumns.MAX + 1)
                        .maxFieldSize(LARGEST_FIELD)
                        .maxRecordSize(2 * LARGEST_FIELD)), reader)
                .iterator();
        List<String> header = nextRow();
        if (header.isEmpty()) {
            throw new IOException("there is no header: the first line has the names of the fields");
        }
        // If the table has no index, a field may have the name of the index column.
        boolean hasIndex = header.getFirst().equals(INDEX)
                && (target.type.member(INDEX).isEmpty() || Collections.frequency(header, INDEX) > 1);
        first = hasIndex ? 1 : 0;
        for (String name : header.subList(first, header.size())) {
            columns.add(target.field(ImportTarget.pointer(name)));
        }
        if (new HashSet<>(columns).size() < columns.size()) {
            throw new IOException("two columns have the same name");
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
            throw new IOException("no CSV: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean next() throws IOException {
        List<String> fields = nextRow();
        // An empty line of a table of several columns is no row.
        boolean isEmptyLine = fields.equals(List.of("")) && (first == 1 || columns.size() > 1);
        if (!fields.isEmpty() && !isEmptyLine) {
            readRow(fields);
        }
        return !fields.isEmpty();
    }

    private void readRow(List<String> fields) throws IOException {
        if (fields.size() != columns.size() + first) {
            throw new IOException(Counts.of(fields.size(), "field") + ", but the header has "
                    + (columns.size() + first));
        }
        List<String> values = fields.subList(first, fields.size());
        String index = first == 1 ? fields.getFirst() : Long.toString(target.rows);
        int range = index.indexOf(RANGE);
        long from = ImportField.index(INDEX, range < 0 ? index : index.substring(0, range));
        if (range >= 0) {
            long to = ImportField.index(INDEX, index.substring(range + RANGE.length()));
            if (to < from || !values.stream().allMatch(String::isEmpty)) {
                throw ImportField.wrong(INDEX, index,
                        "is a range of zeros: its end is not before its start, and the other fields are empty", null);
            }
            target.addZeros(from, to - from + 1);
            return;
        }
        target.struct.fill((byte) 0);
        // The members of a union that have a value overwrite the spaces of other members.
        for (boolean isEmpty : new boolean[]{true, false}) {
            for (int i = 0; i < columns.size(); i++) {
                if (values.get(i).isEmpty() == isEmpty && (!isEmpty || columns.get(i).hasSpaces())) {
                    columns.get(i).store(values.get(i), target.struct);
                }
            }
        }
        target.add(from);
    }
}
