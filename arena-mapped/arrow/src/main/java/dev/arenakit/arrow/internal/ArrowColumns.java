package dev.arenakit.arrow.internal;

import dev.arenakit.dump.FieldLocation;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnTableRows;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ColumnTypes;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.TextDictionary;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The columns that structs of a type have in Arrow, and their dictionaries.
public final class ArrowColumns {
    /// The largest number of rows of a batch, unless a caller chooses another one: the columns of some rows fit into a
    /// processor's cache, and a reader has enough work for a batch.
    public static final int BATCH_ROWS = 1 << 16;

    /// The largest number of bytes of a row. The offsets in a batch are of type int.
    private static final long ROW_BYTES = 1L << 30;
    /// The largest number of bytes of a batch: it has fewer rows if these could need more.
    private static final long BATCH_BYTES = 1L << 26;
    /// The largest number of code units of a text.
    private static final long LARGEST_TEXT = 1L << 24;

    /// The largest number of rows whose texts are copied at a time to find a dictionary.
    private static final int TEXT_ROWS = 1 << 10;

    /// The number of bytes of structs that are collected from columns at a time: they stay in a processor's cache.
    private static final long COLLECTED_BYTES = 1L << 17;

    private final StructType type;
    /// The format of a table of columns.
    private final Optional<ColumnTableFormat> table;
    private final List<ColumnType.Column> columns;
    private final List<TextDictionary> dictionaries = new ArrayList<>();
    private final long rowBytes;

