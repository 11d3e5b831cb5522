package dev.arenakit.mapped;

import dev.arenakit.internal.Sizes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// The page size of the machine, found without native code.
final class PageSize {
    /// The system's page size, or [#SMALLEST] where the system does not tell it: a mapping is aligned to either.
    static final long BYTES = read(Path.of("/proc/self/auxv"));

    /// No platform of the JVM has smaller pages.
    static final long SMALLEST = 4096;

    /// `AT_PAGESZ`: the entry from which the C library, too, learns the page size.
    private static final long PAGE_SIZE_KEY = 6;

    private PageSize() {}

    /// Looks the page size up in the vector of keys and values that the kernel of Linux passes to every process.
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
            // Another system, or a sandbox without /proc: the smallest page is still a true promise.
        }
        return SMALLEST;
    }
}
