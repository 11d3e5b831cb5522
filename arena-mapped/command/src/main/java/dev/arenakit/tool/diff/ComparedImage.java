package dev.arenakit.tool.diff;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.DataExtents;
import dev.arenakit.tool.image.FileTruncation;
import dev.arenakit.tool.image.OpenFileCache;
import dev.arenakit.tool.image.ReadAhead;
import dev.arenakit.tool.image.UnknownHolesWarning;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The first or the second image of a comparison.
final class ComparedImage implements Closeable {
    private final String name;
    private final ArenaImage image;
    private final ComparedType.Reader types;
    private final OpenFileCache<DataFile> files;
    private final AllocationSequence allocations;

    /// @param name    the name of the image, for messages
    /// @param warning is printed if the file system does not report holes
    ComparedImage(Path name, ArenaImage image, UnknownHolesWarning warning) {
        this.name = name.toString();
        this.image = image;
        types = new ComparedType.Reader(image);
        files = new OpenFileCache<>(number -> {
            SparseFile file = SparseFile.open(image.file(number));
            warning.check(file);
            return new DataFile(new DataExtents(file), new ReadAhead(), image.isChunked());
        });
        allocations = new AllocationSequence(image);
    }

    String name() {
        return name;
    }

    ArenaImage image() {
        return image;
    }

    ComparedType type(Allocation allocation) {
        return types.of(allocation);
    }

    /// Counts the allocations, freed ones included.
    long countAllocations() throws IOException {
        allocations.forEach(_ -> {});
        return allocations.count();
    }

    /// The allocations that existed when they were first counted or read. Later additions by a running owner are left
    /// out.
    AllocationSequence allocations() {
        return allocations;
    }

    /// The bytes of an allocation whose size is not 0.
    ComparedRange range(List<AllocationPart> parts) {
        return new ComparedRange(files, parts);
    }

    /// The message that a part of an allocation has lost bytes, or empty if it has all its bytes.
    Optional<String> truncation(AllocationPart part) throws IOException {
        long fileByteSize = files.get(part.file()).byteSizeFor(part);
        return FileTruncation.remaining(part.byteOffset(), part.byteSize(), fileByteSize) == part.byteSize()
                ? Optional.empty()
                : FileTruncation.message(image.file(part.file()), part.byteOffset(), part.byteSize(), fileByteSize);
    }

    /// The message that a data file cannot be read.
    String reason(int file, IOException e) {
        return e instanceof NoSuchFileException
                ? "file " + image.file(file) + " is missing"
                : "file " + image.file(file) + ": " + ErrorText.of(e);
    }

    /// Whether the image is damaged.
    boolean hasProblems() throws IOException {
        try (Stream<ImageProblem> problems = image.problems()) {
            return problems.anyMatch(problem -> !problem.isNote());
        }
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    /// A data file of a compared image.
    ///
    /// @param isChunk whether the file contains many allocations; small ones are then read ahead
    record DataFile(DataExtents extents, ReadAhead ahead, boolean isChunk) implements Closeable {
        SparseFile file() {
            return extents.file();
        }

        /// Whether an allocation of this size is read ahead.
        boolean isAhead(long byteSize) {
            return isChunk && byteSize <= ReadAhead.MAX_ALLOCATION;
        }

        /// Reads bytes ahead. If the file ends earlier, there are fewer bytes.
        MemorySegment readAhead(long byteOffset, long byteSize) throws IOException {
            return ahead.read(file(), byteOffset, byteSize);
        }

        /// The size of the file, or the end of a part that was read in full.
        long byteSizeFor(AllocationPart part) throws IOException {
            return isAhead(part.byteSize())
                    && readAhead(part.byteOffset(), part.byteSize()).byteSize() == part.byteSize()
                            ? part.byteOffset() + part.byteSize()
                            : file().byteSize();
        }

        @Override
        public void close() throws IOException {
            extents.close();
        }
    }
}
