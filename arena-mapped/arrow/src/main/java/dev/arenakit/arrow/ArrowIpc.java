package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.ArrowColumns;
import dev.arenakit.arrow.internal.BatchWriter;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.Set;

/// Writes structs in the formats of [Apache Arrow](https://arrow.apache.org/docs/format/Columnar.html), which pandas,
/// Polars, DuckDB, Spark and many other programs read.
///
/// Arrow has two formats for interprocess communication (IPC). The stream format is for pipes and sockets. The file
/// format has a footer, by which readers find any batch; its files have the suffix `.arrow`, and another name of it is
/// Feather.
///
/// {@snippet file="dev/arenakit/arrow/ArrowIpcExample.java" region="file"}
///
/// The rows are the structs of a segment, or the records of a [table][dev.arenakit.layout.ColumnTable] whose type is
/// given, and the columns are the members of the struct. They are written in batches of
/// 65,536 rows, or fewer if these could need more than 64 MiB. All batches use the same memory. The first byte is
/// written at the current position of the channel. The metadata of the schema has the type as a text, under the key
/// `dev.arenakit.layout`, from which [dev.arenakit.layout.text.LayoutText] returns the type.
///
/// | member | column |
/// |---|---|
/// | `byte`, `short`, `int`, `long`, `float`, `double` | number of the same size, in native byte order |
/// | `char`, unsigned integer | `uint8`, `uint16`, `uint32` or `uint64`, the smallest one that is large enough |
/// | `boolean` | `bool`; any byte but 0 is true |
/// | bit field | like its declared type |
/// | address | `uint64` |
/// | text | `utf8`, without what pads it; on request, a dictionary, except in arrays |
/// | enum | a dictionary with the names of the constants in declared order, then the name of all other values; in arrays, the names as `utf8` |
/// | struct | `struct` |
/// | array | `fixed_size_list`; `list` if the array has a count |
/// | union | `struct`, whose members are null except the valid one |
///
/// In a union without a discriminator, a member is null if its bytes are no value of its type. No value outside unions
/// is null. A member without values, such as an empty struct, has no column.
///
/// An [IllegalArgumentException] is thrown for bytes that are no value of their type: text that is malformed, and a
/// number that is no constant of its enum. The message names the row and the member. A file that was written until then
/// has no footer, so that readers refuse it.
///
/// Objects of this class are immutable.
public final class ArrowIpc {
    private final StructType type;
    private final boolean isFile;
    private final int batchRows;
    private final Set<String> textDictionaries;

    private ArrowIpc(StructType type, boolean isFile, int batchRows, Set<String> textDictionaries) {
        this.type = type;
        this.isFile = isFile;
        this.batchRows = batchRows;
        this.textDictionaries = textDictionaries;
        ArrowColumns _ = columns();
    }

    /// Returns the stream format.
    ///
    /// @param type the type of the structs
    /// @return the format, with batches of 65,536 rows and dictionaries for enums only
    /// @throws IllegalArgumentException if the type has no columns, because it has no members with values, if it has no
    ///                                  bytes, or if a row could need more than 1 GiB
    public static ArrowIpc stream(StructType type) {
        return new ArrowIpc(type, false, ArrowColumns.BATCH_ROWS, Set.of());
    }

    /// Returns the file format.
    ///
    /// @param type the type of the structs
    /// @return the format, with batches of 65,536 rows and dictionaries for enums only
    /// @throws IllegalArgumentException if the type has no columns, because it has no members with values, if it has no
    ///                                  bytes, or if a row could need more than 1 GiB
    public static ArrowIpc file(StructType type) {
        return new ArrowIpc(type, true, ArrowColumns.BATCH_ROWS, Set.of());
    }