    /// @param given            the type of the structs, or of a table of columns
    /// @param textDictionaries the paths of members whose texts are in dictionaries
    /// @throws IllegalArgumentException if the type has no columns or no bytes, if a row could need too many bytes, or
    ///                                  if no member with text has one of the paths
    public ArrowColumns(StructType given, Set<String> textDictionaries) {
        table = ColumnTableFormat.recordedRow(given).map(ColumnTableFormat::of);
        type = table.map(ColumnTableFormat::row).orElse(given);
        // The offsets of a batch limit the elements of lists, as they limit texts.
        columns = new ColumnTypes(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, UnaryOperator.identity())
                .portable(textDictionaries)
                .of(type);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("Type has no columns: struct=" + type.name());
        }
        if (type.byteSize() == 0) {
            throw new IllegalArgumentException("Type has no bytes: struct=" + type.name());
        }
        rowBytes = (long) (1 + mostBytes(columns));
        if (rowBytes > ROW_BYTES) {
            throw new IllegalArgumentException("Row is too large: struct=" + type.name() + ", byteSize=" + rowBytes
                    + ", limit=" + ROW_BYTES);
        }
        Set<String> unused = new HashSet<>(textDictionaries);
        columns.forEach(column -> visit(column.name(), column.type(), unused));
        if (!unused.isEmpty()) {
            throw new IllegalArgumentException("Struct has no such member with text: struct=" + type.name()
                    + ", members=" + String.join(", ", unused));
        }
    }

    /// Collects the dictionaries.
    ///
    /// @param unused the paths of members with texts that were not found yet
    private void visit(String path, ColumnType visited, Set<String> unused) {
        if (visited instanceof ColumnType.Text) {
            unused.remove(path);
        }
        dictionary(visited).ifPresent(dictionaries::add);
        boolean isArray = visited instanceof ColumnType.Array;
        visited.children().forEach(child -> visit(isArray ? path : path + "." + child.name(), child.type(), unused));
    }

    private static double mostBytes(List<ColumnType.Column> columns) {
        return columns.stream().mapToDouble(column -> mostBytes(column.type())).sum();
    }

    /// The largest number of bytes that a value takes, with all values within it.
    private static double mostBytes(ColumnType type) {
        return switch (type) {
            case ColumnType.Fixed fixed when fixed.isBit() -> 1;
            case ColumnType.Fixed fixed -> fixed.kind().byteSize();
            case ColumnType.Text text when text.dictionary().isPresent() -> Integer.BYTES;
            case ColumnType.Text text -> {
                long units = Math.min(LARGEST_TEXT, text.type().length());
                // A code unit of UTF-16 or of one byte has at most 3 bytes in UTF-8, and a code unit of UTF-32 has 4.
                Charset charset = text.type().charset();
                boolean isSame = charset.equals(UTF_8) || charset.equals(US_ASCII);
                yield Integer.BYTES + (isSame ? units : Math.max(3, text.type().unitByteSize()) * units);
            }
            case ColumnType.Constant constant when constant.indexByteSize() == 0 ->
                Integer.BYTES
                        + constant.names().stream().mapToLong(name -> name.getBytes(UTF_8).length).max().orElse(0);
            case ColumnType.Constant _ -> Integer.BYTES;
            case ColumnType.Array array -> Integer.BYTES + array.length() * mostBytes(array.element());
            case ColumnType.Struct _,ColumnType.Union _ -> 1 + mostBytes(type.children());
        };
    }

    /// Returns the dictionary of a column whose values are indices.
    public static Optional<TextDictionary> dictionary(ColumnType type) {
        return switch (type) {
            case ColumnType.Text text -> text.dictionary();
            case ColumnType.Constant constant when constant.indexByteSize() > 0 ->
                Optional.of(TextDictionary.of(constant.names()));
            default -> Optional.empty();
        };
    }

    /// Returns the size of an index in a dictionary, a signed integer.
    public static int indexByteSize(ColumnType type) {
        return type instanceof ColumnType.Constant constant ? constant.indexByteSize() : Integer.BYTES;
    }

    public List<ColumnType.Column> columns() {
        return columns;
    }

    /// The type of a row.
    public StructType rowType() {
        return type;
    }

    /// The dictionaries in the order of their columns: a column, and then the columns within it.
    List<TextDictionary> dictionaries() {
        return dictionaries;
    }

    /// The number of rows of a batch.
    ///
    /// @param limit the largest number
    public int batchRows(int limit) {
        return Math.clamp(BATCH_BYTES / rowBytes, 1, limit);
    }

    /// Returns the number of rows in a segment.
    ///
    /// @throws IllegalArgumentException if the segment has incomplete rows
    public long rowsIn(MemorySegment rows) {
        if (table.isPresent()) {
            table.get().check(rows);
            return ColumnTableFormat.count(rows);
        }
        if (rows.byteSize() % type.byteSize() != 0) {
            throw new IllegalArgumentException("Segment does not consist of whole structs: segment.byteSize="
                    + rows.byteSize() + ", struct.byteSize=" + type.byteSize());
        }
        return rows.byteSize() / type.byteSize();
    }

    /// Allocates the columns of a batch.
    public StructColumns allocate(SegmentAllocator memory) {
        return new StructColumns(columns, type.byteSize(), memory);
    }

    /// Finds the texts of the dictionaries.
    ///
    /// @throws IllegalArgumentException if the segment has incomplete rows, or if a text cannot be converted
    void addTexts(MemorySegment rows) {
        long count = rowsIn(rows);
        List<ColumnType.Column> found = columns.stream().filter(column -> hasTextDictionary(column.type())).toList();
        if (found.isEmpty()) {
            return;
        }
        int some = batchRows(TEXT_ROWS);
        try (Arena temporary = Arena.ofConfined()) {
            StructColumns texts = new StructColumns(found, type.byteSize(), temporary);
            for (long row = 0; row < count; row += some) {
                texts.begin();
                write(texts, rows, row, Math.min(some, count - row), 0, 0);
            }
        }
    }

    private static boolean hasTextDictionary(ColumnType type) {
        return type instanceof ColumnType.Text text
                ? text.dictionary().isPresent()
                : type.children().stream().anyMatch(child -> hasTextDictionary(child.type()));
    }

    /// Copies rows to consecutive indices of a batch.
    ///
    /// @param row    the index of the first row in the segment
    /// @param index  the index of the first row in the batch
    /// @param before the number of rows of earlier segments, for the exception
    /// @throws IllegalArgumentException if a value cannot be converted
    public void write(StructColumns batch, MemorySegment rows, long row, long count, long index, long before) {
        if (table.isEmpty()) {
            writeStructs(batch, rows, row, count, index, before);
            return;
        }
        ColumnTableRows collected = new ColumnTableRows(table.get(), table.get().check(rows), _ -> true);
        int most = Math.clamp(COLLECTED_BYTES / type.byteSize(), 1, Integer.MAX_VALUE);
        MemorySegment structs = MemorySegment.ofArray(new byte[Math.toIntExact(most * type.byteSize())]);
        for (long done = 0; done < count; done += most) {
            int some = (int) Math.min(most, count - done);
            collected.copy(rows, row + done, some, structs);
            writeStructs(batch, structs, 0, some, index + done, before + row + done);
        }
    }

    private void writeStructs(StructColumns batch, MemorySegment rows, long row, long count, long index,
            long before) {
        try {
            batch.write(rows, row * type.byteSize(), type.byteSize(), count, index);
        } catch (ConversionFailure e) {
            long failed = e.byteOffset / type.byteSize();
            // The path begins with the index in brackets, and a dot.
            String path = FieldLocation.of(type, e.byteOffset).path();
            throw new IllegalArgumentException("Value cannot be converted: row=" + (before + failed) + ", field="
                    + path.substring(path.indexOf('.') + 1) + ", reason=" + e.getMessage(), e);
        }
    }
}
