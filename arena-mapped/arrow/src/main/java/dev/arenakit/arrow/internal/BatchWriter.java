package dev.arenakit.arrow.internal;

import dev.arenakit.arrow.internal.ArrowField.FieldDictionary;
import dev.arenakit.arrow.internal.IpcMessages.FileBlock;
import dev.arenakit.dump.FieldLocation;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/// Collects rows in batches, and writes each complete batch.
public final class BatchWriter implements AutoCloseable {
    /// The key of the type's text in the metadata of the schema.
    public static final String LAYOUT_KEY = "dev.arenakit.layout";

    /// The largest number of bytes of a batch: it has fewer rows if these could need more.
    private static final long BATCH_BYTES = 1L << 26;
    /// The number of bytes of structs that are copied column by column: they stay in a processor's smallest cache.
    private static final long BLOCK_BYTES = 1L << 14;

    private final StructType type;
    private final boolean isFile;
    private final List<ArrowField> fields;
    private final List<FieldDictionary> dictionaries;
    private final int batchRows;
    private final int blockRows;
    private final Arena arena = Arena.ofShared();
    private final ColumnBuffer[] columns;
    private final long[] byteOffsets;
    private final IpcChannel channel;
    private final IpcMessages messages = new IpcMessages();
    private final BatchBuffers buffers = new BatchBuffers();
    private final List<FileBlock> dictionaryBlocks = new ArrayList<>();
    private final List<FileBlock> batchBlocks = new ArrayList<>();
    private final String layout;
    private long rowCount;
    private int batched;

    public BatchWriter(WritableByteChannel channel, IpcOptions options) {
        type = options.type();
        isFile = options.isFile();
        ArrowFields found = new ArrowFields(type, options.textDictionaries());
        fields = found.fields();
        dictionaries = found.dictionaries();
        batchRows = Math.clamp(BATCH_BYTES / found.rowBytes(), 1, options.batchRows());
        blockRows = Math.clamp(BLOCK_BYTES / type.byteSize(), 1, batchRows);
        layout = LayoutText.print(type);
        this.channel = new IpcChannel(channel);
        byteOffsets = found.byteOffsets();
        columns = fields.stream().map(field -> ColumnBuffer.of(field, arena)).toArray(ColumnBuffer[]::new);
    }

    /// Finds the texts of the dictionaries, before the first rows are written.
    public void addTexts(MemorySegment rows) {
        long count = rowsIn(rows);
        for (int i = 0; i < columns.length; i++) {
            if (fields.get(i).hasTextDictionary()) {
                for (long row = 0; row < count; row += blockRows) {
                    columns[i].begin();
                    copy(i, rows, row, (int) Math.min(blockRows, count - row), 0, 0);
                }
            }
        }
    }

    /// Writes what is before the rows.
    public void begin() throws IOException {
        if (isFile) {
            channel.writeMagic();
        }
        channel.writeMessage(messages.schema(fields, LAYOUT_KEY, layout), List.of());
        for (FieldDictionary dictionary : dictionaries) {
            dictionary.texts().complete();
            buffers.clear();
            try (Arena temporary = Arena.ofShared()) {
                dictionary.texts().collect(temporary, buffers);
                dictionaryBlocks.add(channel.writeMessage(messages.dictionaryBatch(dictionary, buffers),
                        buffers.buffers()));
            }
        }
        beginBatch();
    }

    private void beginBatch() {
        batched = 0;
        for (ColumnBuffer column : columns) {
            column.begin();
        }
    }

    /// Returns the number of rows in a segment.
    ///
    /// @throws IllegalArgumentException if the segment has incomplete rows
    public long rowsIn(MemorySegment rows) {
        if (rows.byteSize() % type.byteSize() != 0) {
            throw new IllegalArgumentException("Segment does not consist of whole structs: segment.byteSize="
                    + rows.byteSize() + ", struct.byteSize=" + type.byteSize());
        }
        return rows.byteSize() / type.byteSize();
    }

    /// Adds rows.
    ///
    /// @throws IllegalArgumentException if a value cannot be converted
    public void write(MemorySegment rows) throws IOException {
        long count = rowsIn(rows);
        long before = rowCount;
        for (long row = 0; row < count;) {
            int some = (int) Math.min(count - row, Math.min(blockRows, batchRows - batched));
            for (int i = 0; i < columns.length; i++) {
                copy(i, rows, row, some, batched, before);
            }
            row += some;
            rowCount += some;
            batched += some;
            if (batched == batchRows) {
                writeBatch();
            }
        }
    }

    /// Copies rows of a column.
    ///
    /// @param row    the index of the first row in the segment
    /// @param index  the index of the first row in the batch
    /// @param before the number of rows of earlier segments
    private void copy(int column, MemorySegment rows, long row, int count, long index, long before) {
        long struct = row * type.byteSize();
        try {
            columns[column].write(rows, struct + byteOffsets[column], type.byteSize(), count, index, struct,
                    type.byteSize());
        } catch (ConversionFailure e) {
            long failed = e.byteOffset / type.byteSize();
            // The path begins with the index in brackets, and a dot.
            String path = FieldLocation.of(type, e.byteOffset).path();
            throw new IllegalArgumentException("Value cannot be converted: row=" + (before + failed) + ", field="
                    + path.substring(path.indexOf('.') + 1) + ", reason=" + e.getMessage(), e);
        }
    }

    private void writeBatch() throws IOException {
        buffers.clear();
        for (ColumnBuffer column : columns) {
            column.collect(batched, buffers);
        }
        FileBlock block = channel.writeMessage(messages.recordBatch(batched, buffers), buffers.buffers());
        if (isFile) {
            batchBlocks.add(block);
        }
        beginBatch();
    }

    public long rowCount() {
        return rowCount;
    }

    /// Writes the last rows, and what is after them.
    public void finish() throws IOException {
        if (batched > 0) {
            writeBatch();
        }
        channel.writeEnd();
        if (isFile) {
            channel.writeFooter(messages.footer(fields, LAYOUT_KEY, layout, dictionaryBlocks, batchBlocks));
        }
    }

    /// Frees the memory.
    @Override
    public void close() {
        arena.close();
    }
}
