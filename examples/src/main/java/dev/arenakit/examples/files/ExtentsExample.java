package dev.arenakit.examples.files;

import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Adds up the numbers of a sparse file, which consists mostly of holes: once by its extents of data, and once in full.
final class ExtentsExample {
    private static final long PIECE = 1 << 20;
    private static final int NUMBERS = 16;

    private ExtentsExample() {}

    /// Creates a file with 16 numbers, which are far from each other, and adds them up.
    ///
    /// @param args the path of a new file, which remains, and its size in GiB
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        create(file, Long.parseLong(args[1]) << 30);
        run(System.out, file);
    }

    static void create(Path file, long byteSize) throws IOException {
        Files.createFile(file);
        try (MappedWindows windows = MappedWindows.builder(file).confined().writable().open()) {
            windows.grow(byteSize);
            for (int i = 0; i < NUMBERS; i++) {
                try (MappedWindow number = windows.lease(i * (byteSize / NUMBERS), Long.BYTES)) {
                    number.segment().set(JAVA_LONG, 0, i + 1);
                }
            }
        }
    }

    static void run(PrintStream out, Path file) throws IOException {
        long start = System.nanoTime();
        long byExtents = sumOfData(file);
        long middle = System.nanoTime();
        long inFull = sumOfAll(file);
        out.printf(Locale.ROOT, "sum %d by extents: %,d ms%n", byExtents, (middle - start) / 1_000_000);
        out.printf(Locale.ROOT, "sum %d in full: %,d ms%n", inFull, (System.nanoTime() - middle) / 1_000_000);
    }

    private static long sumOfData(Path file) throws IOException {
        long sum = 0;
        try (SparseFile extents = SparseFile.open(file);
                MappedWindows windows = MappedWindows.builder(file).confined().open()) {
            OptionalLong data = extents.nextData(0);
            while (data.isPresent()) {
                long hole = extents.nextHole(data.getAsLong()).getAsLong(); // the end of the file counts as a hole
                sum += sum(windows, data.getAsLong(), hole);
                data = extents.nextData(hole);
            }
        }
        return sum;
    }

    private static long sumOfAll(Path file) throws IOException {
        try (MappedWindows windows = MappedWindows.builder(file).confined().open()) {
            return sum(windows, 0, windows.byteSize());
        }
    }

    private static long sum(MappedWindows windows, long begin, long end) throws IOException {
        long sum = 0;
        for (long offset = begin; offset < end; offset += PIECE) {
            try (MappedWindow piece = windows.lease(offset, Math.min(PIECE, end - offset))) {
                sum += sum(piece.segment());
            }
        }
        return sum;
    }

    private static long sum(MemorySegment numbers) {
        long sum = 0;
        for (long offset = 0; offset < numbers.byteSize(); offset += Long.BYTES) {
            sum += numbers.get(JAVA_LONG, offset);
        }
        return sum;
    }
}
