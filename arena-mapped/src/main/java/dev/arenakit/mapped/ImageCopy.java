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
import java.util.Map;
import java.util.TreeMap;

/// Copies an image with its holes, while its owner may be writing it.
final class ImageCopy {
    /* The catalog is copied first: all that the copy records exists. Each data file is copied up to the last allocation
     * that the copy records in it, so that the rest is zero, as the next owner of the copy expects. The header is written
     * last, so that an incomplete copy is not an image. */

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
        long end = end(ownerIsAlive);
        try (FileChannel copy = create(ImageFiles.catalog(to))) {
            copyEntries(copy, end);
            Map<Integer, Long> ends = new TreeMap<>();
            try (CatalogReader copied = CatalogReader.openEntries(ImageFiles.catalog(to))) {
                CatalogScan scan = CatalogScan.of(copied);
                for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                    switch (entry) {
                        case CatalogEntry.DataFile file -> ends.merge(file.number(), 0L, Math::max);
                        case CatalogEntry.Allocated allocated when allocated.file() >= 0 -> ends.merge(allocated.file(),
                                allocated.byteOffset() + allocated.byteSize(), Math::max);
                        default -> {
                            // It is in no data file.
                        }
                    }
                }
            }
            for (Map.Entry<Integer, Long> file : ends.entrySet()) {
                copyFile(file.getKey(), file.getValue());
            }
            FileSink header = new FileSink(copy);
            header.data(catalog.header(end, ends.keySet().stream().mapToInt(number -> number + 1).max().orElse(0)));
        }
    }

    /// The end of the copied catalog: the first record that the owner has not finished, if there is an owner.
    private long end(boolean ownerIsAlive) throws IOException {
        CatalogScan scan = CatalogScan.of(catalog);
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (ownerIsAlive && entry instanceof CatalogEntry.Unreadable unreadable && !unreadable.isFinished()) {
                return unreadable.line() * CatalogFormat.LINE;
            }
        }
        return scan.end();
    }

    private void copyFile(int number, long byteSize) throws IOException {
        Path copy = ImageFiles.data(to, number);
        try (SparseFile file = SparseFile.open(ImageFiles.data(from, number)); FileChannel channel = create(copy)) {
            file.transferTo(new FileSink(channel), 0, byteSize);
            growTo(file.byteSize(), copy, channel);
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

    private void copyEntries(FileChannel copy, long end) throws IOException {
        FileSink sink = new FileSink(copy);
        sink.position = CatalogFormat.FIRST_ENTRY;
        try (SparseFile file = SparseFile.open(ImageFiles.catalog(from))) {
            file.transferTo(sink, CatalogFormat.FIRST_ENTRY, end - CatalogFormat.FIRST_ENTRY);
        }
        growTo(end, ImageFiles.catalog(to), copy);
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
