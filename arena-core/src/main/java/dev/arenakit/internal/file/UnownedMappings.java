package dev.arenakit.internal.file;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.nativecall.LinuxSystem;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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
        return linesOf(file).stream().filter(line -> line.hasSize(byteSize)).count();
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
        linesOf(file).forEach(line -> PageMappings.unmap(line.start, line.end - line.start));
        return true;
    }

    private static List<Line> linesOf(Path file) {
        if (!AddressRange.isKnownFor(file)) {
            return List.of();
        }
        try {
            byte[] name = LinuxSystem.nameOf(file.toRealPath());
            // The list contains bytes of any encoding, and escapes line feeds.
            String path = new String(name, 0, name.length - 1, ISO_8859_1).replace("\n", "\\012");
            return lines().filter(line -> line.endsWith(path) && line.indexOf('/') == line.length() - path.length())
                    .map(Line::parse)
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    /// The mappings of the process in ascending order, or none if the system does not list them.
    static List<Line> list() {
        try {
            return lines().map(Line::parse).toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static Stream<String> lines() throws IOException {
        try (InputStream maps = new FileInputStream(MAPS)) {
            return new String(maps.readAllBytes(), ISO_8859_1).lines();
        }
    }

    /// A mapping of the process.
    record Line(long start, long end) {
        /// A line is `start-end permissions offset device inode path`. The path of a deleted file has a suffix.
        static Line parse(String line) {
            int dash = line.indexOf('-');
            return new Line(Long.parseUnsignedLong(line, 0, dash, 16),
                    Long.parseUnsignedLong(line, dash + 1, line.indexOf(' '), 16));
        }

        boolean hasSize(long byteSize) {
            long rest = end - start - byteSize;
            return rest >= 0 && rest < LARGEST_PAGE;
        }
    }
}
