package dev.arenakit.mapped.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The example of [MappedWindows].
final class MappedWindowsExample {
    private MappedWindowsExample() {}

    // @start region="example"
    /// Adds up the first number of each gigabyte of a file, which may be larger than memory and address space.
    static long sum(Path file) throws IOException {
        long sum = 0;
        try (MappedWindows windows = MappedWindows.builder(file).confined().open()) {
            long end = windows.byteSize();
            for (long offset = 0; offset < end; offset += 1L << 30) {
                try (MappedWindow window = windows.lease(offset, Long.BYTES)) {
                    MemorySegment number = window.segment();
                    sum += number.get(JAVA_LONG, 0);
                } // From here on, access to the segment throws.
            }
        }
        return sum;
    }
    // @end
}
