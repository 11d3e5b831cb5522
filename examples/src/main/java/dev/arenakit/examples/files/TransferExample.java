package dev.arenakit.examples.files;

import dev.arenakit.mapped.io.SegmentReader;
import dev.arenakit.mapped.io.SegmentWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Copies a file of any size through a segment.
final class TransferExample {
    private TransferExample() {}

    /// Copies.
    ///
    /// @param args the file, and the copy
    public static void main(String[] args) throws IOException {
        run(System.out, Path.of(args[0]), Path.of(args[1]));
    }

    static void run(PrintStream out, Path source, Path target) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(Files.size(source));
            try (SegmentReader reader = SegmentReader.open(source)) {
                reader.readFully(segment);
            }
            try (SegmentWriter writer = SegmentWriter.open(target).withProgress((done, all) -> {
                out.println(done + " of " + all + " bytes");
                return true; // false cancels
            })) {
                writer.writeFully(segment);
            }
        }
    }
}
