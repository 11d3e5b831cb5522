package dev.arenakit.mapped.internal.catalog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Identifies the start of the machine. What a process has stored in files outlives the process, and not the machine.
public final class BootId {
    /// The value that stands for no identification.
    public static final long UNKNOWN = 0;

    private static final long CURRENT = read(Path.of("/proc/sys/kernel/random/boot_id"));

    private BootId() {}

    /// The identification of the current start, or [#UNKNOWN] where the system has none.
    public static long current() {
        return CURRENT;
    }

    static long read(Path file) {
        try {
            String id = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return id.isEmpty() ? UNKNOWN : CatalogFormat.checksum(id.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException _) {
            return UNKNOWN;
        }
    }
}
