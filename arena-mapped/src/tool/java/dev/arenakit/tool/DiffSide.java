package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.mapped.SparseFile;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

/// One of the images that are compared.
final class DiffSide implements Closeable {
    /// Takes an allocation.
    @FunctionalInterface
    interface Consumer {
        void accept(Allocation allocation) throws IOException;
    }

    private final String name;
    private final ArenaImage image;
    private final RecordedType.Reader types;
    private final OpenFiles<DataRange.File> files;
    /// How many allocations there were at first: a living owner may add some meanwhile.
    private final long count;

    /// @param name     of the image, for messages
    /// @param warnings says so where holes are not known
    DiffSide(Path name, ArenaImage image, DiskUses warnings) throws IOException {
        this.name = name.toString();
        this.image = image;
        types = new RecordedType.Reader(image);
        files = new OpenFiles<>(number -> {
            SparseFile file = SparseFile.open(image.file(number));
            warnings.warn(file);
            return new DataRange.File(file);
        });
        try (Stream<Allocation> allocations = image.allocations()) {
            count = allocations.count();
        }
    }

    String name() {
        return name;
    }

    ArenaImage image() {
        return image;
    }

    RecordedType type(Allocation allocation) {
        return types.of(allocation);
    }

    /// How many allocations there are, those that have been freed included.
    long count() {
        return count;
    }

    /// Reads the allocations that have not been freed.
    void forEach(Consumer consumer) throws IOException {
        try (Stream<Allocation> allocations = image.allocations().limit(count)) {
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                Allocation allocation = each.next();
                if (allocation.isLive()) {
                    consumer.accept(allocation);
                }
            }
        }
    }

    /// The bytes of an allocation that has some.
    DataRange range(int file, long byteOffset) throws IOException {
        return new DataRange(files.get(file), byteOffset);
    }

    /// What is missing of the bytes of an allocation.
    Optional<String> lost(int file, long byteOffset, long byteSize) throws IOException {
        long left = Math.max(0, files.get(file).byteSize() - byteOffset);
        return left >= byteSize
                ? Optional.empty()
                : Optional
                        .of("file " + image.file(file) + " is truncated: of " + byteSize + " bytes there are " + left);
    }

    /// What cannot be read of a data file, in words.
    String reason(int file, IOException e) {
        return e instanceof NoSuchFileException
                ? "file " + image.file(file) + " is missing"
                : "file " + image.file(file) + ": " + Streams.reason(e);
    }

    /// Whether something is wrong with the image.
    boolean hasProblems() throws IOException {
        try (Stream<ImageProblem> problems = image.problems()) {
            return problems.findAny().isPresent();
        }
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
