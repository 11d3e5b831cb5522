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

/// Copies an image with its holes, while its owner may be writing it.
final class ImageCopy {
    /* The catalog is read before the data files are copied, up to the first unfinished entry: all recorded data exists.
     * The catalog of the copy is written last, so that an incomplete copy is not an image. */

    private final CatalogReader catalog;
    private final Path from;
    private final Path to;
    private final List<Path> made = new ArrayList<>();

    private ImageCopy(CatalogReader catalog, Path from, Path to) {
        this.catalog = catalog;
        this.from = from;
        this.to = to;
    }

    /// @param to the base of the copy
    /// @throws IOException if a file cannot be read or created; the files that were created are deleted
    static void copy(CatalogReader catalog, Path from, Path to, boolean ownerIsAlive) throws IOException {
        ImageCopy copy = new ImageCopy(catalog, from, to);
        try {
            copy.run(ownerIsAlive);
        } catch (Throwable t) {
            copy.undo(t);
            throw t;
        }
    }

    private void run(boolean ownerIsAlive) throws IOException {
        List<Integer> files = new ArrayList<>();
        CatalogScan scan = new CatalogScan(catalog);
        long end = scan.end();
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof CatalogEntry.DataFile file) {
                files.add(file.number());
            } else if (entry instanceof CatalogEntry.Unreadable unreadable && ownerIsAlive
                    && !unreadable.isFinished()) {
                end = unreadable.line() * CatalogFormat.LINE;
                break;
            }
        }
        Path catalogFile = ImageFiles.catalog(to);
        try (FileChannel copy = create(catalogFile)) {
            for (int number : files) {
                copyFile(number);
            }
            copyCatalog(copy, end, files);
        }
    }

    private void copyFile(int number) throws IOException {
        Path copy = ImageFiles.data(to, number);
        try (SparseFile file = SparseFile.open(ImageFiles.data(from, number)); FileChannel channel = create(copy)) {
            FileSink sink = new FileSink(channel);
            file.transferTo(sink, 0, Long.MAX_VALUE);
            growTo(sink.position, copy, channel);
        }
    }

    /// Sets the size of a copy whose original ends in a hole.
    private static void growTo(long byteSize, Path copy, FileChannel channel) throws IOException {
        if (channel.size() < byteSize) {
            try (RandomAccessFile sized = new RandomAccessFile(copy.toFile(), "rw")) {
                sized.setLength(byteSize);
            }
        }
    }

    private void copyCatalog(FileChannel copy, long end, List<Integer> files) throws IOException {
        MemorySegment header = catalog.header(end, files.stream().mapToInt(number -> number + 1).max().orElse(0));
        FileSink sink = new FileSink(copy);
        sink.position = CatalogFormat.FIRST_ENTRY;
        try (SparseFile file = SparseFile.open(ImageFiles.catalog(from))) {
            file.transferTo(sink, CatalogFormat.FIRST_ENTRY, end - CatalogFormat.FIRST_ENTRY);
        }
        growTo(end, ImageFiles.catalog(to), copy);
        sink.position = 0;
        sink.data(header);
    }

    private FileChannel create(Path file) throws IOException {
        FileChannel channel = SafeFiles.create(file);
        made.add(file);
        return channel;
    }

    private void undo(Throwable failure) {
        for (Path file : made) {
            try {
                SafeFiles.delete(file);
            } catch (UncheckedIOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /// Writes data and skips zeros, both reported holes and blocks of zeros: unknown holes are read as blocks of zeros.
    private static final class FileSink implements ExtentSource.Sink {
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
                position += channel.write(buffer, position);
            }
        }

        @Override
        public void zeros(long byteSize) {
            position += byteSize;
        }
    }
}
