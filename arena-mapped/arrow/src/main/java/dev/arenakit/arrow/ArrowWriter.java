package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.BatchWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writes structs that arrive in several segments, such as the windows of a large file.
///
/// {@snippet file="dev/arenakit/arrow/ArrowIpcExample.java" region="pieces"}
///
/// [#finish] writes the last batch and the end. If an exception is thrown before, what was written remains incomplete.
/// Readers refuse a file without its footer. A stream has no footer, and the format allows it to end after any batch:
/// readers report an error within a batch, and otherwise see fewer rows.
///
/// A writer is used by one thread at a time.
public final class ArrowWriter implements AutoCloseable {
    private final BatchWriter writer;
    private State state = State.OPEN;

    ArrowWriter(BatchWriter writer) {
        this.writer = writer;
    }

    private enum State {
        OPEN, FAILED, FINISHED, CLOSED
    }

    /// Writes structs. They are copied, so that the segment can be reused as soon as this method has returned.
    ///
    /// @param segment the structs, one after another
    /// @throws IOException              if the channel throws it; no more can be written then
    /// @throws IllegalArgumentException if the segment has incomplete structs; or if a value cannot be converted, and
    ///                                  no more can be written then
    /// @throws IllegalStateException    if the writer is finished or closed, or if an earlier write has failed
    public void write(MemorySegment segment) throws IOException {
        checkOpen();
        long _ = writer.rowsIn(segment);
        state = State.FAILED;
        writer.write(segment);
        state = State.OPEN;
    }

    /// Returns the number of structs that were written.
    ///
    /// @return the number of rows
    public long rowCount() {
        return writer.rowCount();
    }

    /// Writes the last batch and the end.
    ///
    /// @throws IOException           if the channel throws it
    /// @throws IllegalStateException if the writer is finished or closed, or if a write has failed
    public void finish() throws IOException {
        checkOpen();
        state = State.FAILED;
        writer.finish();
        state = State.FINISHED;
    }

    private void checkOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("Writer cannot write any more: state=" + state);
        }
    }

    /// Frees the memory. Nothing is written, and the channel remains open. Later calls do nothing.
    @Override
    public void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            writer.close();
        }
    }
}
