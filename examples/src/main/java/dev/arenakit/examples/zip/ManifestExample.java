package dev.arenakit.examples.zip;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Prints the manifest of a jar.
final class ManifestExample {
    private ManifestExample() {}

    /// Prints.
    ///
    /// @param args the jar
    public static void main(String[] args) throws IOException {
        run(System.out, Path.of(args[0]));
    }

    static void run(PrintStream out, Path path) throws IOException {
        try (ZipIndex index = ZipIndex.open(path); Arena arena = Arena.ofConfined()) {
            long position = index.find("META-INF/MANIFEST.MF");
            if (position != ZipIndex.NOT_FOUND) {
                MemorySegment manifest = index.read(position, arena);
                out.print(new String(manifest.toArray(JAVA_BYTE), StandardCharsets.UTF_8));
            }
        }
    }
}
