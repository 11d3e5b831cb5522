package dev.arenakit.tool;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.SparseFile;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/// Files as one source. A file that cannot be read is reported, and the others follow.
final class FileSequence implements ExtentSource {
    /// Below this size reading a hole takes less time than asking where it is, for the first question links the system
    /// calls.
    private static final long WORTH_ASKING = 1 << 24;

    private final Streams streams;
    private final List<Input> inputs;
    private boolean failed;
    private boolean warned;

    /// @param names of the files; standard input is read where there is none
    FileSequence(Streams streams, List<String> names) {
        this.streams = streams;
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
                streams.complain(input.name, e);
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
        // Anything but a large regular file is a stream: pipes, devices, and what /proc calls a file of 0 bytes.
        if (!Files.isRegularFile(path) || Files.size(path) < WORTH_ASKING) {
            try (InputStream stream = Files.newInputStream(path)) {
                return ExtentSource.of(stream).transferTo(sink, skip, limit);
            }
        }
        try (SparseFile file = SparseFile.open(path)) {
            file.holesUnknown().ifPresent(this::warn);
            return file.transferTo(sink, skip, limit);
        }
    }

    private void warn(String reason) {
        if (!warned) {
            warned = true;
            streams.complain("holes are read like data: " + reason);
        }
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
