package dev.arenakit.examples.calls;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// Reads all blocks by one call of a function that calls `pread` for each.
final class CompiledReader implements BlockReader {
    private final CompiledBatch batch;
    private final NativeFile file;

    /// @param batch the compiled function, which the caller closes after this reader
    CompiledReader(CompiledBatch batch, Path path) throws IOException {
        this.batch = batch;
        file = NativeFile.open(path);
    }

    @Override
    public void read(MemorySegment positions, MemorySegment blocks) throws IOException {
        long byteSize = BlockReader.blockByteSize(positions, blocks);
        if (file.check(batch.readBlocks(file.descriptor(), positions, blocks, byteSize), "pread") > 0) {
            throw file.end();
        }
    }

    @Override
    public void close() {
        file.close();
    }

    @Override
    public String toString() {
        return "pread in C";
    }
}