    /// Writes structs in the stream format.
    ///
    /// @param channel the channel, which is not closed
    /// @param type    the type of the structs
    /// @param segment the structs, one after another
    /// @throws IOException                  if the channel throws it
    /// @throws IllegalArgumentException     if the type has no columns or too large rows, if the segment has incomplete
    ///                                      structs, or if a value cannot be converted
    /// @throws IllegalBlockingModeException if the channel is non-blocking
    public static void write(WritableByteChannel channel, StructType type, MemorySegment segment) throws IOException {
        stream(type).write(channel, segment);
    }

    /// Writes structs in the file format.
    ///
    /// @param channel the channel, which is not closed
    /// @param type    the type of the structs
    /// @param segment the structs, one after another
    /// @throws IOException                  if the channel throws it
    /// @throws IllegalArgumentException     if the type has no columns or too large rows, if the segment has incomplete
    ///                                      structs, or if a value cannot be converted
    /// @throws IllegalBlockingModeException if the channel is non-blocking
    public static void writeFile(WritableByteChannel channel, StructType type, MemorySegment segment)
            throws IOException {
        file(type).write(channel, segment);
    }

    /// Returns the same format with another size of batches.
    ///
    /// @param rows the largest number of rows of a batch, at least 1
    /// @return the format
    /// @throws IllegalArgumentException if the number is less than 1
    public ArrowIpc withBatchRows(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("Batch needs a row: batchRows=" + rows);
        }
        return new ArrowIpc(type, isFile, rows, textDictionaries);
    }

    /// Returns the same format with dictionaries for the texts of members. A dictionary has each text once, and the
    /// rows have its index. A dictionary has at most 65,536 texts, of 64 MiB together. Texts in arrays have no
    /// dictionary, because some readers would read them as zeros.
    ///
    /// @param members the names of the members; `header.symbol` for a member of a nested struct
    /// @return the format
    /// @throws IllegalArgumentException if the struct has no member with text of such a name
    public ArrowIpc withTextDictionaries(String... members) {
        return new ArrowIpc(type, isFile, batchRows, Set.of(members));
    }

    /// Writes structs. If texts have dictionaries, the structs are read twice, and may not change meanwhile.
    ///
    /// @param channel the channel, which is not closed
    /// @param segment the structs, one after another
    /// @throws IOException                  if the channel throws it
    /// @throws IllegalArgumentException     if the segment has incomplete structs, if a value cannot be converted, or
    ///                                      if a dictionary would have too many texts
    /// @throws IllegalBlockingModeException if the channel is non-blocking
    public void write(WritableByteChannel channel, MemorySegment segment) throws IOException {
        Objects.requireNonNull(segment, "segment");
        try (BatchWriter writer = writer(channel)) {
            writer.addTexts(segment);
            writer.begin();
            writer.write(segment);
            writer.finish();
        }
    }

    /// Opens a writer for structs that are not in one segment. It writes the schema.
    ///
    /// @param channel the channel, which is not closed
    /// @return the writer
    /// @throws IOException                   if the channel throws it
    /// @throws UnsupportedOperationException if texts have dictionaries: these are written before all rows, and contain
    ///                                       the texts of all rows
    /// @throws IllegalBlockingModeException  if the channel is non-blocking
    public ArrowWriter open(WritableByteChannel channel) throws IOException {
        if (!textDictionaries.isEmpty()) {
            throw new UnsupportedOperationException("Dictionaries of texts need all structs in one segment: members="
                    + String.join(", ", textDictionaries) + "; use write(channel, segment)");
        }
        BatchWriter writer = writer(channel);
        try {
            writer.begin();
        } catch (Throwable t) {
            writer.close();
            throw t;
        }
        return new ArrowWriter(writer);
    }

    private BatchWriter writer(WritableByteChannel channel) {
        return new BatchWriter(Objects.requireNonNull(channel, "channel"), columns(), isFile, batchRows);
    }

    /// @throws IllegalArgumentException if the type has no columns, or no member with text has such a name
    private ArrowColumns columns() {
        return new ArrowColumns(type, textDictionaries);
    }
}
