package dev.arenakit.internal.diagnostics.debug;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Reads the block files that a process has left.
public final class BlockFileReader {
    // A number that has more digits than a long is no field: anybody may have written the file.
    private static final Pattern STARTED = Pattern.compile(" started=(\\d{1,18})\\b");
    private static final Pattern FIELD = Pattern.compile("(\\w+)=(?:0x([0-9a-f]{1,16})|(\\d{1,18}))\\b");

    private BlockFileReader() {}

    /// Reads the blocks of a process. Several processes with the same number may have left files in a directory: only
    /// the files of the process that was started last count. Files in directories that cannot be read are left out:
    /// another user may have left one, or a process that was terminated before it had written the first line.
    ///
    /// @param places block files, and directories of block files
    /// @throws IOException if a block file of the list cannot be read, or is no block file
    public static RecordedBlocks read(List<Path> places, long pid) throws IOException {
        RecordedBlocks recorded = new RecordedBlocks(new ArrayList<>(), new ArrayList<>());
        for (Path place : places) {
            for (List<String> lines : Files.isDirectory(place)
                    ? latest(place, pid, recorded.unread())
                    : List.of(lines(place))) {
                recorded.blocks().addAll(parse(lines));
            }
        }
        return recorded;
    }

    private static List<List<String>> latest(Path directory, long pid, List<String> unread) throws IOException {
        List<List<String>> latest = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, BlockFile.prefix(pid) + "*.txt")) {
            for (Path file : files) {
                List<String> lines;
                try {
                    lines = lines(file);
                } catch (IOException e) {
                    unread.add("file=" + file + ", reason=" + e);
                    continue;
                }
                if (!latest.isEmpty() && started(lines) > started(latest.getFirst())) {
                    latest.clear();
                }
                if (latest.isEmpty() || started(lines) == started(latest.getFirst())) {
                    latest.add(lines);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return latest;
    }

    private static List<String> lines(Path file) throws IOException {
        List<String> lines = new String(Files.readAllBytes(file), UTF_8).lines().toList();
        if (lines.isEmpty() || !lines.getFirst().startsWith(BlockFile.HEADER)) {
            throw new IOException("Not a block file: file=" + file);
        }
        return lines;
    }

    private static long started(List<String> lines) {
        Matcher matcher = STARTED.matcher(lines.getFirst());
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static List<RecordedBlock> parse(List<String> lines) {
        Map<Long, RecordedBlock> byNumber = new HashMap<>();
        List<RecordedBlock> blocks = new ArrayList<>();
        List<String> closed = new ArrayList<>();
        RecordedBlock last = null;
        for (String line : lines.subList(1, lines.size())) {
            Map<String, Long> fields = line.startsWith(BlockFile.AT) ? Map.of() : fields(line);
            if (line.startsWith(BlockFile.ALLOCATED)) {
                last = RecordedBlock.of(fields);
                byNumber.put(last.number(), last);
                blocks.add(last);
            } else if (line.startsWith(BlockFile.FREED)) {
                last = byNumber.get(fields.getOrDefault("block", 0L));
            }
            if (line.startsWith(BlockFile.CLOSED) || !closed.isEmpty()) {
                // The last entry of the file.
                closed.add(line);
            } else if (last != null) {
                last.lines().add(line);
            }
        }
        blocks.forEach(block -> block.lines().addAll(closed));
        return blocks;
    }

    /// The numbers of a line, in front of the name of the thread, which may be anything.
    private static Map<String, Long> fields(String line) {
        Map<String, Long> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(line.split(" thread=", 2)[0]);
        while (matcher.find()) {
            String hex = matcher.group(2);
            fields.put(matcher.group(1),
                    hex == null ? Long.parseLong(matcher.group(3)) : Long.parseUnsignedLong(hex, 16));
        }
        return fields;
    }

    /// What block files tell.
    ///
    /// @param blocks the blocks, in the order of each file
    /// @param unread why files were left out
    public record RecordedBlocks(List<RecordedBlock> blocks, List<String> unread) {}

    /// A block as a block file describes it.
    ///
    /// @param memory    the first address of the memory that belongs to the block, guards included
    /// @param memoryEnd the end address, exclusive
    /// @param lines     the lines about its allocation, its free, and the close of its arena
    public record RecordedBlock(long number, long address, long byteSize, long byteAlignment, long memory,
            long memoryEnd, List<String> lines) {
        private static RecordedBlock of(Map<String, Long> fields) {
            return new RecordedBlock(fields.getOrDefault("block", 0L), fields.getOrDefault("address", 0L),
                    fields.getOrDefault("byteSize", 0L), fields.getOrDefault("byteAlignment", 1L),
                    fields.getOrDefault("memory", 0L), fields.getOrDefault("memoryEnd", 0L), new ArrayList<>());
        }

        /// Whether the arena of the block was closed.
        boolean isClosed() {
            return lines.stream().anyMatch(line -> line.startsWith(BlockFile.CLOSED));
        }

        boolean owns(long accessed) {
            return accessed >= memory && accessed < memoryEnd;
        }
    }
}
