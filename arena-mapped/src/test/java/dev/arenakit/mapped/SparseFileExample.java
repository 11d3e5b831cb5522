package dev.arenakit.mapped;

import dev.arenakit.dump.HexDump;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/// The example of [SparseFile].
final class SparseFileExample {
    private SparseFileExample() {}

    // @start region="example"
    /// Prints the second allocation of an arena, which may have a size of terabytes.
    static void dump(Path directory, PrintStream out) throws IOException {
        try (SparseFile file = SparseFile.open(directory.resolve("my-mapped-memory-1"))) {
            out.println(file.byteSize() + " bytes, extents of data: " + file.extentCount());
            HexDump.of().print(file, out);
        }
    }
    // @end
}
