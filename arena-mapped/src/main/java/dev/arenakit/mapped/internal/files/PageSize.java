package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.Sizes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// The page size of the machine, which is read without native code.
public final class PageSize {
    /// The system's page size, or [#SMALLEST] if it is not known: mappings are aligned to both.
    public static final long BYTES = read(Path.of("/proc/self/auxv"));

    /// The smallest page size of all platforms of the JVM.
    public static final long SMALLEST = 4096;

    /// `AT_PAGESZ`, the entry that the C library uses, too.
    private static final long PAGE_SIZE_KEY = 6;

    private PageSize() {}

    /// Reads the page size from the vector of keys and values that Linux passes to every process.
    static long read(Path auxiliaryVector) {
        try {
            LongBuffer entries = ByteBuffer.wrap(Files.readAllBytes(auxiliaryVector))
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
            while (entries.remaining() >= 2) {
                long key = entries.get();
                long value = entries.get();
                if (key == PAGE_SIZE_KEY && Sizes.isPowerOfTwo(value)) {
                    return Math.max(value, SMALLEST);
                }
            }
        } catch (IOException _) {
            // On another system, or in a sandbox without /proc, mappings are aligned at least to the smallest page
            // size.
        }
        return SMALLEST;
    }
}
