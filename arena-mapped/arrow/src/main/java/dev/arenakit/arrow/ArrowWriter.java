package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.BatchWriter;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writes structs that arrive in several segments, such as the windows of a large file.
///
/// ```java
/// try (FileChannel file = FileChannel.open(path, CREATE_NEW, WRITE);
///         ArrowWriter writer = ArrowIpc.file(type).open(file)) {
///     for (MemorySegment window : windows) {
///         writer.write(window);
///     }
/// }
/// ```
///
/// [#close] writes the last batch and the end. If a write has failed, `close` writes nothing: a file without its end is
/// refused by readers, and a stream without its end lacks rows.
///
/// A writer is used by one thread at a time.
public final class ArrowWriter implements Closeable {
    private final BatchWriter writer;
    private boolean hasFailed;
    private boolean isClosed;

    ArrowWriter(BatchWriter writer) {
        this.writer = writer;
    }

    /// Writes structs. They are copied, so that the segment can be reused as soon as this method has returned.
    ///
    /// @param segment the structs, one after another
    /// @throws IOException              if the channel throws it; the writer cannot be used any more
    /// @throws IllegalArgumentException if the segment has incomplete structs, or if a value cannot be converted; in the
    ///                                  second case, the writer cannot be used any more
    /// @throws IllegalStateException    if the writer is closed, or if an earlier write has failed
    public void write(MemorySegment segment) throws IOException {
        if (isClosed || hasFailed) {
            throw new IllegalStateException("Writer cannot be used: isClosed=" + isClosed + ", hasFailed=" + hasFailed);
        }
        long _ = writer.rowsIn(segment);
        hasFailed = true;
        writer.write(segment);
        hasFailed = false;
    }

    /// Returns the number of structs that were written.
    ///
    /// @return the number of rows
    public long rowCount() {
        return writer.rowCount();
    }

    /// Writes the end, unless a write has failed, and frees the memory. The channel remains open. Later calls do
    /// nothing.
    ///
    /// @throws IOException if the channel throws it
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try (writer) {
            if (!hasFailed) {
                writer.finish();
            }
        }
    }
}
