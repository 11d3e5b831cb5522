package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Creates the files of a copy of an image, which are deleted if the copy fails.
final class ImageCopyFiles {
    private final List<Path> made = new ArrayList<>();
    private final LongConsumer progress;
    private long written;

    /// @param progress receives the number of bytes that were written so far
    ImageCopyFiles(LongConsumer progress) {
        this.progress = progress;
    }

    /// Creates a file that does not exist yet.
    FileChannel create(Path file) throws IOException {
        FileChannel channel = SafeFiles.create(file);
        made.add(file);
        return channel;
    }

    /// Deletes the files that were created.
    void undo(Throwable failure) {
        for (Path file : made) {
            try {
                SafeFiles.delete(file);
            } catch (UncheckedIOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /// Copies a range of a file, with its holes, to the same offset.
    ///
    /// @return the size of the file
    long transfer(Path from, FileChannel to, long start, long end) throws IOException {
        FileSink sink = new FileSink(to);
        sink.position = start;
        try (SparseFile file = SparseFile.open(from)) {
            file.transferTo(sink, start, end - start);
            return file.byteSize();
        }
    }

    static void write(FileChannel to, long position, MemorySegment bytes) throws IOException {
        ByteBuffer buffer = bytes.asByteBuffer();
        while (buffer.hasRemaining()) {
            to.write(buffer, position + buffer.position());
        }
    }

    /// Sets the size of a copy whose original ends in a hole.
    static void growTo(long byteSize, Path copy, FileChannel channel) throws IOException {
        if (channel.size() < byteSize) {
            try (RandomAccessFile sized = new RandomAccessFile(copy.toFile(), "rw")) {
                sized.setLength(byteSize);
            }
        }
    }

    /// Writes data and skips zeros, both reported holes and blocks of zeros: unknown holes are read as blocks of zeros.
    private final class FileSink implements ExtentSource.Sink {
        private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 16]).asReadOnly();

        private final FileChannel channel;
        private long position;

        FileSink(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void data(MemorySegment bytes) throws IOException {
            for (long offset = 0; offset < bytes.byteSize(); offset += ZEROS.byteSize()) {
                block(bytes.asSlice(offset, Math.min(ZEROS.byteSize(), bytes.byteSize() - offset)));
            }
        }

        private void block(MemorySegment bytes) throws IOException {
            if (bytes.mismatch(ZEROS.asSlice(0, bytes.byteSize())) < 0) {
                zeros(bytes.byteSize());
            } else {
                write(bytes.asByteBuffer());
            }
        }

        private void write(ByteBuffer buffer) throws IOException {
            while (buffer.hasRemaining()) {
                int count = channel.write(buffer, position);
                position += count;
                written += count;
            }
            progress.accept(written);
        }

        @Override
        public void zeros(long byteSize) {
            position += byteSize;
            // The caller may want to end the copy, which may have holes only for a long time.
            progress.accept(written);
        }
    }
}
