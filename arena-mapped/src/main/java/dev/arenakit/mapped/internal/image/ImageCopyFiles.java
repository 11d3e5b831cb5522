package dev.arenakit.mapped.internal.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.files.SparseFileReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
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
        try {
            SafeFiles.deleteAll(made);
        } catch (UncheckedIOException e) {
            failure.addSuppressed(e);
        }
    }

    /// Reports how much was written so far, to a consumer that may want to end the copy.
    void reportProgress() {
        progress.accept(written);
    }

    /// Copies a range of a file, with its holes, to the same offset.
    ///
    /// @param copy the path of the target
    /// @return the size of the file
    /// @throws FileSystemException with the path of the target, if the target cannot be written
    long transfer(Path from, long start, long end, Path copy, FileChannel to) throws IOException {
        FileSink sink = new FileSink(copy, to);
        sink.position = start;
        try (SparseFileReader file = SparseFileReader.open(from)) {
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
            SafeFiles.setByteSize(copy, byteSize);
        }
    }

    /// Writes data and skips zeros, both reported holes and blocks of zeros: unknown holes are read as blocks of zeros.
    private final class FileSink implements ExtentSource.Sink {
        private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 16]).asReadOnly();

        private final Path file;
        private final FileChannel channel;
        private long position;

        FileSink(Path file, FileChannel channel) {
            this.file = file;
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
                int count = writeTo(buffer);
                position += count;
                written += count;
            }
            reportProgress();
        }

        private int writeTo(ByteBuffer buffer) throws IOException {
            try {
                return channel.write(buffer, position);
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                FileSystemException named = new FileSystemException(file.toString(), null, FileErrors.reason(e));
                named.initCause(e);
                throw named;
            }
        }

        @Override
        public void zeros(long byteSize) {
            position += byteSize;
            // The copy may have holes only for a long time.
            reportProgress();
        }
    }
}
