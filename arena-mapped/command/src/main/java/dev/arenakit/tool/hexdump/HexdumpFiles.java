package dev.arenakit.tool.hexdump;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.UnknownHolesWarning;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// Several files as one source. If a file cannot be read, this is reported, and the next file follows.
final class HexdumpFiles implements ExtentSource {
    /// The holes of smaller files are read like data: reading a hole takes less time than linking the system calls that
    /// find holes.
    private static final long MIN_SPARSE_SIZE = 1 << 24;

    private final Streams streams;
    private final List<Input> inputs;
    private final UnknownHolesWarning warning;
    private boolean failed;

    /// @param names the names of the files; none for standard input
    HexdumpFiles(Streams streams, List<String> names) {
        this.streams = streams;
        warning = new UnknownHolesWarning(streams, "holes are read like data");
        this.inputs = names.isEmpty()
                ? List.of(new Input("standard input", ExtentSource.of(streams.in())))
                : names.stream().map(this::file).toList();
    }

    /// Whether a file could not be read.
    boolean hasFailed() {
        return failed;
    }

    @Override
    public long transferTo(Sink sink, long skip, long limit) throws IOException {
        Counter counter = new Counter(sink);
        long skipped = 0;
        for (Input input : inputs) {
            if (counter.count == limit) {
                break;
            }
            try {
                skipped += input.source.transferTo(counter, skip - skipped, limit - counter.count);
            } catch (Output.Failure e) {
                throw e;
            } catch (IOException e) {
                failed = true;
                if (e instanceof NoSuchFileException && isImage(input.name)) {
                    streams.report(input.name + " is an image: print its allocations with arena hexdump --in "
                            + input.name + " NAME");
                } else {
                    streams.report(input.name, e);
                }
                if (counter.count > 0) {
                    skipped = skip;
                }
            }
        }
        return skipped;
    }

    private Input file(String name) {
        return new Input(name, (sink, skip, limit) -> transferFile(pathOf(name), sink, skip, limit));
    }

    private long transferFile(Path path, Sink sink, long skip, long limit) throws IOException {
        // All other files are read as streams: small files, pipes, devices, and the files in /proc, which have the size
        // 0.
        if (!Files.isRegularFile(path) || Files.size(path) < MIN_SPARSE_SIZE) {
            try (FileChannel file = FileChannel.open(path)) {
                ExtentSource source = ExtentSource.of(Channels.newInputStream(file));
                if (skip > 0 && seek(file, skip)) {
                    source.transferTo(sink, 0, limit);
                    return skip;
                }
                if (skip > 0 && file.size() > 0 && !Files.isRegularFile(path)) {
                    // The end of a device.
                    return file.size();
                }
                return source.transferTo(sink, skip, limit);
            }
        }
        try (SparseFile file = SparseFile.open(path)) {
            warning.check(file);
            return file.transferTo(sink, skip, limit);
        }
    }

    /// Moves to an offset. A pipe cannot do that; nor can a file that ends before the offset, whose bytes are counted.
    ///
    /// @return false if the position has not changed
    private static boolean seek(FileChannel file, long offset) throws IOException {
        try {
            file.position(offset);
        } catch (IOException _) {
            return false;
        }
        if (file.read(ByteBuffer.allocate(1), offset) > 0) {
            return true;
        }
        file.position(0);
        return false;
    }

    private static boolean isImage(String name) throws IOException {
        return Files.isRegularFile(ImageFiles.catalog(pathOf(name)));
    }

    private static Path pathOf(String name) throws IOException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new FileSystemException(name, null, e.getReason());
        }
    }

    private record Input(String name, ExtentSource source) {}

    private static final class Counter implements Sink {
        private final Sink sink;
        private long count;

        Counter(Sink sink) {
            this.sink = sink;
        }

        @Override
        public void data(MemorySegment bytes) throws IOException {
            count += bytes.byteSize();
            sink.data(bytes);
        }

        @Override
        public void zeros(long byteSize) throws IOException {
            count += byteSize;
            sink.zeros(byteSize);
        }
    }
}
