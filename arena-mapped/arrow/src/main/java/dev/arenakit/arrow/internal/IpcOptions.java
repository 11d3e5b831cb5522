package dev.arenakit.arrow.internal;

import dev.arenakit.layout.type.StructType;
import java.util.Set;

/// What is written, and how.
///
/// @param isFile           whether it is the file format
/// @param batchRows        the largest number of rows of a batch
/// @param textDictionaries the paths of members whose texts are in dictionaries
public record IpcOptions(StructType type, boolean isFile, int batchRows, Set<String> textDictionaries) {
    /// The columns of some rows fit into a processor's cache, and a reader has enough work for a batch.
    public static final int BATCH_ROWS = 1 << 16;

    public IpcOptions(StructType type, boolean isFile) {
        this(type, isFile, BATCH_ROWS, Set.of());
        ArrowColumns _ = new ArrowColumns(type, Set.of());
    }

    public IpcOptions withBatchRows(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("Batch needs a row: batchRows=" + rows);
        }
        return new IpcOptions(type, isFile, rows, textDictionaries);
    }

    public IpcOptions withTextDictionaries(Set<String> members) {
        ArrowColumns _ = new ArrowColumns(type, members);
        return new IpcOptions(type, isFile, batchRows, Set.copyOf(members));
    }
}
