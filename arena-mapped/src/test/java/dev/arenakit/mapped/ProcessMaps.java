package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Reads the memory and the files of this process from the system.
public final class ProcessMaps {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private ProcessMaps() {}

    /// A mapping of a file.
    public record Range(long offset, long byteSize) {
        public boolean contains(long position) {
            return offset <= position && position < offset + byteSize;
        }
    }

    /// The mappings of the files whose paths begin as the given one.
    public static List<Range> of(Path path) throws IOException {
        assumeTrue(Files.exists(MAPS), "mappings are read from /proc");
        String prefix = " " + path.toRealPath();
        try (Stream<String> lines = Files.lines(MAPS)) {
            return lines.filter(line -> line.contains(prefix)).map(ProcessMaps::parse).toList();
        }
    }

    /// The sum of the sizes of the mappings of a file.
    public static long byteSize(Path path) throws IOException {
        return of(path).stream().mapToLong(Range::byteSize).sum();
    }

    /// A line is `start-end permissions offset device inode path`, with hexadecimal numbers.
    private static Range parse(String line) {
        String[] fields = line.split(" +", 4);
        String[] addresses = fields[0].split("-", 2);
        return new Range(Long.parseLong(fields[2], 16),
                Long.parseUnsignedLong(addresses[1], 16) - Long.parseUnsignedLong(addresses[0], 16));
    }

    /// The address space of the process in bytes.
    public static long addressSpace() throws IOException {
        assumeTrue(Files.exists(STATUS), "the address space is read from /proc");
        try (Stream<String> lines = Files.lines(STATUS)) {
            String line = lines.filter(each -> each.startsWith("VmSize:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
    }

    /// The number of open file descriptors.
    public static long descriptors() throws IOException {
        assumeTrue(Files.exists(DESCRIPTORS), "descriptors are counted in /proc");
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors.count();
        }
    }
}
