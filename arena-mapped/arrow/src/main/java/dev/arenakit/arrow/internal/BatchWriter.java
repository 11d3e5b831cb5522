package dev.arenakit.arrow.internal;

import dev.arenakit.arrow.internal.IpcMessages.FileBlock;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.mapped.internal.column.TextDictionary;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
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

    private final boolean isFile;
    private final ArrowColumns columns;
    private final int batchRows;
    private final Arena arena = Arena.ofShared();
    private final StructColumns batch;
    private final IpcChannel channel;
    private final IpcMessages messages = new IpcMessages();
    private final BatchBuffers buffers = new BatchBuffers();
    private final List<FileBlock> dictionaryBlocks = new ArrayList<>();
    private final List<FileBlock> batchBlocks = new ArrayList<>();
    private final String layout;
    private long rowCount;
    private int batched;

    /// @param isFile    whether the file format is written
    /// @param batchRows the largest number of rows of a batch
    public BatchWriter(WritableByteChannel channel, ArrowColumns columns, boolean isFile, int batchRows) {
        this.isFile = isFile;
        this.columns = columns;
        this.batchRows = columns.batchRows(batchRows);
        layout = LayoutText.print(columns.rowType());
        this.channel = new IpcChannel(channel);
        batch = columns.allocate(arena);
    }

    /// Finds the texts of the dictionaries, before the first rows are written.
    public void addTexts(MemorySegment rows) {
        columns.addTexts(rows);
    }

    /// Writes what is before the rows.
    public void begin() throws IOException {
        if (isFile) {
            channel.writeMagic();
        }
        channel.writeMessage(messages.schema(columns.columns(), LAYOUT_KEY, layout), List.of());
        for (int id = 0; id < columns.dictionaries().size(); id++) {
            TextDictionary texts = columns.dictionaries().get(id);
            texts.complete();
            buffers.clear();
            try (Arena temporary = Arena.ofShared()) {
                buffers.add(texts.size(), 0, texts.buffers(temporary));
                dictionaryBlocks.add(channel.writeMessage(messages.dictionaryBatch(id, texts.size(), buffers),
                        buffers.buffers()));
            }
        }
        beginBatch();
    }

    private void beginBatch() {
        batched = 0;
        batch.begin();
    }

    /// Returns the number of rows in a segment.
    ///
    /// @throws IllegalArgumentException if the segment has incomplete rows
    public long rowsIn(MemorySegment rows) {
        return columns.rowsIn(rows);
    }

    /// Adds rows.
    ///
    /// @throws IllegalArgumentException if a value cannot be converted
    public void write(MemorySegment rows) throws IOException {
        long count = rowsIn(rows);
        long before = rowCount;
        for (long row = 0; row < count;) {
            int some = (int) Math.min(count - row, batchRows - batched);
            columns.write(batch, rows, row, some, batched, before);
            row += some;
            rowCount += some;
            batched += some;
            if (batched == batchRows) {
                writeBatch();
            }
        }
    }

    private void writeBatch() throws IOException {
        buffers.clear();
        for (int i = 0; i < columns.columns().size(); i++) {
            buffers.add(batch.buffer(i), batched);
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
            channel.writeFooter(messages.footer(columns.columns(), LAYOUT_KEY, layout, dictionaryBlocks, batchBlocks));
        }
    }

    /// Frees the memory.
    @Override
    public void close() {
        arena.close();
    }
}
