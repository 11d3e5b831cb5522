package dev.arenakit.internal.file;

import dev.arenakit.internal.LinuxSystem;
import dev.arenakit.internal.PageMappings;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/// Ends mappings without an owner: `FileChannel.map` leaves such a mapping if its thread is interrupted after the
/// mapping was made.
public final class UnownedMappings {
    /// The list of mappings. Unlike the list in `/proc/self`, it remains after the first thread of the process has
    /// ended.
    private static final String MAPS = "/proc/thread-self/maps";

    private static final long LARGEST_PAGE = 64 << 10;

    private UnownedMappings() {}

    /// Counts the mappings of a file from its start. This method needs no native access, and ignores interrupts.
    ///
    /// @param byteSize the size of the mappings, without the rest of the last page
    /// @return the number, or 0 if the system does not list mappings
    public static long count(Path file, long byteSize) {
        return linesOf(file).stream().filter(line -> hasSize(line, byteSize)).count();
    }

    /// Unmaps a file. This method ignores interrupts.
    ///
    /// The caller guarantees that no live segment refers to the file.
    ///
    /// @return false if native access is denied, or the system does not list mappings
    public static boolean unmap(Path file) {
        if (!MappedFile.isAvailableFor(file)) {
            return false;
        }
        linesOf(file).forEach(line -> PageMappings.unmap(start(line), end(line) - start(line)));
        return true;
    }

    /// A line is `start-end permissions offset device inode path`. The path of a deleted file has a suffix.
    private static List<String> linesOf(Path file) {
        if (!AddressRange.isKnownFor(file)) {
            return List.of();
        }
        try (InputStream maps = new FileInputStream(MAPS)) {
            byte[] name = LinuxSystem.nameOf(file.toRealPath());
            // The list contains bytes of any encoding, and escapes line feeds.
            String path = new String(name, 0, name.length - 1, ISO_8859_1).replace("\n", "\\012");
            return new String(maps.readAllBytes(), ISO_8859_1).lines()
                    .filter(line -> line.endsWith(path) && line.indexOf('/') == line.length() - path.length())
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static boolean hasSize(String line, long byteSize) {
        long rest = end(line) - start(line) - byteSize;
        return rest >= 0 && rest < LARGEST_PAGE;
    }

    private static long start(String line) {
        return Long.parseLong(line, 0, line.indexOf('-'), 16);
    }

    private static long end(String line) {
        return Long.parseLong(line, line.indexOf('-') + 1, line.indexOf(' '), 16);
    }
}
