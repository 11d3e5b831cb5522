package dev.arenakit.mapped.internal.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.NewFile;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Creates the files of a copy of an image, which are deleted if the copy fails.
final class CopyTarget {
    private final List<FileIdentity> made = new ArrayList<>();
    private final LongConsumer progress;
    private final TypeCache types = new TypeCache();
    private long written;

    /// @param progress receives the number of bytes that were written so far
    CopyTarget(LongConsumer progress) {
        this.progress = progress;
    }

    /// Creates a file that does not exist yet.
    FileChannel create(Path file) throws IOException {
        NewFile created = NewFile.create(file, FileMode.OWNER_ONLY);
        made.add(created.identity());
        return created.channel();
    }

    /// Deletes a file that was created, and whose original is gone.
    void delete(Path file) throws IOException {
        made.removeIf(created -> created.path().equals(file));
        Files.delete(file);
    }

    /// Whether an allocation is a structure, which has a header at the start of its data file.
    boolean isStructure(CatalogEntry.Allocated allocated) {
        return allocated.isLive() && allocated.file() >= 0 && allocated.byteOffset() == 0
                && types.isStructure(allocated.type().text());
    }

    /// Completes a data file, whose end may be a hole, and writes it to the device.
    static void complete(FileChannel file, long byteSize) throws IOException {
        SafeFiles.growTo(file, byteSize);
        file.force(true);
    }

    /// Completes the copy, whose data files are complete. Each step is on the device before the next one, so that a
    /// copy with a header has everything, even after a power loss.
    ///
    /// @param to      the base of the copy
    /// @param catalog the catalog, which has all but its header
    /// @throws FileTrust.UntrustedException if another file has replaced a file of the copy
    void complete(Path to, FileChannel catalog, MemorySegment header) throws IOException {
        catalog.force(true);
        for (FileIdentity file : made) {
            file.check();
        }
        write(catalog, 0, header);
        catalog.force(true);
        SafeFiles.forceDirectory(to);
    }

    /// Deletes the files that were created.
    void undo(Throwable failure) {
        try {
            SafeFiles.deleteAll(made.stream().map(FileIdentity::path).toList());
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
        try (FileExtentSource file = FileExtentSource.open(from)) {
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
